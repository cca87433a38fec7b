package resident_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// A spawn stores the id of its task before the state: a command that came between saw the new id with
// the old state of the slot, and was told that the task had finished. The parent has a child in each
// epoch, in the next slot, and the child never ends.
func TestCommandForATaskBeingSpawned(t *testing.T) {
	const family = `
void parent(inout Task t) {
    if (vt_epoch() != 0u) { task_spawn(t, 17u, PRIORITY_LOW, 0u, 0u, 0u); }
    task_pause(t, vt_epoch() + 1u, 0u, 0u);
}
void child(inout Task t) { task_pause(t, HELD_EPOCH, 0u, 0u); }
`
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		const children = 1000
		k := assembleWith(t, b, kernel.Config{WorkgroupSize: 8, Slots: 2 * children}, family, "parent", "child")
		s := start(t, b, k, resident.Options{Workers: 2})
		publish(t, s, one(opWork, nil))
		awaitImport(t, s)
		for i := range uint32(children) {
			c := megakernel.Command{Op: megakernel.OpReprioritize, Task: megakernel.SpawnedIDBase + i, Slot: 1 + i, Arg: uint32(tasks.Low)}
			if err := s.AdvanceEpoch(deadline(t)); err != nil {
				t.Fatal(err)
			}
			ack := do(t, s, c)
			for ack.Result == megakernel.AckNotFound {
				ack = do(t, s, c)
			}
			if ack.Result != megakernel.AckApplied {
				t.Fatalf("child %d, which continues: %s (it was %s)", i, ack.Result, tasks.State(ack.Detail))
			}
		}
	})
}

// family is a parent that stops at its first refusal, and reports in continuation_data how many children it has.
const family = `
void spawner(inout Task t) {
    uint n = 0u;
    for (uint i = 0u; i < t.param; i++) {
        if (!task_spawn(t, t.opcode + 1u, PRIORITY_LOW, i, 0u, 0u)) { break; }
        n++;
    }
    t.continuation_data = n;
    task_done(t);
}
void spawned(inout Task t) { task_pause(t, HELD_EPOCH, 0u, 0u); }
`

// Lanes that spawned at once took the same free slot, and after four lost attempts task_spawn reported a full ring:
// 24 of 64 spawns were refused with 4,000 free slots.
func TestSpawnIsRefusedOnlyWithoutAFreeSlot(t *testing.T) {
	tests := []struct{ slots, parents, each int }{
		{4096, 60, 60}, // nearly as many tasks as slots
		{256, 32, 16},  // more tasks than slots
	}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for _, tt := range tests {
			if backendtest.CompilesSlowly(b) && tt.slots > 256 {
				continue
			}
			s := start(t, b, sharedWith(t, b, kernel.Config{WorkgroupSize: 8, Slots: tt.slots}), resident.Options{Workers: 4})
			publish(t, s, work(tt.parents, func(_ int, p *tasks.Task) { p.Opcode, p.Param = opSpawner, uint32(tt.each) }))
			spawned := 0
			for _, c := range collect(t, s, tt.parents) {
				spawned += int(c.Code)
			}
			// A parent that is refused saw children and parents in all slots, and the others still run at most.
			if least := min(tt.parents*tt.each, tt.slots-tt.parents); spawned < least {
				t.Errorf("%d parents of %d children in %d slots: %d spawned, want at least %d", tt.parents, tt.each, tt.slots, spawned, least)
			}
		}
	})
}
