package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// + and - change how often the target is looked at, within bounds, and say so.
func TestRefreshIntervalByKeys(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, FPS: 10})
	for _, step := range []struct {
		key  string
		want time.Duration
	}{{"+", 200 * time.Millisecond}, {"=", 300 * time.Millisecond}, {"-", 200 * time.Millisecond}, {"-", 100 * time.Millisecond}, {"-", 100 * time.Millisecond}} {
		d.keys(step.key)
		if got := d.m.feed.delay(); got != step.want {
			t.Errorf("after %s the target is looked at every %v, want %v", step.key, got, step.want)
		}
		d.wantOnScreen("refresh every " + step.want.String())
	}
}

// A terminal that reports that it has lost the focus is drawn twice a second at most, until it has it again.
func TestBlurredTerminalIsDrawnLessOften(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	before := d.m.feed.delay()
	d.send(tea.BlurMsg{})
	if got := d.m.feed.delay(); got < 500*time.Millisecond {
		t.Errorf("drawn every %v without focus", got)
	}
	d.send(tea.FocusMsg{})
	if got := d.m.feed.delay(); got != before {
		t.Errorf("drawn every %v afterwards, want %v", got, before)
	}
}

// What is pasted is text for an input and nothing else: no key of the dashboard, and no end of the line.
func TestPasteIsTextForInputs(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3")
	d.send(tea.PasteMsg{Content: "qP"})
	if d.quit || d.m.modal != nil || len(f.sent()) > 0 {
		t.Error("what is pasted beside an input does something")
	}
	d.keys("/", "ctrl+u")
	d.send(tea.PasteMsg{Content: "state=paused\n"})
	d.wantOnScreen("7/64  /state=paused")
	if _, typing := d.m.modal.(*input); !typing {
		t.Error("a pasted end of line ends the input")
	}
}

// Another size of the terminal keeps what is selected, and keeps it in sight.
func TestResizeKeepsTheSelection(t *testing.T) {
	f := newFake()
	d := newDriver(t, 200, 60, Options{Source: f, Sink: f})
	d.keys("3", "g", "ctrl+f")
	want, _, ok := d.m.table().Selection()
	if !ok {
		t.Fatal("nothing is selected")
	}
	for _, size := range [][2]int{{80, 24}, {60, 10}, {120, 40}, {200, 60}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		got, _, _ := d.m.table().Selection()
		at, _ := d.m.table().Arrange().Order.Position(d.m.table().Arrange().Rows, &d.m.table().TableState)
		if top := d.m.table().Top; got != want || at < top || at >= top+d.m.pageRows() {
			t.Errorf("at %v task %d is selected, at %d of rows %d and below; want task %d", size, got>>32, at, top, want>>32)
		}
	}
}
