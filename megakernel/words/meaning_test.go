package words

import (
	"testing"

	"vyretop/megakernel"
)

// TestAWorkerWithATaskRuns: "worker[0].state" was "1 idle" while the worker ran a task. The device stores the slot only.
func TestAWorkerWithATaskRuns(t *testing.T) {
	for _, tt := range []struct {
		state, slot uint32
		want, alone string
	}{
		{1, megakernel.NoSlot, "idle", "idle or running"}, {1, 7, "running", "idle or running"}, {3, 7, "paused", "paused"},
		{0, megakernel.NoSlot, "absent", "absent"},
	} {
		all := make([]uint32, 2*megakernel.WorkerWords)
		at := megakernel.WorkerWords + megakernel.WkState
		all[at], all[at+megakernel.WkSlot] = tt.state, tt.slot
		if got := MeaningIn(Workers, all, at); got != tt.want {
			t.Errorf("state %d, slot %d: %q, want %q", tt.state, tt.slot, got, tt.want)
		}
		if got := Meaning(Workers, at, tt.state); got != tt.alone {
			t.Errorf("state %d alone: %q, want %q", tt.state, got, tt.alone)
		}
	}
}
