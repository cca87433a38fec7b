package taskcheck

import (
	"context"
	"errors"
	"time"

	"vyretop/megakernel/health"
	"vyretop/megakernel/run"
)

// stallWindow is how long nothing changes in a run before it counts as stalled.
const stallWindow = time.Second

// stallError ends a run whose tasks wait for what never comes.
type stallError struct{ text string }

func (e stallError) Error() string { return e.text }

// watchStall ends a run that is stalled and whose host does nothing that could change that.
func watchStall(ctx context.Context, r *run.Run, stop context.CancelCauseFunc) {
	tick := time.NewTicker(stallWindow)
	defer tick.Stop()
	for before := r.Snapshot(); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := r.Snapshot()
		if h := health.Judge(now, before); h.Stalled && h.Kind == health.AwaitsEpoch && r.AwaitRest(ctx) == nil {
			h.Window = 0 // of the interpreter, which is slow
			stop(stallError{h.String()})
			return
		}
		before = now
	}
}

// stalledBy is why a run was ended as stalled, or "".
func stalledBy(ctx context.Context) string {
	if stalled := (stallError{}); errors.As(context.Cause(ctx), &stalled) {
		return stalled.text
	}
	return ""
}
