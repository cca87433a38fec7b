package run

import (
	"context"
	"errors"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel/breakpoint"
)

// The kernel variant with breakpoints is compiled beside a run once a user looks at it, but not beside its first slices, and
// beside any that is long: on two processors the compilation makes a run of three seconds a quarter longer.
const (
	readyAfter      = 500 * time.Millisecond
	readyUnattended = 10 * time.Second
)

// wantsVariant waits until the variant is worth compiling; false when ctx ends before.
func wantsVariant(ctx context.Context, early, late <-chan time.Time, attended <-chan struct{}) bool {
	select {
	case <-early:
	case <-ctx.Done():
		return false
	}
	select {
	case <-attended:
	case <-late:
	case <-ctx.Done():
		return false
	}
	return true
}

// readyBreakpoints compiles the full kernel, where the run began with its core variant, and then the kernel variant with
// breakpoints, beside the run. A failure is told by who arms one.
func (r *Run) readyBreakpoints(ctx context.Context) {
	if !wantsVariant(ctx, time.After(readyAfter), time.After(readyUnattended), r.hub.Attended()) {
		return
	}
	if err := r.group.each(func(w *Watched) error { return w.ReadyFull(ctx) }); err != nil {
		return // who needs it tells why
	}
	began := time.Now()
	switch err := r.group.each(func(w *Watched) error { return w.ReadyBreakpoints(ctx) }); {
	case err == nil:
		r.hub.Event("breakpoint", "the kernel variant with breakpoints is ready after "+units.Duration(time.Since(began)))
	case !errors.Is(err, ctx.Err()):
		r.hub.Event("error", "kernel variant with breakpoints: "+err.Error())
	}
}

// Compiling reports whether the driver compiles for the run. It cannot be interrupted: closing the backend waits for it.
func (r *Run) Compiling() bool { return r.group != nil && r.group.compiling() }

// Expect has the breakpoints of a list share a kernel variant, though they are set one after the other, until forget is called.
func (r *Run) Expect(list []breakpoint.Breakpoint) (forget func()) {
	var all []func()
	for _, w := range r.group.members {
		all = append(all, w.Expect(list))
	}
	return func() {
		for _, f := range all {
			f()
		}
	}
}
