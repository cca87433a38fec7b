package tui

import (
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
)

// The help is moved through by pages and by the wheel, says how many keys it has found, and runs what is clicked.
func TestHelpIsMovedThrough(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("?")
	h := d.m.modal.(*help)
	all := len(h.all)
	d.wantOnScreen(strconv.Itoa(all) + " of " + strconv.Itoa(all))
	for _, step := range []struct {
		key  string
		want int
	}{{"pgdown", 19}, {"ctrl+f", 38}, {"pgup", 19}, {"ctrl+b", 0}, {"pgup", 0}, {"down", 1}, {"up", 0}} {
		d.keys(step.key)
		d.screen()
		if h.selected != step.want {
			t.Errorf("%s selects %d, want %d", step.key, h.selected, step.want)
		}
	}
	for range all {
		d.send(tea.MouseWheelMsg{X: 40, Y: 10, Button: tea.MouseWheelDown})
	}
	if h.selected != all-1 {
		t.Errorf("the wheel ends at %d of %d", h.selected, all)
	}
	d.typed("freeze the view")
	d.wantOnScreen("1 of " + strconv.Itoa(all))
	d.send(tea.MouseClickMsg{X: 20, Y: 2, Button: tea.MouseLeft})
	if d.m.modal != nil || d.m.frozen == nil {
		t.Errorf("a click leaves %T, frozen %v", d.m.modal, d.m.frozen != nil)
	}
	d.keys("?")
	d.send(tea.WindowSizeMsg{Width: 120, Height: 24})
	d.screen()
	d.send(tea.MouseClickMsg{X: 3, Y: 5, Button: tea.MouseLeft})
	if d.m.modal != nil {
		t.Error("a click beside the help does not close it")
	}
}

// A text that is longer than the screen is scrolled as other lists are.
func TestSheetsScroll(t *testing.T) {
	f := newFake()
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = "line " + strconv.Itoa(i)
	}
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, Explain: func(_, _ *megakernel.Snapshot) string { return strings.Join(lines, "\n") }})
	d.keys("S")
	d.screen()
	x := d.m.modal.(*sheet)
	last := len(lines) - x.page
	for _, step := range []struct {
		key  string
		want int
	}{{"G", last}, {"g", 0}, {"end", last}, {"home", 0}, {"ctrl+d", (x.page + 1) / 2}, {"ctrl+u", 0}, {"space", x.page}, {"pgup", 0}, {"up", 0}, {"down", 1}} {
		if d.keys(step.key); x.top != step.want {
			t.Errorf("%s shows row %d first, want %d", step.key, x.top, step.want)
		}
	}
	d.send(tea.MouseWheelMsg{X: 40, Y: 10, Button: tea.MouseWheelDown})
	if x.top != 1+wheelRows {
		t.Errorf("the wheel shows row %d first", x.top)
	}
}

// On a small screen the reasons of a recommendation are scrolled to.
func TestReasonsScroll(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("7")
	d.wantOnScreen("more")
	selected := d.m.launch.Selected
	if strings.Contains(d.screen(), "estimated_peak_device_bytes") {
		t.Fatal("all of it fits")
	}
	for range 20 {
		d.send(tea.MouseWheelMsg{X: 60, Y: 15, Button: tea.MouseWheelDown})
	}
	d.wantOnScreen("estimated_peak_device_bytes")
	for range 20 {
		d.keys("ctrl+y")
	}
	d.wantOnScreen("topology =")
	if d.m.launch.Selected != selected {
		t.Error("another input is selected")
	}
}

// The footer says what Enter does in each view.
func TestEnterIsNamedForWhatItDoes(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	for view, want := range map[keymap.View]string{
		keymap.Workers: "Enter details", keymap.Ring: "Enter zoom", keymap.Launch: "Enter suppose", keymap.Fairness: "Enter tasks",
	} {
		d.m.showTab(view)
		d.m.dirty = true
		d.wantOnScreen(want)
	}
	transport := &fakeTransport{end: 1, speed: 1}
	replay := newDriver(t, 120, 40, Options{Source: f, Transport: transport})
	replay.keys("7")
	replay.wantOnScreen("Nothing was compared")
}

// The one row of a very small screen has what fits, of a recording where it is.
func TestOneRowOfARecording(t *testing.T) {
	f := newFake()
	d := newDriver(t, 30, 5, Options{Source: f, Transport: &fakeTransport{at: 4 * time.Second, end: 65 * time.Second, speed: 1}})
	d.wantOnScreen("REPLAY 00:04.0", "t/s")
	d.send(tea.WindowSizeMsg{Width: 100, Height: 5})
	d.wantOnScreen("REPLAY 00:04.0/01:05.0 held")
}

func TestMarkersThatAreNotThere(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 24, Options{Source: f, Sink: f})
	for _, want := range []string{"none is, m sets one", `marker "m7" is not set, only m1`, "they are m1 to m2"} {
		if _, err := d.m.commands.execute("diff m7"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %d markers: %v, want %s", len(d.m.position.marks), err, want)
		}
		d.m.position.marks = append(d.m.position.marks, time.Duration(len(d.m.position.marks)))
	}
}

// What a target waits for is said in one line, which was cut at the border; the rows of its tables stay rows.
func TestSheetsShowLongLinesInFull(t *testing.T) {
	f := newFake()
	d := newDriver(t, 40, 24, Options{Source: f, Sink: f, Explain: func(_, _ *megakernel.Snapshot) string {
		return "stuck: 4 tasks, and only the host can let one continue; 4 wait for slot.state\n   0  parked"
	}})
	d.keys("S")
	for _, want := range []string{"stuck: 4 tasks, and only the host", "can let one continue; 4 wait for", "│ slot.state ", "│    0  parked"} {
		if !strings.Contains(d.screen(), want) {
			t.Errorf("no %q in\n%s", want, d.screen())
		}
	}
}
