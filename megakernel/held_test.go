package megakernel

import (
	"slices"
	"testing"

	"vyretop/tasks"
)

func TestStoppedListsHeldTasksBeforeFaultedOnes(t *testing.T) {
	s := &Snapshot{Slots: make([]uint32, 6*tasks.SlotWords)}
	set := func(slot int, state tasks.State, epoch, flags uint32) {
		w := s.Slot(slot)
		w[tasks.WordState], w[tasks.WordResumeEpoch], w[tasks.WordFlags] = uint32(state), epoch, flags
	}
	set(0, tasks.Ready, 0, 0)
	set(1, tasks.Faulted, 0, 0)
	set(2, tasks.Paused, HeldEpoch, tasks.FlagHalted)
	set(3, tasks.Paused, 7, 0)
	set(4, tasks.Paused, HeldEpoch, 0) // the kernel has paused it, no breakpoint
	set(5, tasks.Paused, HeldEpoch, tasks.FlagHalted)
	if got := s.Stopped(); !slices.Equal(got, []int{2, 5, 1}) {
		t.Errorf("stopped slots are %v, want 2, 5 and 1", got)
	}
}
