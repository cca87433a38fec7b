package tui

import (
	"testing"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// TestEnterGoesWhereItHappened: from an event to its task, or to its worker where the task is gone, and from a fault in
// the log in the same way. What has no place shows its details.
func TestEnterGoesWhereItHappened(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	index, length := uint32(301), uint32(300)
	f.events = append(f.events,
		megakernel.HostEvent{Kind: megakernel.EventUndefined, Text: "a.glsl:3:5: read out of range", Place: &megakernel.Place{
			Task: 1005, Worker: 2, Source: "a.glsl:3:5", Handler: "scan", Index: &index, Len: &length,
		}},
		megakernel.HostEvent{Kind: megakernel.EventUndefined, Text: "a.glsl:3:5: read out of range", Place: &megakernel.Place{Task: 999_999, Worker: 2}},
	)
	f.run(d, 1)
	events := func(row int) {
		d.m.expanded = false
		d.m.showTab(keymap.Events)
		d.m.table().Selected, d.m.table().HasSelected = uint64(row), true
	}
	events(1)
	d.keys("enter")
	if d.m.tab != keymap.Tasks || !d.m.expanded {
		t.Errorf("the view is %v", d.m.tab)
	}
	d.wantOnScreen("1005")
	events(2)
	d.keys("enter")
	if d.m.tab != keymap.Workers {
		t.Errorf("of a task that is gone the view is %v", d.m.tab)
	}
	events(0)
	d.keys("enter")
	if d.m.tab != keymap.Events || !d.m.expanded {
		t.Errorf("of an event without a place the view is %v", d.m.tab)
	}
}

// Enter on any record of the log goes to the task that it names, or to its worker where the task has ended; e shows the record in full.
func TestEnterInTheLogGoesToTheTask(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	f.addLog()
	f.log[len(f.log)-1].Task = 999_999 // has ended
	f.run(d, 1)
	for _, tt := range []struct {
		what string
		task uint32
		key  string
		want keymap.View
	}{
		{"a message", 1035, "enter", keymap.Tasks},
		{"a yield", 1036, "enter", keymap.Tasks},
		{"a fault", 1033, "enter", keymap.Tasks},
		{"a task that has ended", 999_999, "enter", keymap.Workers},
		{"in full", 1036, "e", keymap.Log},
	} {
		d.m.expanded = false
		d.m.showTab(keymap.Log)
		rows := d.m.table().Arrange().Rows.(*pane.Log)
		for row := range rows.Len() {
			if r, ok := rows.Record(row); ok && r.Task == tt.task {
				d.m.table().Selected, d.m.table().HasSelected = rows.Key(row), true
			}
		}
		d.keys(tt.key)
		if d.m.tab != tt.want || !d.m.expanded {
			t.Errorf("%s: the view is %v, in full %v", tt.what, d.m.tab, d.m.expanded)
		}
		if tt.want == keymap.Tasks {
			if id, _ := pane.SplitTaskKey(d.m.table().Selected); id != tt.task {
				t.Errorf("%s: task %d is selected, want %d", tt.what, id, tt.task)
			}
		}
	}
}
