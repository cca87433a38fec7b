package bench

import (
	"context"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// residentNoop is the rate of continuations in one priority.
func (r *run) residentNoop(ctx context.Context, share time.Duration, t *tally) error {
	return r.residentRate(ctx, share, t, r.lanes, opYield, nil)
}

// residentFull sends every task through all priorities, with four tenants.
func (r *run) residentFull(ctx context.Context, share time.Duration, t *tally) error {
	return r.residentRate(ctx, share, t, r.lanes, opRequeue, func(i int, task *tasks.Task) {
		task.Priority, task.Tenant = tasks.Priority(i%tasks.NumPriorities), uint32(i%4)
	})
}

// residentSIMD tries workgroup sizes.
func (r *run) residentSIMD(ctx context.Context, share time.Duration, t *tally) error {
	sizes := r.sizes()
	for _, lanes := range sizes {
		if err := r.residentRate(ctx, share/time.Duration(len(sizes)), t, lanes, opYield, nil); err != nil {
			return err
		}
	}
	return nil
}

// sizes are the workgroup sizes worth trying: what suits the device, and four and sixteen times that
// as far as the device goes.
func (r *run) sizes() []int {
	out := []int{r.lanes}
	for _, times := range []int{4, 16} {
		if n := r.lanes * times; n <= int(r.profile.MaxInvocations.Or(0)) {
			out = append(out, n)
		}
	}
	return out
}

// residentRate counts activations of tasks that go on for ever.
func (r *run) residentRate(ctx context.Context, share time.Duration, t *tally, lanes int, opcode uint32, edit func(int, *tasks.Task)) error {
	return r.withTasks(ctx, share, lanes, resident.Options{}, opcode, edit, t, func(ctx context.Context, s *resident.Session) error {
		n, took, err := countFor(ctx, s, share)
		t.parts = append(t.parts, part{n, took, lanes})
		return err
	})
}

// countEvery is short enough that no counter of 32 bits wraps around twice.
const countEvery = 100 * time.Millisecond

// countFor counts activations for a time, and on until there is one. The counters that a session publishes are those of its
// last serving, which is less than a millisecond old.
func countFor(ctx context.Context, s *resident.Session, d time.Duration) (n uint64, took time.Duration, err error) {
	first := s.Summary()
	last := first
	for end := first.Elapsed + d; last.Elapsed < end || n == 0; {
		if err := sleep(ctx, min(countEvery, max(end-last.Elapsed, time.Millisecond))); err != nil {
			return 0, 0, err
		}
		if err := s.Err(); err != nil {
			return 0, 0, err
		}
		now := s.Summary()
		n += activationsBetween(last, now)
		last = now
	}
	return n, last.Elapsed - first.Elapsed, nil
}

func activationsBetween(a, b resident.Summary) uint64 {
	return uint64(uint32(b.Counters[megakernel.CountActivations]) - uint32(a.Counters[megakernel.CountActivations]))
}

// sleep waits, but not longer than ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pace is how many slices and activations a time in seconds had.
type pace struct{ slices, activations, took float64 }

// atOnce is the length of slices that end as soon as the kernel hears of it.
const atOnce = time.Nanosecond

// sliceGap finds the gap by comparison: a slice takes gap + activations*step, so slices of the
// default length and slices that end at once give both.
func (r *run) sliceGap(ctx context.Context, share time.Duration, t *tally) error {
	if err := r.addPace(ctx, share/2, t, 0, &t.long); err != nil {
		return err
	}
	return r.addPace(ctx, share/2, t, atOnce, &t.short)
}

func (r *run) addPace(ctx context.Context, share time.Duration, t *tally, slice time.Duration, sum *pace) error {
	o := resident.Options{SliceTime: slice}
	return r.withTasks(ctx, share, r.lanes, o, opYield, nil, t, func(ctx context.Context, s *resident.Session) error {
		before := s.Summary()
		n, took, err := countFor(ctx, s, share)
		if err == nil && slice == atOnce {
			err = s.AwaitSlice(ctx, before.Slices+1) // there is one at least
		}
		sum.slices += float64(s.Summary().Slices - before.Slices)
		sum.activations += float64(n)
		sum.took += took.Seconds()
		return err
	})
}
