package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

func (d *driver) click(x, y int) {
	d.t.Helper()
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// find is where a text is on screen.
func (d *driver) find(text string) (x, y int) {
	d.t.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)), y
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.screen())
	return 0, 0
}

func TestClickSelectsAndDoubleClickOpens(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	_, y := d.find("2 ○ idle")
	d.click(20, y)
	if key, _, _ := d.m.table().Selection(); key != 2 || d.m.expanded {
		t.Errorf("selected %d, details %v", key, d.m.expanded)
	}
	d.clock = d.clock.Add(time.Second)
	d.click(20, y)
	if d.m.expanded {
		t.Error("two slow clicks open the details")
	}
	d.clock = d.clock.Add(doubleClick / 2)
	d.click(20, y)
	d.wantOnScreen("Worker 2  idle", "idle passes")
}

func TestClickOnTabsHeadsAndKeys(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.click(d.find("3tasks"))
	if d.m.tab != keymap.Tasks {
		t.Fatalf("tab %v", d.m.tab)
	}
	head, y := d.find("yields")
	d.click(head, y)
	d.wantOnScreen("by yields")
	d.click(head, y)
	d.wantOnScreen("by yields down")
	d.click(d.find("? help"))
	d.wantOnScreen("Keys in tasks")
	d.click(1, 1)
	d.wantOnScreen("Keys in tasks")
	d.keys("esc")
	d.click(d.find("q quit"))
	if !d.quit {
		t.Error("clicking quit does not quit")
	}
}

func TestWheelMovesTheSelection(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "j")
	before, _, _ := d.m.table().Selection()
	d.send(tea.MouseWheelMsg{X: 5, Y: 12, Button: tea.MouseWheelDown})
	after, _, _ := d.m.table().Selection()
	idBefore, _ := pane.SplitTaskKey(before)
	idAfter, _ := pane.SplitTaskKey(after)
	if idAfter != idBefore+wheelRows {
		t.Errorf("from task %d to %d", idBefore, idAfter)
	}
	d.send(tea.MouseWheelMsg{X: 5, Y: 0, Button: tea.MouseWheelUp})
	if now, _, _ := d.m.table().Selection(); now != after {
		t.Error("the wheel over the header moved the table")
	}
}

func TestScrubByMouse(t *testing.T) {
	player := &fakeTransport{end: 60 * time.Second, speed: 1}
	d := newDriver(t, 80, 24, Options{Source: newFake(), Transport: player})
	row := d.m.layout().Scrub
	for _, tc := range []struct {
		x    int
		want time.Duration
	}{{0, 0}, {9, 0}, {79, 60 * time.Second}, {39, 30 * time.Second}} {
		d.click(tc.x, row.Y)
		if diff := player.at - tc.want; diff.Abs() > time.Second {
			t.Errorf("click at %d seeks to %v, want about %v", tc.x, player.at, tc.want)
		}
	}
	d.send(tea.MouseMotionMsg{X: 79, Y: row.Y, Button: tea.MouseLeft})
	if player.at != 60*time.Second {
		t.Errorf("dragging seeks to %v", player.at)
	}
}

func TestMouseCanBeLeftToTheTerminal(t *testing.T) {
	d := newDriver(t, 80, 24, Options{Source: newFake()})
	if d.m.View().MouseMode == tea.MouseModeNone {
		t.Error("mouse is off by default")
	}
	d.keys("M")
	if d.m.View().MouseMode != tea.MouseModeNone {
		t.Error("M does not give the mouse back")
	}
	if newDriver(t, 80, 24, Options{Source: newFake(), Without: Without{Mouse: true}}).m.View().MouseMode != tea.MouseModeNone {
		t.Error("mouse is on although not wanted")
	}
}

