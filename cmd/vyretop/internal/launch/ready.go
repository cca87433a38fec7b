package launch

import (
	"context"
	"errors"
	"time"
)

// readyAfter is how long a run lasts before the kernel variant with breakpoints is compiled beside it: short runs have no
// use for it, and long ones get through their first slices undisturbed.
const readyAfter = 500 * time.Millisecond

// readyBreakpoints compiles the kernel variant with breakpoints beside the run. A failure is told by who arms one.
func (r *Run) readyBreakpoints(ctx context.Context) {
	select {
	case <-time.After(readyAfter):
	case <-ctx.Done():
		return
	}
	began := time.Now()
	switch err := r.session.ReadyBreakpoints(ctx); {
	case err == nil:
		r.hub.Event("breakpoint", "the kernel variant with breakpoints is ready after "+time.Since(began).Round(time.Millisecond).String())
	case !errors.Is(err, ctx.Err()):
		r.hub.Event("error", "kernel variant with breakpoints: "+err.Error())
	}
}

// Compiling reports whether the driver compiles for the run. It cannot be interrupted: closing the backend waits for it.
func (r *Run) Compiling() bool { return r.session != nil && r.session.Compiling() }
