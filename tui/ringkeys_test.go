package tui

import (
	"testing"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// TestRingKeysActOnTheSlotUnderTheCursor: the ring has no table, so keys that asked the table for its selected row always
// said that nothing is selected.
func TestRingKeysActOnTheSlotUnderTheCursor(t *testing.T) {
	f := newFake()
	d := newDriver(t, 100, 30, Options{Source: f, Sink: f})
	d.keys("4", "l", "b", "t")
	if list := f.Breakpoints(); len(list) != 1 || list[0].Condition != "id=1001" {
		t.Errorf("b on slot 1 set %+v", list)
	}
	d.keys("p", "c", "R", "4")
	want := []megakernel.CommandOp{megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask}
	got := f.sent()
	if len(got) != len(want) {
		t.Fatalf("p, c and R sent %+v", got)
	}
	for i, c := range got {
		if c.Op != want[i] || c.Task != 1001 || c.Slot != 1 {
			t.Errorf("command %d is %+v, want %s on task 1001 in slot 1", i, c, want[i])
		}
	}
}

// TestRingKeysRefuseEmptySlots: an empty slot keeps the ID of the task that was in it.
func TestRingKeysRefuseEmptySlots(t *testing.T) {
	f := newFake()
	f.slot(0)[tasks.WordState] = uint32(tasks.Empty)
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("4", "R")
	d.wantOnScreen("requeue: slot 0 holds no task")
	d.keys("b")
	d.wantOnScreen("break: slot 0 holds no task")
	if got := f.sent(); len(got) != 0 {
		t.Errorf("sent %+v for an empty slot", got)
	}
}