// The right button selects the row and lists what can be done with it; Enter there does it.
func TestRightClickOpensTheMenu(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	_, y := d.find("2 ○ idle")
	d.send(tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseRight})
	d.wantOnScreen("What to do with this in overview", "Enter details", "p     pause")
	d.keys("p")
	if got := f.sent(); len(got) != 1 || got[0].Worker != 2 {
		t.Errorf("sent %+v", got)
	}
	watcher := newDriver(t, 80, 24, Options{Source: f})
	for _, v := range viewNames() {
		watcher.m.showTab(v)
		main := watcher.m.layout().Main
		watcher.send(tea.MouseClickMsg{X: main.X + 8, Y: main.Y + 4, Button: tea.MouseRight})
		x, ok := watcher.m.modal.(*menu)
		if !ok {
			t.Fatalf("%v: %T", v, watcher.m.modal)
		}
		for _, item := range x.items {
			if b := watcher.m.chrome.keys.ByID(item.label); b.Writes {
				t.Errorf("%v: who may only watch is offered to %s", v, b.ID)
			}
		}
		watcher.keys("?")
		watcher.wantOnScreen("Keys in " + string(v))
		watcher.keys("esc")
	}
}

// A cell of the ring's map is selected by a click and gone into by a second one; the head of a launch
// input is none of it.
func TestClickOnTheMap(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("4")
	r := d.m.ring.Map()
	place := pane.MapArea(d.m.layout().Main)
	at := func(slot int) (x, y int) {
		for y := range r.Rows {
			for x := range place.W {
				if got, ok := r.At(x, y); ok && got == slot {
					return place.X + x, place.Y + y
				}
			}
		}
		t.Fatalf("slot %d has no cell", slot)
		return 0, 0
	}
	x, y := at(13)
	d.click(x, y)
	if d.m.ring.Cursor != 13 || d.m.expanded {
		t.Errorf("slot %d is selected, details %v", d.m.ring.Cursor, d.m.expanded)
	}
	d.click(x, y)
	d.wantOnScreen("Slot 13", "faulted", "task_id")
}

// Chips and the names of their kinds are pressed, with the keys' bar open and without; the right button shows one kind
// only.
func TestClickOnChips(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3")
	want := func(filter string) {
		t.Helper()
		if got := d.m.table().FilterText; got != filter {
			t.Errorf("the filter is %q, want %q", got, filter)
		}
	}
	d.click(d.find("paused  faulted"))
	want("!state=done !state=paused")
	d.click(d.find("paused  faulted"))
	want("!state=done")
	d.click(d.find("op 2"))
	d.wantOnScreen("state 5/6   op:  scan  merge")
	x, y := d.find("merge   prio")
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseRight})
	want("!state=done op=merge")
	if d.m.modal != nil {
		t.Error("a menu is open")
	}
	d.keys("F")
	d.click(d.find("scan  merge"))
	want("!state=done")
	d.click(d.find("prio:"))
	if _, open := d.m.modal.(*chipBar); !open {
		t.Error("a click on the chips closes their bar")
	}
	d.click(5, 12)
	if d.m.modal != nil {
		t.Error("a click beside the chips does not close their bar")
	}
}

// The wheel moves what is under the pointer: the log below a table, which stays there while records come, the bar of
// time, the tabs.
func TestWheelMovesWhatIsUnderThePointer(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3")
	wheel := func(at string, button tea.MouseButton) {
		t.Helper()
		_, y := d.find(at)
		d.send(tea.MouseWheelMsg{X: 5, Y: y, Button: button})
	}
	d.wantOnScreen("#1039")
	wheel("log  40 written", tea.MouseWheelUp)
	d.wantOnScreen("#1036", "#1033", "3 below")
	d.wantNotOnScreen("#1037")
	f.advance()
	d.update()
	d.wantOnScreen("#1036", "4 below")
	wheel("log  41 written", tea.MouseWheelDown)
	wheel("log  41 written", tea.MouseWheelDown)
	d.wantOnScreen("#1040")
	d.wantNotOnScreen("below")
	wheel("kept", tea.MouseWheelUp)
	if !d.m.position.scrub.looking {
		t.Error("the wheel over the bar of time does not go back")
	}
	wheel("past", tea.MouseWheelDown)
	if d.m.position.scrub.looking {
		t.Error("the wheel does not come back to now")
	}
	wheel("3 tasks", tea.MouseWheelDown)
	if d.m.tab != keymap.Ring {
		t.Errorf("view %v", d.m.tab)
	}
}
