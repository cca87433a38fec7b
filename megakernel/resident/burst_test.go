package resident_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// loops runs param loop iterations an activation, and has input_handle activations.
const loops = `
void work(inout Task t) {
    for (uint i = 0u; i < t.param; ++i) { t.output_handle += i; }
    if (t.continuation_pc + 1u == t.input_handle) { task_done(t); return; }
    task_yield(t, t.continuation_pc + 1u, 0u);
}
// cycle goes through all priorities but the most urgent one, for ever.
void cycle(inout Task t) { task_requeue(t, t.priority % 4u + 1u, t.continuation_pc + 1u, 0u); }
`

// A task that yields keeps its lane for a burst of activations, as long as these are short: the passes tell.
// Each look at the condition of a loop counts as an iteration. A log of every scheduling pass allows no bursts.
func TestShortActivationsFollowEachOther(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := shared(t, b)
		for _, x := range []struct{ burst, iterations, passes uint32 }{
			{1, 0, 96}, {2, 0, 48}, {8, 0, 12}, {64, 0, 2},
			{8, 1, 12}, {8, 15, 24}, {8, megakernel.BurstIterations - 2, 48}, {8, megakernel.BurstIterations - 1, 96}, {8, 200, 96},
		} {
			s := start(t, b, k, resident.Options{Workers: 1, Burst: x.burst, LogEvery: megakernel.MaxLogEvery})
			publish(t, s, []tasks.Task{{Opcode: opLoops, InputHandle: 96, Param: x.iterations}})
			collect(t, s, 1)
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
			c := s.Summary().Counters
			if c[megakernel.CountActivations] != 96 || c[megakernel.CountYields] != 95 || c[megakernel.CountClaims] != uint64(x.passes) {
				t.Errorf("%+v: %d activations with %d yields in %d passes, want 96 with 95", x, c[megakernel.CountActivations], c[megakernel.CountYields], c[megakernel.CountClaims])
			}
		}
	})
}

// A narrow worker that goes over from one set to the next does not stay away from what is more urgent elsewhere.
func TestUrgentTasksAreReachedWhileOthersGoRound(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		publish(t, s, work(64, func(i int, x *tasks.Task) { x.Opcode, x.Priority = opCycle, tasks.Priority(1+i%4) }))
		awaitImport(t, s)
		for range 20 {
			publish(t, s, []tasks.Task{{Opcode: opLoops, InputHandle: 3, Priority: tasks.Critical}})
			collect(t, s, 1)
		}
	})
}
