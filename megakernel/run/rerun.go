package run

import (
	"context"
	"sync/atomic"

	"vyretop/megakernel"
)

// steering is what users ask of a run, beside what they ask of its target.
type steering struct {
	run      *Run
	reloads  reloads
	injected injected
	again    atomic.Bool // the run is to start again
}

// Rerun ends the run as a stop does, for who started it to start it again with the same inputs and breakpoints (Again).
func (r *steering) Rerun(ctx context.Context) (text string, err error) {
	r.again.Store(true)
	r.run.hub.Event(megakernel.EventRerun, "the run ends, and starts again from its inputs")
	return "the run starts again", r.run.hub.Stop(ctx)
}

// Again reports whether the run is to be started again.
func (r *steering) Again() bool { return r.again.Load() }
