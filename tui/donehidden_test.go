package tui

import (
	"testing"

	"vyretop/tasks"
)

// TestHiddenTasksAreTold: the tasks of a run that has ended were an empty table, and which filter hid them was in its title alone.
func TestHiddenTasksAreTold(t *testing.T) {
	f := newFake()
	for i := range fakeSlots {
		if w := f.slot(i); w[tasks.WordState] != uint32(tasks.Empty) {
			w[tasks.WordState] = uint32(tasks.Done)
		}
	}
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.keys("3")
	d.wantOnScreen("64 done tasks are hidden. Esc shows them, / looks for others.")
	d.keys("esc")
	d.wantNotOnScreen("are hidden")
	d.wantOnScreen("1000", "done")
}
