package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"vyretop/tasks"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// manyTasks is a target with more live tasks than are sorted at once.
func manyTasks() *fakeTarget {
	f := newFake()
	f.snap.Slots = make([]uint32, 2*pane.ManyRows*tasks.SlotWords)
	for i := range 2 * pane.ManyRows {
		w := f.slot(i)
		w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordYieldCount] = uint32(tasks.Ready), uint32(i+1), uint32(i)
	}
	return f
}

// Keys are handled while very many tasks are sorted, and none of them sorts by itself: the rows stay where they are until
// the order that was asked for last is known.
func TestKeysWhileManyTasksAreSorted(t *testing.T) {
	const last = 2 * pane.ManyRows
	for _, tc := range []struct {
		name string
		keys []string // in the meantime
		want []uint64 // first tasks afterwards
	}{
		{"a move", []string{"down"}, []uint64{5, last}},
		{"the other way round", []string{"I"}, []uint64{1, 2}},
		{"another column", []string{"<", "<", "<", "<", "<", "<", "I"}, []uint64{1, 2}},
		{"a column by its name", []string{":", "s", "o", "r", "t", "space", "i", "d", "enter"}, []uint64{1, 2}},
		{"another column first", []string{"T", "<", "I"}, []uint64{5, last}},
		{"a tree", []string{"t"}, []uint64{5, 1, last}},
		{"a filter", []string{"/", "i", "d", "<", "9", "enter"}, []uint64{5, 8, 7}},
		{"no filter", []string{"delete"}, []uint64{5, last}},
		{"a chip", []string{"F", "tab", "space"}, []uint64{5, last - 1}},
		{"a frozen view", []string{"f"}, []uint64{5, last}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := manyTasks()
			d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
			d.m.showTab(keymap.Tasks)
			d.typed(":sort -yields")
			d.keys("enter")
			shown := func(i int) uint64 { a := d.m.table().Arrange(); return a.Rows.Key(int(a.Order.Rows[i])) >> 32 }
			if got := shown(0); got != last {
				t.Fatalf("task %d is first", got)
			}
			f.mu.Lock()
			f.snap.Slots = append([]uint32(nil), f.snap.Slots...)
			f.slot(4)[tasks.WordYieldCount] = 1 << 30 // task 5 is first from now on
			f.slot(0)[tasks.WordParentTaskID] = 5
			f.slot(last - 1)[tasks.WordOpcode] = 16
			f.snap.Seq++
			f.mu.Unlock()
			d.clock = d.clock.Add(pane.ResortInterval)
			d.m.refresh()
			var work tea.Cmd
			if work = d.m.work(); work == nil {
				t.Fatal("nothing is sorted")
			}
			d.keys(tc.keys...)
			if got := shown(0); got != last || len(d.m.table().Arrange().Order.Rows) != last {
				t.Errorf("task %d is the first of %d while they are sorted", got, len(d.m.table().Arrange().Order.Rows))
			}
			d.send(work())
			for i, want := range tc.want {
				if got := shown(i); got != want {
					t.Errorf("task %d is at %d afterwards, want %d", got, i, want)
				}
			}
		})
	}
}

// What is selected is visible once a filter has hidden it: what comes behind it is selected.
func TestFilterOfManyTasksThatHidesTheSelection(t *testing.T) {
	f := manyTasks()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3", "g", "down")
	for _, tc := range []struct {
		filter string
		want   uint64
	}{{"id>1000", 1001}, {"id<1000", 999}} {
		d.keys("/", "ctrl+u")
		d.typed(tc.filter)
		d.keys("enter")
		if key, _, ok := d.m.table().Selection(); !ok || key>>32 != tc.want {
			t.Errorf("%s: task %d is selected, want %d", tc.filter, key>>32, tc.want)
		}
	}
}

// While a filter is typed the rows follow as soon as they are known; what was typed before counts no more.
func TestTypingAFilterOfManyTasks(t *testing.T) {
	f := manyTasks()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Tasks)
	d.m.table().Arrange()
	d.m.commands.openFilter()
	press := func(key string) tea.Cmd {
		d.m.modal.key(d.m, KeyPress(key))
		return d.m.work()
	}
	d.keys("ctrl+u") // sorts, and is done
	var work tea.Cmd
	for _, key := range []string{"i", "d", "=", "7"} {
		if w := press(key); w != nil {
			work = w
		}
	}
	if n := len(d.m.table().Arrange().Order.Rows); n != 2*pane.ManyRows {
		t.Errorf("%d rows before it is filtered", n)
	}
	d.send(work()) // of what was typed first, and then what was typed last
	if n := len(d.m.table().Arrange().Order.Rows); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	d.keys("enter")
	if key, _, ok := d.m.table().Selection(); !ok || key>>32 != 7 {
		t.Errorf("task %d is selected", key>>32)
	}
}

// Nothing is sorted for a view that was left in the meantime, neither by its columns nor by those of the view that came.
func TestSortingForAViewThatWasLeft(t *testing.T) {
	f := manyTasks()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("3")
	d.m.table().Arrange()
	d.m.table().Reverse()
	work := d.m.work()
	if work == nil {
		t.Fatal("nothing is sorted")
	}
	d.m.table().Reverse()
	d.keys("5")
	d.send(work())
	if d.m.table().SortsSoon() {
		t.Error("the tasks that are not shown are being sorted")
	}
	d.keys("3")
	if got := d.m.table().Arrange().Rows.Key(int(d.m.table().Arrange().Order.Rows[0])) >> 32; got != 1 {
		t.Errorf("task %d is first", got)
	}
}
