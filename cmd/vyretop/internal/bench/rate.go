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
	return r.residentRate(ctx, share, t, r.shape, opYield, nil)
}

// residentFull sends every task through all priorities, with four tenants.
func (r *run) residentFull(ctx context.Context, share time.Duration, t *tally) error {
	return r.residentRate(ctx, share, t, r.shape, opRequeue, func(i int, task *tasks.Task) {
		task.Priority, task.Tenant = tasks.Priority(i%tasks.NumPriorities), uint32(i%4)
	})
}

// residentBest tries shapes in the first round, and measures the best of them from then on.
func (r *run) residentBest(ctx context.Context, share time.Duration, t *tally) error {
	if t.picked != (shape{}) {
		return r.residentRate(ctx, share, t, t.picked, opYield, nil)
	}
	shapes := r.shapes()
	for _, s := range shapes {
		if err := r.residentRate(ctx, share/time.Duration(len(shapes)), t, s, opYield, nil); err != nil {
			return err
		}
	}
	t.picked = t.fastest()
	return nil
}

// triedLanes are workgroup sizes worth trying beside the one that suits the device.
var triedLanes = []int{32, 128, 256, 512}

// fewWorkers is the number of workers from which on it is worth trying whether fewer do more.
const fewWorkers = 16

// shapes are the shapes worth trying on the device.
func (r *run) shapes() []shape {
	workers := []int{r.shape.workers}
	if n := r.shape.workers; n >= fewWorkers {
		workers = append(workers, n/2, n/4)
	}
	sizes := []int{r.shape.lanes}
	for _, lanes := range triedLanes {
		if lanes > r.shape.lanes && lanes <= int(r.profile.MaxInvocations.Or(0)) {
			sizes = append(sizes, lanes)
		}
	}
	var out []shape
	for _, lanes := range sizes {
		for _, n := range workers {
			out = append(out, shape{n, lanes})
		}
	}
	return out
}

// residentRate counts activations of tasks that go on for ever.
func (r *run) residentRate(ctx context.Context, share time.Duration, t *tally, sh shape, opcode uint32, edit func(int, *tasks.Task)) error {
	return r.session(ctx, share, t, trial{shape: sh, opcode: opcode, edit: edit, run: func(ctx context.Context, s *resident.Session) error {
		n, took, err := countFor(ctx, s, share)
		t.parts = append(t.parts, part{n, took, sh})
		return err
	}})
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
	return r.session(ctx, share, t, trial{shape: r.shape, slice: slice, opcode: opYield, run: func(ctx context.Context, s *resident.Session) error {
		before := s.Summary()
		n, took, err := countFor(ctx, s, share)
		if err == nil && slice == atOnce {
			err = s.AwaitSlice(ctx, before.Slices+1) // there is one at least
		}
		sum.slices += float64(s.Summary().Slices - before.Slices)
		sum.activations += float64(n)
		sum.took += took.Seconds()
		return err
	}})
}
