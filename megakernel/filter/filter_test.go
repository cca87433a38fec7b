package filter

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var fields = []string{"id", "state", "op", "age"}

type row [4]string

func (r row) Text(c int) []byte { return []byte(r[c]) }

func (r row) Number(c int) uint64 {
	n, _ := strconv.ParseUint(r[c], 10, 64)
	return n
}

var rows = []row{
	{"1", "running", "scan", "5"},
	{"2", "paused", "scan", "250"},
	{"3", "idle", "", "17"},
	{"12", "Paused", "count (fast)", "99"},
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct{ filter, ids string }{
		{"", "1 2 3 12"},
		{"   ", "1 2 3 12"},
		{"scan", "1 2"},
		{"SCAN", "1 2"},
		{"!scan", "3 12"},
		{"2", "2 12"},
		{"state=paused", "2 12"},
		{"state!=paused", "1 3"},
		{"state==paused age==250", "2"},
		{"id=0x0c", "12"},
		{"age>17", "2 12"},
		{"age>=17 age<=99", "3 12"},
		{"age<17 or age>200", "1 2"},
		{"state=paused and !(op=scan)", "12"},
		{"state=idle or op=scan and age>100", "2 3"},
		{`op="count (fast)"`, "12"},
		{`"(fast)"`, "12"},
		{`op=""`, "3"},
		{"op~^s.an$", "1 2"},
		{"op!~a", "3"},
		{`op~"\(fast\)"`, "12"},
		{"op~(scan|x) state=paused", "2"},
		{"!!scan", "1 2"},
		{"state=paused&&!(op=scan)", "12"},
		{"state=idle || op=scan&&age>100", "2 3"},
		{"age<17||age>200", "1 2"},
		{`"a&&b" or id=1`, "1"},
	} {
		e, err := Parse(tc.filter, fields)
		if err != nil {
			t.Errorf("%q: %v", tc.filter, err)
			continue
		}
		var ids []string
		for _, r := range rows {
			if e.Match(r) {
				ids = append(ids, r[0])
			}
		}
		if got := strings.Join(ids, " "); got != tc.ids {
			t.Errorf("%q matches %s, want %s", tc.filter, got, tc.ids)
		}
	}
	var none *Expr
	if !none.Match(rows[0]) {
		t.Error("no filter hides a row")
	}
}

// What is marked in a text is the first of the words that the filter looks for and the text has.
func TestFind(t *testing.T) {
	text := []byte("a task of Op scan, then count")
	for _, tc := range []struct{ filter, found string }{
		{"", ""}, {"scan", "scan"}, {"OP", "Op"}, {"count scan", "count"}, {"nothing scan", "scan"},
		{"nothing or scan", "scan"}, {"!scan", ""}, {"!scan task", "task"}, {"state=scan", ""}, {"nothing", ""},
	} {
		e, err := Parse(tc.filter, fields)
		if err != nil {
			t.Fatal(err)
		}
		if at, n := e.Find(text); string(text[at:at+n]) != tc.found {
			t.Errorf("%q finds %q, want %q", tc.filter, text[at:at+n], tc.found)
		}
	}
	if _, n := (*Expr)(nil).Find(text); n != 0 {
		t.Errorf("no filter finds %d bytes", n)
	}
}

// A condition that is quoted says so: only words in quotes are texts where names are numbers.
func TestPostfix(t *testing.T) {
	e, err := Parse(`op=="count" and (age>=17 or !scan)`, fields)
	if err != nil {
		t.Fatal(err)
	}
	want := []Term{
		{Kind: Comparison, At: 4, Column: 2, Operator: "=", Value: "count", Quoted: true},
		{Kind: Comparison, At: 22, Column: 3, Operator: ">=", Value: "17"},
		{Kind: Word, At: 29, Value: "scan"},
		{Kind: Not},
		{Kind: Or},
		{Kind: And},
	}
	if diff := cmp.Diff(want, e.Postfix()); diff != "" {
		t.Error(diff)
	}
}

// partial is a row that does not know its age.
type partial struct{ row }

func (partial) Known(c int) bool { return c != 3 }

// TestWhatIsNotKnownMatchesNoComparison: absent is neither zero nor different from it.
func TestWhatIsNotKnownMatchesNoComparison(t *testing.T) {
	r := partial{row{"1", "running", "scan", ""}}
	for text, want := range map[string]bool{"age=0": false, "age!=0": false, "age<5": false, "age~^$": false, "!age=0": true, "id=1": true, "run": true} {
		e, err := Parse(text, fields)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Match(r); got != want {
			t.Errorf("%q matches: %v", text, got)
		}
	}
}

func TestSyntaxErrorsSayWhereAndHow(t *testing.T) {
	for _, tc := range []struct {
		filter string
		at     int
	}{
		{"(scan", 5}, {"scan)", 4}, {"color=red", 0}, {"age>old", 4}, {"age>", 4}, {"=7", 0}, {"state=", 6},
		{`op="open`, 3}, {"op~[", 3}, {"scan or", 7}, {"!", 1}, {`("open`, 1}, {strings.Repeat("(", 300), 101}, {strings.Repeat("!", 300), 101},
	} {
		_, err := Parse(tc.filter, fields)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: error %v is not a syntax error", tc.filter, err)
			continue
		}
		if syntax.At != tc.at || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%q: %v, want it at %d and with a Fix", tc.filter, err, tc.at)
		}
	}
}

// TestRegularExpressionsOfAFilterAreBounded: text~(.?){999} was matched with a log for half a minute, which Ctrl-C did not end.
func TestRegularExpressionsOfAFilterAreBounded(t *testing.T) {
	for _, tc := range []struct {
		filter string
		fine   bool
	}{
		{`op~(.?){999}`, false}, {`op~((a{30}){30})`, false}, {`op~a{300,}`, false}, {`op~` + strings.Repeat("(a?b?){99}", 1000), false},
		{strings.Repeat(`op~a{90} or `, 5) + `op~b`, false}, {`op~((a|b){1,9}c){1,5}`, true}, {`op~.{100}`, true}, {`op~"^(done|fault|yield at pc [0-9]+)$"`, true},
		{strings.Repeat(`op~done or `, 20) + `op~b`, true},
	} {
		_, err := Parse(tc.filter, fields)
		if fine := err == nil; fine != tc.fine {
			t.Errorf("%.60q: %v", tc.filter, err)
		}
		if err != nil && (!errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "Fix: use fewer or shorter repetitions")) {
			t.Errorf("%.60q: %v", tc.filter, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a and b or !(c)", `op~"x" age>=1`, "state!=paused", "((", "\x00\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s, fields)
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Fatalf("%q: untyped error %v", s, err)
			}
			return
		}
		inverted, err := Parse("!("+s+")", fields)
		if err != nil {
			return // an unquoted regular expression takes the parenthesis; an empty filter has nothing to invert
		}
		for _, r := range rows {
			if e.Match(r) == inverted.Match(r) {
				t.Fatalf("%q and its inverse agree on %v", s, r)
			}
		}
	})
}
