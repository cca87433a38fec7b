package emit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/emit"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

const head = "#version 450\nlayout(local_size_x = 8) in;\n"

func compile(t *testing.T, text string) *tree.Program {
	t.Helper()
	u, err := glsl.Compile(&source.File{Name: "k.comp", Text: text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return u.Program
}

// own is the kernel's own part of a text.
func own(text string) string {
	_, after, _ := strings.Cut(text, "#line 2 0\n")
	return after
}

// TestScripts shows what kernels become (rewrite with -rewrite), and that a driver's compiler takes it.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out := emit.Text(compile(t, head+d.Input+"\n"), emit.Device{IEEE: !d.HasArg("distrusted")})
			accepted(t, out.Text)
			return own(out.Text)
		})
	})
}

// accepted asks glslangValidator.
func accepted(t *testing.T, text string) {
	t.Helper()
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Log("glslangValidator is not installed (Debian package glslang-tools): the text is not validated")
		return
	}
	c := exec.Command(tool, "--stdin", "-S", "comp")
	c.Stdin = strings.NewReader(text)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s\n%s", err, out, text)
	}
}

// TestLinesLeadBack: each line that has a token of the source leads to that token's line, for every device.
func TestLinesLeadBack(t *testing.T) {
	p := compile(t, head+"shared float f;\nvoid main() {\n  f = 1.0;\n  if (f > 2.0)\n    f *= 3.0;\n}\n")
	for _, d := range []emit.Device{{}, {Wide: true}, {IEEE: true}} {
		out := emit.Text(p, d)
		for i, line := range strings.Split(own(out.Text), "\n") {
			for token, want := range map[string]int{"shared ": 3, "1.0;": 5, "if (vt_f_": 6, "if (f": 6, "3.0": 7} {
				if strings.Contains(line, token) && out.Lines.Pos(i+2).Line != want {
					t.Errorf("%q leads to %s, want line %d", line, out.Lines.Pos(i+2), want)
				}
			}
		}
	}
}

// TestWrittenKernelIsInTheLanguage: what is written of a kernel that needs no prelude is a kernel again, with
// the same buffers and no operations but those for clearing.
func TestWrittenKernelIsInTheLanguage(t *testing.T) {
	files, err := filepath.Glob("../testdata/accept/*.comp")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	written := 0
	for _, file := range files {
		u, err := glsl.Compile(read(t, file), glsl.Options{})
		if err != nil {
			continue // it needs its includes
		}
		out := emit.Text(u.Program, emit.Device{IEEE: true})
		accepted(t, out.Text)
		functions, _, _ := strings.Cut(out.Text, emit.OwnLines)
		if strings.Count(functions, "\n") > 2+strings.Count(functions, "\nbool vt_f_never") {
			continue // it calls functions of the prelude
		}
		written++
		again := compile(t, out.Text)
		if again.LocalSize != u.Program.LocalSize || len(again.Buffers) != len(u.Program.Buffers) || len(again.Functions) != len(u.Program.Functions) {
			t.Errorf("%s becomes another program:\n%s", file, out.Text)
		}
		for _, op := range u.Program.Operations {
			if !slices.Contains(again.Operations, op) {
				t.Errorf("%s loses the operation %s", file, op)
			}
		}
	}
	if written == 0 {
		t.Error("no kernel without a prelude was written")
	}
}

func read(t *testing.T, file string) *source.File {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return &source.File{Name: file, Text: string(b)}
}

var errorLine = regexp.MustCompile(`ERROR: 0:(\d+): 'nonsense'`)

// TestCompilersCountTheKernelsLines: what a compiler calls line n of string 0 is what the LineMap calls so,
// whatever functions came before.
func TestCompilersCountTheKernelsLines(t *testing.T) {
	p := compile(t, head+"shared float f;\nvoid main() {\n  f = sin(f);\n\n  f /= 3.0;\n}\n")
	for _, d := range []emit.Device{{}, {Wide: true}, {IEEE: true}} {
		out := emit.Text(p, d)
		broken := strings.Replace(out.Text, "  f = vt_f_div", "  nonsense = vt_f_div", 1)
		m := errorLine.FindStringSubmatch(verdict(t, broken))
		if m == nil {
			t.Fatalf("no error about line 0 in %q", verdict(t, broken))
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || out.Lines.Pos(n).Line != 7 {
			t.Errorf("line %s leads to %s, want line 7", m[1], out.Lines.Pos(n))
		}
	}
}

// verdict is what glslangValidator says.
func verdict(t *testing.T, text string) string {
	t.Helper()
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("glslangValidator is not installed (Debian package glslang-tools)")
	}
	c := exec.Command(tool, "--stdin", "-S", "comp")
	c.Stdin = strings.NewReader(text)
	out, _ := c.CombinedOutput() // it fails, as it should
	return string(out)
}
