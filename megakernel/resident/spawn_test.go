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
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		const children = 1000
		k := assembleWith(t, b, kernel.Config{WorkgroupSize: 8, Slots: 2 * children}, family, "parent", "child")
		s := start(t, b, k, resident.Options{Workers: 2})
		publish(t, s, one(opWork, nil))
		awaitImport(t, s)
		for i := range uint32(children) {
			c := megakernel.Command{Op: megakernel.OpReprioritise, Task: megakernel.SpawnedIDBase + i, Slot: 1 + i, Arg: uint32(tasks.Low)}
			if err := s.AdvanceEpoch(deadline(t)); err != nil {
				t.Fatal(err)
			}
			ack := do(t, s, c)
			for ack.Result == megakernel.AckNotFound {
				ack = do(t, s, c)
			}
			if ack.Result != megakernel.AckApplied {
				t.Fatalf("child %d, which goes on: %s (it was %s)", i, ack.Result, tasks.State(ack.Detail))
			}
		}
	})
}
