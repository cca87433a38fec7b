package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"vyretop/tasks"
	"vyretop/tui/keymap"
)

// manyTasks is a target with more live tasks than are sorted at once.
func manyTasks() *fakeTarget {
	f := newFake()
	f.snap.Slots = make([]uint32, 2*manyRows*tasks.SlotWords)
	for i := range 2 * manyRows {
		w := f.slot(i)
		w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordYieldCount] = uint32(tasks.Ready), uint32(i+1), uint32(i)
	}
	return f
}

// Keys are handled while very many tasks are sorted; an order that is no longer wanted when it is done is not shown.
func TestKeysWhileManyTasksAreSorted(t *testing.T) {
	for _, tc := range []struct {
		name string
		key  string // meanwhile
		want uint64 // first task afterwards
	}{
		{"a move", "down", 2 * manyRows},
		{"another order", "I", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := manyTasks()
			d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
			d.m.showTab(keymap.Tasks)
			d.typed(":sort -yields")
			d.keys("enter")
			first := func() uint64 { a := d.m.arrange(); return a.rows.Key(int(a.order.Rows[0])) >> 32 }
			if got := first(); got != 2*manyRows {
				t.Fatalf("task %d is first", got)
			}
			f.mu.Lock()
			f.snap.Slots = append([]uint32(nil), f.snap.Slots...)
			f.slot(4)[tasks.WordYieldCount] = 1 << 30 // task 5 is first from now on
			f.snap.Seq++
			f.mu.Unlock()
			d.clock = d.clock.Add(resort)
			d.m.refresh()
			var work tea.Cmd
			if work = d.m.resort(); work == nil {
				t.Fatal("nothing is sorted")
			}
			d.keys(tc.key)
			if got := first(); got != tc.want {
				t.Errorf("task %d is first while it is sorted, want %d", got, tc.want)
			}
			d.send(work())
			want := uint64(5)
			if tc.key == "I" {
				want = 1 // rising
			}
			if got := first(); got != want {
				t.Errorf("task %d is first afterwards, want %d", got, want)
			}
		})
	}
}

// While a filter is typed the rows follow as soon as they are known; what was typed before counts no more.
func TestTypingAFilterOfManyTasks(t *testing.T) {
	f := manyTasks()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.m.showTab(keymap.Tasks)
	d.m.arrange()
	d.m.openFilter()
	press := func(key string) tea.Cmd {
		d.m.modal.key(d.m, KeyPress(key))
		return d.m.resort()
	}
	d.keys("ctrl+u") // sorts, and is done
	var work tea.Cmd
	for _, key := range []string{"i", "d", "=", "7"} {
		if w := press(key); w != nil {
			work = w
		}
	}
	if n := len(d.m.arrange().order.Rows); n != 2*manyRows {
		t.Errorf("%d rows before it is filtered", n)
	}
	d.send(work()) // of what was typed first, and then what was typed last
	if n := len(d.m.arrange().order.Rows); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	d.keys("enter")
	if key, _, ok := d.m.selection(); !ok || key>>32 != 7 {
		t.Errorf("task %d is selected", key>>32)
	}
}
