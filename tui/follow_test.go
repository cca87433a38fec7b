package tui

import (
	"testing"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
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
