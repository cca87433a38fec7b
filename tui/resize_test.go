package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/layout"
)

// A drag of a border gives its pane another size, which stays until the dashboard is left, also when the pointer
// leaves the border on the way.
func TestDragOfBordersResizesPanes(t *testing.T) {
	f := newFake()
	d := newDriver(t, 200, 60, Options{Source: f, Sink: f})
	before := d.m.layout()
	drag := func(from, to [2]int) {
		d.click(from[0], from[1])
		d.send(tea.MouseMotionMsg{X: (from[0] + to[0]) / 2, Y: 1, Button: tea.MouseLeft})
		d.send(tea.MouseMotionMsg{X: to[0], Y: to[1], Button: tea.MouseLeft})
		d.send(tea.MouseReleaseMsg{X: to[0], Y: to[1], Button: tea.MouseLeft})
		d.send(tea.MouseMotionMsg{X: 3, Y: 3, Button: tea.MouseLeft}) // of another button's drag
	}
	drag([2]int{before.Detail.X, 20}, [2]int{80, 25})
	if got := d.m.layout().Detail; got.X != 80 {
		t.Errorf("the details begin at %d, not at 80", got.X)
	}
	drag([2]int{10, before.Log.Y}, [2]int{30, before.Log.Y - 5})
	if got := d.m.layout().Log; got.H != before.Log.H+5 {
		t.Errorf("the log has %d rows, not %d", got.H, before.Log.H+5)
	}
	strip := d.m.layout().Strip
	drag([2]int{10, strip.Y}, [2]int{10, strip.Y + 2})
	if got := d.m.layout().Strip; got.H != strip.H-2 {
		t.Errorf("the strip has %d rows, not %d", got.H, strip.H-2)
	}
	drag([2]int{80, 20}, [2]int{0, 20})
	if got := d.m.layout(); got.Detail.W != 200*layout.MaxDetail/100 || got.Main.Empty() {
		t.Errorf("details of %d columns", got.Detail.W)
	}
	d.keys("3", "1")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if got := d.m.layout(); got.Main.H < 6 {
		t.Errorf("the table has %d rows of 24", got.Main.H)
	}
}

// Keys and a command do the same.
func TestPanesByKeysAndCommand(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	was := d.m.layout()
	d.keys("|", "|")
	if got := d.m.layout().Detail.W; got <= was.Detail.W {
		t.Errorf("details of %d columns, before %d", got, was.Detail.W)
	}
	d.keys("^")
	if got := d.m.layout().Log.H; got != was.Log.H+2 {
		t.Errorf("a log of %d rows, before %d", got, was.Log.H)
	}
	for range 12 {
		d.keys("\\", "_")
	}
	if got := d.m.layout(); !got.Detail.Empty() || !got.Log.Empty() {
		t.Errorf("still there: %+v", got)
	}
	d.keys("|", "^")
	if got := d.m.layout(); got.Detail != was.Detail || got.Log != was.Log {
		t.Errorf("shown again as %+v and %+v", got.Detail, got.Log)
	}
	d.typed(":layout detail=50% log=off")
	d.keys("enter")
	if got := d.m.layout(); got.Detail.W != 60 || !got.Log.Empty() {
		t.Errorf("details of %d columns, log %+v", got.Detail.W, got.Log)
	}
	d.typed(":layout detail=auto log=auto")
	d.keys("enter")
	if got := d.m.layout(); got.Detail != was.Detail || got.Log != was.Log {
		t.Errorf("automatic: %+v and %+v", got.Detail, got.Log)
	}
	for _, bad := range []string{"layout", "layout side=3", "layout detail=76", "layout log=0", "layout log=x"} {
		if _, err := d.m.commands.execute(bad); err == nil {
			t.Errorf(":%s is not an error", bad)
		}
	}
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.keys("|")
	d.wantOnScreen("detail pane not shown")
}
