package resident_test

import (
	"context"
	"errors"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

const countdown = `
void work(inout Task t) {
    t.output_handle += t.param;
    if (t.continuation_pc < 3u) {
        task_yield(t, t.continuation_pc + 1u, 7u);
        return;
    }
    task_done(t);
}
`

func TestEveryTaskEndsOnce(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		const n = 500
		go func() {
			if err := s.Publish(deadline(t), of(opCountdown, work(n, func(i int, t *tasks.Task) { t.Param = uint32(i) }))); err != nil {
				t.Error(err)
			}
		}()
		seen := map[uint32]bool{}
		for _, c := range collect(t, s, n) {
			if seen[c.Task] || c.State != tasks.Done || c.Output != 4*c.Param {
				t.Fatalf("completion %+v (seen before: %v)", c, seen[c.Task])
			}
			seen[c.Task] = true
		}
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		c := s.Summary().Counters
		if c[megakernel.CountImported] != n || c[megakernel.CountDone] != n || c[megakernel.CountYields] != 3*n {
			t.Fatalf("counters %v", c)
		}
	})
}

// TestALostDeviceEndsTheSession: a caller that waits for it is told, and closing it says so again.
func TestALostDeviceEndsTheSession(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s, err := resident.Start(deadline(t), b, shared(t, b), resident.Options{Workers: 1, Core: resident.CoreOff})
		if err != nil {
			t.Fatal(err)
		}
		b.(engine.Lifecycle).SimulateLoss()
		if err := s.Publish(deadline(t), of(opCountdown, work(1, nil))); err == nil {
			_, err = s.Collect(deadline(t), nil)
			if err == nil { // the slice that was running has still ended the task
				_, err = s.Collect(deadline(t), nil)
			}
			if !errors.Is(err, engine.ErrDeviceLost) {
				t.Errorf("completions of a lost device end with %v", err)
			}
		}
		if err := s.AwaitRest(deadline(t)); !errors.Is(err, engine.ErrDeviceLost) {
			t.Errorf("the session ended with %v", err)
		}
		if err := s.Close(); !errors.Is(err, engine.ErrDeviceLost) {
			t.Errorf("closing it: %v", err)
		}
	})
}

// A summary bit that a slow setter left behind made an empty set look ready: the session relaunched
// for ever instead of parking.
func TestSessionParksWhenAllIsDone(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for range 5 {
			s := start(t, b, shared(t, b), resident.Options{Workers: 4})
			const n = 300
			go func() {
				if err := s.Publish(deadline(t), of(opCountdown, work(n, nil))); err != nil {
					t.Error(err)
				}
			}()
			collect(t, s, n)
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A publisher that waited for room kept everybody from reading the counts: paused with a full inbox, a
// dashboard stood still.
func TestBlockedPublisherBlocksNobody(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := shared(t, b)
		s := start(t, b, k, resident.Options{})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		ctx, stop := context.WithCancel(deadline(t))
		gaveUp := make(chan error, 1)
		n := 2 * (k.Config.Slots + k.Config.InboxTasks) // more than fit
		go func() { gaveUp <- s.Publish(ctx, of(opCountdown, work(n, nil))) }()
		for int(s.Summary().Submitted) < k.Config.InboxTasks && ctx.Err() == nil {
			backendtest.Breathe()
		}
		s.Snapshot()
		s.InFlight()
		select {
		case err := <-gaveUp:
			t.Fatalf("the counts could be read only when the publisher had given up: %v", err)
		default:
		}
		stop()
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
