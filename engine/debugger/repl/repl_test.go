package repl

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/debugger"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// FuzzCommands: any line is carried out or refused with one fix, and never a panic.
func FuzzCommands(f *testing.F) {
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: "#version 450\nlayout(local_size_x = 2) in;\nlayout(std430, binding = 0) buffer B { uint r[4]; };\n" +
		"void main() {\n  for (uint i = 0u; i < 4u; i++)\n    r[i] += i;\n}\n"}, glsl.Options{})
	if err != nil {
		f.Fatal(err)
	}
	for _, verb := range names() {
		f.Add("next\n" + verb + " 1\n" + verb + " r[0]\n" + verb)
	}
	f.Add("break 6 if i == 2u\ncontinue\nset i = 7u\nrev continue\nrev step\nrev next\nrev stepout\nrev barrier\nwatch i\nc\nc\nwrites r[1]\n\n\ngroup 9\nlane 1\nlane -1")
	f.Fuzz(func(t *testing.T, script string) {
		s, err := debugger.Open(debugger.Target{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		r := &REPL{Session: s, Out: io.Discard, Line: func(string, int) string { return "" }, Lines: func(string) int { return 7 }}
		for i, line := range strings.Split(script, "\n") {
			if i == 20 || len(line) > 200 {
				return
			}
			err := r.Do(line)
			if err != nil && !errors.Is(err, ErrQuit) && strings.Count(err.Error(), "Fix: ") != 1 {
				t.Errorf("%q: %v", line, err)
			}
		}
	})
}

func opened(t *testing.T, out io.Writer) *REPL {
	t.Helper()
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: "#version 450\nlayout(local_size_x = 2) in;\nlayout(std430, binding = 0) buffer B { uint r[4]; };\nvoid main() { r[0] = 1u; }\n"}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := debugger.Open(debugger.Target{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	return &REPL{Session: s, Out: out, Line: func(string, int) string { return "" }, Lines: func(string) int { return 4 }}
}

// TestPrintDropsNoExpression: a comma parts expressions, and each of them is printed.
func TestPrintDropsNoExpression(t *testing.T) {
	var out strings.Builder
	if err := opened(t, &out).Do("print 1u, 2u"); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "1u = 1") || !strings.Contains(got, "2u = 2") {
		t.Errorf("got %q", got)
	}
}

// TestInfoNamesTheVerbOfItsArgument: each info of gdb has its own verb here; one without any is sent to the list.
func TestInfoNamesTheVerbOfItsArgument(t *testing.T) {
	r := opened(t, io.Discard)
	for what, ours := range foreignInfo {
		err := r.Do("info " + what)
		verb, _, _ := strings.Cut(ours, " ")
		if _, ok := r.verb(verb); !ok || err == nil || !strings.Contains(err.Error(), `did you mean "`+ours+`"?`) {
			t.Errorf("info %s: %v", what, err)
		}
	}
	for _, line := range []string{"info", "info registers"} {
		if err := r.Do(line); err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestWatchOfAValueNamesDisplay: what has no place cannot be watched, but shown at each stop.
func TestWatchOfAValueNamesDisplay(t *testing.T) {
	r := opened(t, io.Discard)
	for expr, want := range map[string]bool{"r[0] + 1u": true, "r[0": false, "missing": false} {
		if err := r.Do("watch " + expr); err == nil || strings.Contains(err.Error(), "or use display "+expr) != want {
			t.Errorf("watch %s: %v", expr, err)
		}
	}
	if err := r.Do("watch r[0]"); err != nil {
		t.Error(err)
	}
}

// TestForeignVerbsNameOurs: a verb of another debugger names a verb that exists here.
func TestForeignVerbsNameOurs(t *testing.T) {
	r := opened(t, io.Discard)
	for typed, ours := range foreign {
		err := r.Do(typed)
		if _, ok := r.verb(strings.TrimPrefix(ours, "rev ")); !ok || err == nil || !strings.Contains(err.Error(), ours) {
			t.Errorf("%s: %v", typed, err)
		}
	}
}

// TestALineOfCommandsHasALimitThatIsNamed: it ended with "bufio.Scanner: token too long".
func TestALineOfCommandsHasALimitThatIsNamed(t *testing.T) {
	err := opened(t, io.Discard).Run(t.Context(), strings.NewReader("locals\nprint "+strings.Repeat("1+", 40_000)+"1\n"), "walk")
	if !errors.Is(err, debugger.ErrRequest) || !strings.Contains(err.Error(), "walk:2: the line is longer than 65536 bytes. Fix: ") {
		t.Errorf("%v, want the line and its limit", err)
	}
}

// TestDisplayRefusesWhatIsNoExpression: "nt acc" was taken, and shown without a value for ever; a name that is declared elsewhere is
// taken.
func TestDisplayRefusesWhatIsNoExpression(t *testing.T) {
	for expr, want := range map[string]string{
		"nt acc": "after the expression", "r[0] +": "expected", "later + 1u": "", "later.x": "", "r[0]": "", "r[0] 2": "after the expression",
	} {
		r := opened(t, io.Discard)
		err := r.Do("display " + expr)
		if got := len(r.Displays()); want == "" && (err != nil || got != 1) || want != "" && (!errors.Is(err, debugger.ErrRequest) || !strings.Contains(err.Error(), want) || got != 0) {
			t.Errorf("display %s: %v and %d displayed, want %q", expr, err, got, want)
		}
	}
}

// TestLanesAndElementsThatAreAskedForAreAllPrinted: the tables ended after 16, and a script has no empty line to ask for more.
func TestLanesAndElementsThatAreAskedForAreAllPrinted(t *testing.T) {
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: "#version 450\nlayout(local_size_x = 40) in;\nlayout(std430, binding = 0) buffer B { uint r[100]; };\n" +
		"void main() {\n  uint i = gl_LocalInvocationIndex;\n  r[i] = i;\n}\n"}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := debugger.Open(debugger.Target{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	r := &REPL{Session: s, Out: &out, Line: func(string, int) string { return "" }, Lines: func(string) int { return 7 }}
	if err := r.Do("until 6"); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]struct {
		rows int
		last string
	}{
		"lanes": {16, "... 24 more of 40; lanes all lists them"}, "lanes all": {40, "    39 active   39"}, "lanes 14:38 i": {24, "    37 active   37"},
		"lanes 30:": {10, "    39 active   39"}, "lanes :3 i, i + 1u": {3, "     2 active    2      3"}, "print r[0:100]": {100, "r[99] = 0"}, "print r[0:]": {16, "... 84 more of 100"},
	} {
		out.Reset()
		if err := r.Do(command); err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		rows := strings.Count(out.String(), " active  ") + strings.Count(out.String(), "r[")
		if rows != want.rows || lines[len(lines)-1] != want.last {
			t.Errorf("%s: %d rows, the last line %q; want %d, %q", command, rows, lines[len(lines)-1], want.rows, want.last)
		}
	}
	for _, command := range []string{"lanes 4:2", "lanes 40:", "lanes a:b"} {
		if err := r.Do(command); !errors.Is(err, debugger.ErrRequest) {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// TestNoArgumentIsIgnored: stepi 4 made one step, and said nothing of the 4.
func TestNoArgumentIsIgnored(t *testing.T) {
	r := opened(t, io.Discard)
	for _, line := range []string{"stepi 4", "stack 3", "buffers x", "groups 1", "next 5", "continue 2", "rev barrier 1", "rev"} {
		if err := r.Do(line); err == nil || !strings.Contains(err.Error(), "unexpected argument") && line != "rev" {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestSetParsesAtTheAssignment: a place may have a comparison in it.
func TestSetParsesAtTheAssignment(t *testing.T) {
	var out strings.Builder
	r := opened(t, &out)
	if err := r.Do("set r[1u <= 2u ? 3 : 0] = 2u == 2u ? 7u : 8u"); err != nil {
		t.Fatal(err)
	}
	if err := r.Do("print r[3]"); err != nil || !strings.HasSuffix(out.String(), "r[3] = 7\n") {
		t.Errorf("%v in %s", err, out.String())
	}
}

// TestStopsOfWritesHaveTheValuesAsMembers of the object, not in its text alone.
func TestStopsOfWritesHaveTheValuesAsMembers(t *testing.T) {
	var out strings.Builder
	r := opened(t, &out)
	r.JSON = true
	if err := r.Do("next write r[0]"); err != nil {
		t.Fatal(err)
	}
	var stop struct {
		Place    string
		Old, New []uint32
	}
	if err := json.Unmarshal([]byte(out.String()), &stop); err != nil {
		t.Fatal(err)
	}
	if stop.Place != "r[0]" || !slices.Equal(stop.Old, []uint32{0}) || !slices.Equal(stop.New, []uint32{1}) {
		t.Errorf("%+v of %s", stop, out.String())
	}
}
