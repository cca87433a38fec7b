package resident

import (
	"testing"

	"vyretop/megakernel"
)

// A snapshot is torn by what busy workers did while it was read. A worker that has gone from one step to the
// next was busy, though it was seen idle twice; a busy one whose table is far tells of fewer passes than it made.
func TestPassesWhileBusy(t *testing.T) {
	type observation struct {
		slot      uint32
		heartbeat uint32
		step      uint32
	}
	record := func(m observation) []uint32 {
		r := make([]uint32, megakernel.WorkerWords)
		r[megakernel.WkState], r[megakernel.WkSlot] = uint32(megakernel.WorkerIdle), m.slot
		r[megakernel.WkHeartbeat], r[megakernel.WkStepSlot] = m.heartbeat, m.step
		return r
	}
	for name, tc := range map[string]struct {
		before, after observation
		near, far     uint32
	}{
		"idle":          {observation{megakernel.NoSlot, 10, 0}, observation{megakernel.NoSlot, 15, 0}, 0, 0},
		"busy":          {observation{3, 10, 0}, observation{3, 13, 0}, 3, 3},
		"became busy":   {observation{megakernel.NoSlot, 10, 0}, observation{3, 11, 0}, 1, 1},
		"became idle":   {observation{3, 10, 0}, observation{megakernel.NoSlot, 12, 0}, 2, 2},
		"stepped":       {observation{megakernel.NoSlot, 10, 1}, observation{megakernel.NoSlot, 14, 2}, 4, 4},
		"no pass seen":  {observation{3, 10, 0}, observation{3, 10, 0}, 0, 1},
		"counter wraps": {observation{3, 1<<32 - 1, 0}, observation{3, 1, 0}, 2, 2},
	} {
		before, after := record(tc.before), record(tc.after)
		if near, far := passesWhileBusy(before, after, false), passesWhileBusy(before, after, true); near != tc.near || far != tc.far {
			t.Errorf("%s: %d passes, and %d of a table that is far, want %d and %d", name, near, far, tc.near, tc.far)
		}
	}
}
