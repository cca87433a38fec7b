package pane

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// logFrame has records with the given numbers, read a second apart; those of odd numbers say "odd".
func logFrame(inFlight uint64, numbers ...uint64) *Frame {
	f := newFrame(&megakernel.Target{Formats: []string{"even %u", "Odd %u"}}, &megakernel.Snapshot{Seq: 1, Taken: time.Minute, InFlight: inFlight}, new(history.History))
	for i, n := range numbers {
		f.Log = append(f.Log, megakernel.LogRecord{Number: n, Format: uint32(n % 2), ArgCount: 1, Args: [4]uint32{uint32(n)}})
		f.LogAt = append(f.LogAt, time.Minute-time.Duration(len(numbers)-1-i)*time.Second)
	}
	return f
}

func messages(v *Log, o *Order) []string {
	var out []string
	for i, row := range o.Rows {
		text, _ := v.Append(nil, int(row), lgText)
		mark := ""
		if !o.matches(i) {
			mark = "("
		}
		out = append(out, mark+string(text))
	}
	return out
}

// Records that are missing and records that are not written yet have rows of their own.
func TestLogAccountsForWhatIsMissing(t *testing.T) {
	v := NewLog(logFrame(2, 4, 5, 9), 0)
	o := Arrange(v, &TableState{}, nil)
	want := []string{"even 4", "Odd 5", "3 records are missing here: overwritten, or too fast to show", "Odd 9", "2 in flight: reserved by a worker, not written yet"}
	if diff := cmp.Diff(want, messages(v, &o)); diff != "" {
		t.Error(diff)
	}
	var keys []uint64
	for i := range v.Len() {
		keys = append(keys, v.Key(i))
	}
	slices.Sort(keys)
	if len(slices.Compact(keys)) != v.Len() {
		t.Errorf("keys %v are not unique", keys)
	}
}

func TestLogWindow(t *testing.T) {
	v := NewLog(logFrame(0, 1, 2, 3, 4), 2*time.Second)
	o := Arrange(v, &TableState{}, nil)
	if diff := cmp.Diff([]string{"even 2", "Odd 3", "even 4"}, messages(v, &o)); diff != "" {
		t.Error(diff)
	}
}

// Filter hides what does not match, search keeps it, context keeps what is near.
func TestContextOfMatches(t *testing.T) {
	f := logFrame(0, 0, 1, 2, 3, 4, 5, 6, 7)
	for i := range f.Log {
		f.Log[i].Format = 0
	}
	f.Log[3].Format, f.Log[7].Format = 1, 1
	v := NewLog(f, 0)
	e, err := filter.Parse("odd", FieldNames(v.Columns()))
	if err != nil {
		t.Fatal(err)
	}
	for context, want := range map[int]string{
		0:       "Odd 3, Odd 7",
		1:       "(even 2, Odd 3, (even 4, (even 6, Odd 7",
		2:       "(even 1, (even 2, Odd 3, (even 4, (even 5, (even 6, Odd 7",
		AllRows: "(even 0, (even 1, (even 2, Odd 3, (even 4, (even 5, (even 6, Odd 7",
	} {
		o := Arrange(v, &TableState{Filter: e, FilterText: "odd", Context: context}, nil)
		if got := strings.Join(messages(v, &o), ", "); got != want {
			t.Errorf("context %d: %s, want %s", context, got, want)
		}
	}
}

func TestMatchesAreMarked(t *testing.T) {
	v := NewLog(logFrame(0, 7), 0)
	e, err := filter.Parse("DD", FieldNames(v.Columns()))
	if err != nil {
		t.Fatal(err)
	}
	s := &TableState{Filter: e, FilterText: "DD"}
	o := Arrange(v, s, nil)
	var b cells.Buffer
	b.Resize(80, 3)
	look().DrawTable(b.Area(cells.Rect{W: 80, H: 3}), v, &o, s, "")
	marked := ""
	for _, c := range b.Row(1) {
		if c.Style == theme.Match {
			marked += string(c.Rune)
		}
	}
	if marked != "dd" {
		t.Errorf("marked %q, want the letters that were found", marked)
	}
}

// The counts of a log that is too fast for any host are whole on the smallest complete screen.
func TestCountsOfAFastLogFit(t *testing.T) {
	f := logFrame(0, 4, 5)
	f.Snap.LogCursor, f.Snap.LogLost, f.LogSkipped = 325_912_441, 315_976_362, 322_091_132
	got := paint(80, 5, func(a cells.Area) { look().DrawLogTail(a, f, Tail{}) })
	for _, want := range []string{"325912441 written", "315976362 lost", "322091132 not shown"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

// TestALogThatIsOffSaysSo: it was said that the kernel's events appear there.
func TestALogThatIsOffSaysSo(t *testing.T) {
	f := logFrame(0, 0, 0)
	f.Log, f.Snap.Logging = nil, megakernel.Logging{Every: 1}
	got := paint(80, 5, func(a cells.Area) { look().DrawLogTail(a, f, Tail{}) })
	if !strings.Contains(got, "The debug log is off: :log all turns it on.") {
		t.Error(got)
	}
}

// TestLogWindowSaysWhatIsWrong: a negative duration was said not to be one.
func TestLogWindowSaysWhatIsWrong(t *testing.T) {
	for typed, want := range map[string]string{"-5s": "-5s is negative", "soon": "soon is not a duration"} {
		if err := new(logPane).typedWindow([]string{typed}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", typed, err, want)
		}
	}
}
