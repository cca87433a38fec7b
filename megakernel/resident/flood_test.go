package resident_test

import (
	"context"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

const held = `
void held(inout Task t) { task_pause(t, HELD_EPOCH, 0u, 0u); }
`

// TestCommandsDoNotHoldUpTasks has a host that always has another command for the kernel to carry out.
// Tasks whose epoch has come become ready and run all the same.
func TestCommandsDoNotHoldUpTasks(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		const n = 100
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		list := work(n+1, func(i int, task *tasks.Task) {
			task.Opcode, task.Param = opWaiter, 1
			if i == n {
				task.Opcode = opHeld
			}
		})
		if err := s.Publish(deadline(t), list); err != nil {
			t.Fatal(err)
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpRequeueTask, Task: list[n].TaskID, Slot: resident.AnySlot})
		words, slot := slotsOf(s), 0
		for words[slot*tasks.SlotWords+tasks.WordTaskID] != list[n].TaskID {
			slot++
		}
		ctx, stop := context.WithCancel(deadline(t))
		var flood sync.WaitGroup
		for range 16 {
			flood.Go(func() {
				for ctx.Err() == nil {
					c := megakernel.Command{Op: megakernel.OpRequeueTask, Task: list[n].TaskID, Slot: uint32(slot)}
					if _, err := s.Do(ctx, c); err != nil && ctx.Err() == nil {
						t.Error(err)
					}
				}
			})
		}
		if err := s.AdvanceEpoch(deadline(t)); err != nil {
			t.Fatal(err)
		}
		for got := 0; got < n; {
			if err := s.AdvanceEpoch(deadline(t)); err != nil { // for those that were paused after the first
				t.Fatal(err)
			}
			out, err := s.Collect(deadline(t), nil)
			if err != nil {
				t.Fatalf("after %d of %d completions: %v\n%s", got, n, err, describe(s))
			}
			got += len(out)
		}
		stop()
		flood.Wait()
	})
}
