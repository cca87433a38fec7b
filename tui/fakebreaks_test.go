package tui

import (
	"context"
	"slices"
	"time"

	"vyretop/megakernel/breakpoint"
	"vyretop/tasks"
)

// Arm implements steer.Breaker.
func (f *fakeTarget) Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error) {
	if f.hold != nil {
		select {
		case <-f.hold:
		case <-ctx.Done():
			return breakpoint.Status{}, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return breakpoint.Status{}, f.err
	}
	s := breakpoint.Status{ID: len(f.breaks) + 1, Breakpoint: b, Enabled: true, Latency: 2 * time.Millisecond}
	f.breaks = append(slices.Clone(f.breaks), s)
	f.notify()
	return s, nil
}

// Disarm implements steer.Breaker.
func (f *fakeTarget) Disarm(_ context.Context, id int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breaks = slices.DeleteFunc(slices.Clone(f.breaks), func(s breakpoint.Status) bool { return id == 0 || s.ID == id })
	f.notify()
	return f.err
}

// Enable implements steer.Breaker.
func (f *fakeTarget) Enable(_ context.Context, id int, on bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breaks = slices.Clone(f.breaks)
	for i := range f.breaks {
		if id == 0 || f.breaks[i].ID == id {
			f.breaks[i].Enabled = on
		}
	}
	f.notify()
	return f.err
}

// Breakpoints implements steer.Breaker.
func (f *fakeTarget) Breakpoints() []breakpoint.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.breaks
}

// hit lets a breakpoint be hit, by two workers, and hold the task in slot 3. The caller holds mu.
func (f *fakeTarget) hit(id int, hits uint64) {
	f.breaks = slices.Clone(f.breaks)
	for i := range f.breaks {
		if f.breaks[i].ID == id {
			b := &f.breaks[i]
			b.Hits, b.Task = b.Hits+hits, 1003
			b.Workers = []breakpoint.WorkerHits{{Worker: 0, Hits: 1}, {Worker: 3, Hits: b.Hits - 1}}
		}
	}
	f.snap.Slots = slices.Clone(f.snap.Slots)
	w := f.slot(3)
	w[tasks.WordState], w[tasks.WordFlags] = uint32(tasks.Paused), tasks.FlagPaused|tasks.FlagHalted
}
