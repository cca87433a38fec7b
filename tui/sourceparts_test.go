package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// openFaulted shows the source of the faulted task of a fake, in the view of tasks.
func openFaulted(t *testing.T, w, h int, o Options) *driver {
	t.Helper()
	x := newFakeKernel(t)
	if o.Source = x; o.Transport == nil {
		o.Sink = x.fakeTarget
	}
	d := newDriver(t, w, h, o)
	d.keys("3")
	d.filterBy("state=faulted")
	d.keys("down", "enter")
	d.wantOnScreen("Source  task 1013")
	return d
}

// sourceRows are the rows below the heading of the source view, down to the footer.
func (d *driver) sourceRows() []string {
	d.t.Helper()
	rows := strings.Split(strings.TrimRight(d.screen(), "\n"), "\n")
	for i, row := range rows {
		if strings.HasPrefix(row, "Source  task") {
			return rows[i+1 : len(rows)-1]
		}
	}
	d.t.Fatalf("no source is shown:\n%s", d.screen())
	return nil
}

// TestStateThatIsCutHasAMark: at 80x24 the last variables and the calls were missing without a sign.
func TestStateThatIsCutHasAMark(t *testing.T) {
	d := openFaulted(t, 80, 24, Options{})
	d.keys("n", "n", "s") // two calls are open
	for i := range 6 {
		d.keys("i")
		d.typed(fmt.Sprintf("x + %du", i))
		d.keys("enter")
	}
	d.wantNotOnScreen("1 count")
	rows := d.sourceRows()
	if last := strings.TrimRight(rows[len(rows)-1], " "); !strings.HasSuffix(last, "…") {
		t.Errorf("the last row is %q", last)
	}
	d.keys("v", "v") // all of the state
	d.wantOnScreen("0 twice", "1 count count.glsl:11")
	for _, row := range d.sourceRows() {
		if strings.HasSuffix(strings.TrimRight(row, " "), "…") {
			t.Errorf("nothing is cut, and %q is marked", row)
		}
	}
}

// TestDisplayModesOfTheSourceLeaveNoRowEmpty: the source stayed scrolled to its end with empty rows below, and the state alone left most
// of its place empty.
func TestDisplayModesOfTheSourceLeaveNoRowEmpty(t *testing.T) {
	d := openFaulted(t, 80, 24, Options{})
	d.keys("G")
	for range 3 {
		rows := d.sourceRows()
		d.wantOnScreen(" 15")
		for i, row := range rows {
			// the file has 15 lines, of which lines 6 and 15 are empty but for their numbers
			if strings.TrimSpace(row) == "" {
				t.Errorf("row %d of %d is empty:\n%s", i, len(rows), d.screen())
			}
		}
		d.keys("v")
	}
}

// TestFooterOfTheSourceBeginsWithItsKeys: in a recording, keys of the recording left no room for those of the debugger.
func TestFooterOfTheSourceBeginsWithItsKeys(t *testing.T) {
	d := openFaulted(t, 80, 24, Options{Transport: &fakeTransport{end: time.Minute, speed: 1}})
	d.wantOnScreen("\n n next  s step  o out  c continue")
	d.keys("3")
	d.wantOnScreen("\n Space play")
}

// TestHoldIsOfferedWhereTheRunCanBeSteered: K was offered in recordings, which have no run that could hold a task.
func TestHoldIsOfferedWhereTheRunCanBeSteered(t *testing.T) {
	d := openFaulted(t, 160, 24, Options{})
	d.wantOnScreen("K hold")
	d.keys("K")
	d.wantOnScreen(":bp count.glsl:9")
	d = openFaulted(t, 160, 24, Options{Transport: &fakeTransport{end: time.Minute, speed: 1}})
	d.wantOnScreen("b break")
	d.wantNotOnScreen("K hold")
	d.keys("K")
	d.wantNotOnScreen(":bp")
}

// TestQuitLeavesTheDebugger: it printed "quit" and left the task open.
func TestQuitLeavesTheDebugger(t *testing.T) {
	for _, name := range []string{"quit", "q", "exit"} {
		d := openFaulted(t, 80, 24, Options{})
		d.keys("n", ";")
		d.typed(name)
		d.keys("enter")
		d.wantOnScreen("Tasks  1/", "1013")
		d.keys("`")
		d.wantOnScreen("No task is open")
		d.keys("3", "enter")
		d.wantOnScreen("Source  task 1013", "=>   9")
	}
}
