package resident_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// Held and faulted tasks were in no set, and any worker that saw their state took them: two workers with a
// command each, or one with a command and the one that had just put the task down. A task was then run
// by two workers, of which one overwrote what the other had done. And a worker that had found a command
// for its slot four times in a row dropped it.
func TestHeldTaskHasOneOwner(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 4})
		ts := work(1, nil)
		publish(t, s, ts)
		ctx := deadline(t)
		ops := []megakernel.CommandOp{megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask}
		var commanders sync.WaitGroup
		for c := range uint64(4) {
			commanders.Go(func() {
				rng := rand.New(rand.NewPCG(c, 5))
				for range 150 {
					if _, err := s.Do(ctx, megakernel.Command{Op: ops[rng.IntN(len(ops))], Task: ts[0].TaskID, Slot: 0}); err != nil {
						t.Errorf("%v\n%s", err, describe(s))
						return
					}
				}
			})
		}
		commanders.Wait()
		do(t, s, megakernel.Command{Op: megakernel.OpPauseTask, Task: ts[0].TaskID, Slot: resident.AnySlot})
		if err := s.AwaitRest(ctx); err != nil {
			t.Fatal(err)
		}
		activations := s.Summary().Counters[megakernel.CountActivations]
		if task := taskState(s, 0); uint64(task.OutputHandle) != activations {
			t.Fatalf("%d activations, of which the task has seen %d", activations, task.OutputHandle)
		}
	})
}
