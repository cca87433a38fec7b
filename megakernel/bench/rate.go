package bench

import (
	"context"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// residentNoop is the rate of continuations in one priority.
func (r *suite) residentNoop(ctx context.Context, share time.Duration, t *tally) error {
	return r.residentRate(ctx, share, t, r.shape, opYield, nil)
}

// residentBurst is residentNoop with the given number of activations of a task in a scheduling pass.
func residentBurst(n uint32) func(*suite, context.Context, time.Duration, *tally) error {
	return func(r *suite, ctx context.Context, share time.Duration, t *tally) error {
		return r.counted(ctx, share, t, trial{shape: r.shape, opcode: opYield, burst: n})
	}
}

// residentFull sends every task through all priorities, with four tenants.
func (r *suite) residentFull(ctx context.Context, share time.Duration, t *tally) error {
	return r.counted(ctx, share, t, trial{shape: r.alone(), opcode: opRequeue, edit: func(i int, task *tasks.Task) {
		task.Priority, task.Tenant = tasks.Priority(i%tasks.NumPriorities), uint32(i%4)
	}})
}

// alone is the shape for work that needs nothing from the host while it is measured: where the device is the
// host's own processors, none of them is left for the host.
func (r *suite) alone() shape {
	s := r.shape
	if r.backend.Profile().SoftwareDevice.Or(false) {
		s.workers = max(s.workers, int(r.backend.Profile().HostThreads.Or(1)))
	}
	return s
}

// residentMany is residentNoop in a kernel with more handlers than tasks use.
func (r *suite) residentMany(ctx context.Context, share time.Duration, t *tally) error {
	return r.rateAmongOthers(ctx, share, t, nil)
}

// residentSpecial is residentMany with the kernel specialized for the handler that is used.
func (r *suite) residentSpecial(ctx context.Context, share time.Duration, t *tally) error {
	return r.rateAmongOthers(ctx, share, t, []uint32{opYield})
}

func (r *suite) rateAmongOthers(ctx context.Context, share time.Duration, t *tally, hot []uint32) error {
	return r.counted(ctx, share, t, trial{shape: r.shape, opcode: opYield, others: otherHandlers, hot: hot})
}

// residentBest tries shapes in the first round, and measures the best of them, with passes that
// are compiled for the one handler that tasks use.
func (r *suite) residentBest(ctx context.Context, share time.Duration, t *tally) error {
	if t.picked == (shape{}) {
		share /= 2
		tried, shapes := tally{}, r.shapes()
		for _, s := range shapes {
			if err := r.residentRate(ctx, share/time.Duration(len(shapes)), &tried, s, opYield, nil); err != nil {
				return err
			}
		}
		t.picked = tried.fastest()
	}
	s := t.picked
	return r.counted(ctx, share, t, trial{shape: s, most: max(s.workers, r.shape.workers), opcode: opYield, hot: []uint32{opYield}})
}

// triedLanes are workgroup sizes worth trying beside the one that suits the device. Each is a kernel of
// its own, which takes seconds to compile.
var triedLanes = []int{32, 256}

// fewWorkers is the number of workers from which on it is worth trying whether fewer do more.
const fewWorkers = 16

// shapes are the shapes worth trying on the device.
func (r *suite) shapes() []shape {
	workers := []int{r.shape.workers}
	if all := r.alone().workers; all > r.shape.workers {
		workers = append(workers, all)
	}
	if n := r.shape.workers; n >= fewWorkers {
		workers = append(workers, n/4, n/16)
	}
	sizes := []int{r.shape.lanes}
	for _, lanes := range triedLanes {
		if lanes > r.shape.lanes && lanes <= int(r.backend.Profile().MaxInvocations.Or(0)) {
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

// residentRate counts activations of tasks that continue for ever.
func (r *suite) residentRate(ctx context.Context, share time.Duration, t *tally, sh shape, opcode uint32, edit func(int, *tasks.Task)) error {
	return r.counted(ctx, share, t, trial{shape: sh, most: max(sh.workers, r.shape.workers), opcode: opcode, edit: edit})
}

// counted counts the activations of a trial.
func (r *suite) counted(ctx context.Context, share time.Duration, t *tally, tr trial) error {
	tr.run = func(ctx context.Context, s *resident.Session) error {
		n, took, err := countFor(ctx, s, share)
		t.parts = append(t.parts, part{n, took, tr.shape})
		return err
	}
	return r.session(ctx, share, t, tr)
}

// countEvery is short enough that no counter of 32 bits wraps around twice.
const countEvery = 100 * time.Millisecond

// countFor counts activations for a time, and on until there is one. The counters that a session
// publishes are those of its last serving, which is less than a millisecond old.
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

// residentScaling measures one worker, four times as many, and so on.
func (r *suite) residentScaling(ctx context.Context, share time.Duration, t *tally) error {
	steps := r.steps()
	for _, n := range steps {
		if err := r.residentRate(ctx, share/time.Duration(len(steps)), t, shape{n, r.shape.lanes}, opYield, nil); err != nil {
			return err
		}
	}
	return nil
}

// steps are the numbers of workers of residentScaling, up to as many as there can be a task for each
// lane of: further ones would have nothing to do.
func (r *suite) steps() []int {
	most := min(r.shape.workers, mostTasks/r.shape.lanes)
	var out []int
	for n := 1; n < most; n *= 4 {
		out = append(out, n)
	}
	return append(out, most)
}

// pace is how many slices a time had.
type pace struct {
	slices uint32
	took   time.Duration
}

// atOnce is the length of slices that end as soon as the kernel hears of it.
const atOnce = time.Nanosecond

// sliceGap measures slices that end at once: what is left of their time is the way from one to the
// next. It then looks how long slices are by default.
func (r *suite) sliceGap(ctx context.Context, share time.Duration, t *tally) error {
	short, err := r.pace(ctx, share/2, t, atOnce)
	if err != nil {
		return err
	}
	t.parts = append(t.parts, part{uint64(short.slices), short.took, r.shape})
	long, err := r.pace(ctx, share/2, t, 0)
	t.count("long_slices", float64(long.slices))
	t.count("long_us", us(long.took))
	return err
}

// pace counts slices for a time, from the begin of one to the begin of another.
func (r *suite) pace(ctx context.Context, share time.Duration, t *tally, slice time.Duration) (p pace, err error) {
	err = r.session(ctx, share, t, trial{shape: r.shape, slice: slice, run: func(ctx context.Context, s *resident.Session) error {
		// A slice that ends at once may never take these, but they keep the session from resting.
		if err := s.Publish(ctx, fill(leastTasks, opYield, nil)); err != nil {
			return err
		}
		if err := s.AwaitSlice(ctx, s.Summary().Slices+1); err != nil {
			return err
		}
		first := s.Summary()
		for last := first; ; {
			if err := s.AwaitSlice(ctx, last.Slices+1); err != nil {
				return err
			}
			last = s.Summary()
			p = pace{last.Slices - first.Slices, last.Elapsed - first.Elapsed}
			if p.took >= share {
				return nil
			}
		}
	}})
	return p, err
}
