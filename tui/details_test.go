package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
)

// detailPlace is where details are on the screen.
func (d *driver) detailPlace() cells.Rect {
	l := d.m.layout()
	if d.m.details.reading() {
		return l.Main
	}
	return cells.Rect{X: l.Detail.X + 3, Y: l.Detail.Y, W: l.Detail.W - 3, H: l.Detail.H}
}

// details are the rows of the details on the screen.
func (d *driver) details() []string {
	d.m.dirty = true
	d.m.View()
	return strings.Split(d.m.canvas.Area(d.detailPlace()).String(), "\n")
}

// readDetails scrolls from the start of the details to their end, and joins what it sees but for the title, which says
// how much there is above and below.
func (d *driver) readDetails(t *testing.T) []string {
	t.Helper()
	seen := d.details()[1:]
	for n := 0; ; n++ {
		was := d.m.details.top
		d.m.details.scrollDetails(1)
		rows := d.details()
		if d.m.details.top == was {
			return seen
		}
		seen = append(seen, rows[len(rows)-1])
		above, below := d.m.details.top, d.m.details.rows-d.m.details.page-d.m.details.top
		if !strings.Contains(rows[0], fmt.Sprintf("▲%d", above)) || strings.Contains(rows[0], fmt.Sprintf("▼%d more", below)) == (below == 0) {
			t.Fatalf("%d rows above and %d below: %q", above, below, rows[0])
		}
	}
}

// Details that are longer than their pane can be read in full at every size: scrolled through, they are what a pane as
// long as them shows.
func TestDetailsCanBeReadInFull(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	for range 3 {
		f.advance()
		d.update()
	}
	scrolled := 0
	for _, v := range viewNames() {
		for _, size := range []struct{ w, h int }{{40, 8}, {80, 24}, {79, 23}, {120, 24}, {130, 12}, {120, 40}, {250, 80}} {
			for _, expanded := range []bool{false, true} {
				d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
				d.m.showTab(v)
				d.m.expanded = expanded
				d.keys("down", "up")
				if d.m.shown().Spec().Detail == nil || d.detailPlace().Empty() || d.m.layout().Detail.Empty() && !expanded {
					continue
				}
				d.m.details.top = 0
				seen := d.readDetails(t)
				var whole cells.Buffer
				w, h := d.detailPlace().W, 1+len(seen)
				whole.Resize(w, h+50)
				if rows := d.m.shown().Spec().Detail(whole.Area(cells.Rect{W: w, H: h + 50})); rows != d.m.details.rows || rows > h {
					t.Fatalf("%v at %v, in full %v: %d rows, %d in a pane, of which %d can be seen", v, size, expanded, rows, d.m.details.rows, h)
				}
				seen = append(seen, slices.Repeat([]string{strings.Repeat(" ", w)}, 50)...)
				if diff := cmp.Diff(strings.Split(whole.String(), "\n")[1:], seen); diff != "" {
					t.Fatalf("%v at %v, in full %v: %s", v, size, expanded, diff)
				}
				if d.m.details.top > 0 {
					scrolled++
				}
			}
		}
	}
	if scrolled < 10 {
		t.Errorf("only %d were longer than their pane", scrolled)
	}
}

// Pages scroll details in full, Ctrl-E and Ctrl-Y all of them; arrows continue to another row, which begins at its start.
func TestKeysScrollDetails(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	for range 12 { // records in the log
		f.advance()
	}
	d.update()
	d.keys("2", "down", "enter")
	top := func(want int, after string) {
		t.Helper()
		d.details()
		if d.m.details.top != want {
			t.Errorf("%d rows are scrolled away after %s, want %d", d.m.details.top, after, want)
		}
	}
	top(0, "Enter")
	page, last := d.m.details.page, d.m.details.rows-d.m.details.page
	if last <= page/2 {
		t.Fatalf("%d rows below a page of %d", last, page)
	}
	for _, step := range []struct {
		key  string
		want int
	}{
		{"ctrl+e", 3}, {"ctrl+y", 0}, {"ctrl+y", 0}, {"ctrl+d", page / 2}, {"ctrl+u", 0}, {"pgdown", min(page-1, last)},
		{"pgup", 0}, {"G", last}, {"g", 0}, {"end", last}, {"home", 0}, {"ctrl+e", 3}, {"down", 0}, {"ctrl+e", 3}, {"up", 0},
	} {
		d.keys(step.key)
		top(step.want, step.key)
	}
}

// The wheel scrolls details under the pointer, beside a table and in full, and the selection stays.
func TestWheelScrollsDetails(t *testing.T) {
	f := newFake()
	for _, size := range []struct{ w, h int }{{120, 24}, {80, 24}} {
		d := newDriver(t, size.w, size.h, Options{Source: f, Sink: f})
		d.keys("2", "down")
		if size.w == 80 {
			d.keys("enter")
		}
		first, selected := d.details(), d.m.pane(keymap.Workers).Table().Selected
		at := d.detailPlace()
		d.send(tea.MouseWheelMsg{X: at.X + 5, Y: at.Y + 2, Button: tea.MouseWheelDown})
		rows := d.details()
		if d.m.pane(keymap.Workers).Table().Selected != selected || !slices.Equal(first[1+detailRows:], rows[1:len(rows)-detailRows]) {
			t.Errorf("%v, worker %d: %q", size, d.m.pane(keymap.Workers).Table().Selected, rows)
		}
		d.send(tea.MouseWheelMsg{X: at.X + 5, Y: at.Y + 2, Button: tea.MouseWheelUp})
		if diff := cmp.Diff(first, d.details()); diff != "" {
			t.Errorf("%v: %s", size, diff)
		}
	}
}

// TestEnterHasATask: a task is selected at first, and one in sight when the selected one has ended.
func TestEnterHasATask(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "enter")
	d.wantOnScreen("Task 1000  slot 0")
	d.keys("esc", "j")
	f.mu.Lock()
	f.slot(1)[tasks.WordTaskID] = 77
	f.mu.Unlock()
	f.advance()
	d.update()
	d.keys("p")
	d.wantOnScreen("nothing to pause is selected")
	d.keys("esc", "enter")
	d.wantOnScreen("Task 77  slot 1")
}
