package taskcheck

import (
	"context"
	"errors"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel/health"
	"vyretop/megakernel/run"
)

// stallWindow is how long nothing changes in a run before it counts as stalled.
const stallWindow = time.Second

// errStalled is the kind of the cause for which a run ends whose tasks wait for what never comes.
const errStalled fault.Kind = "the run is stalled"

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
			stop(&fault.Error{Kind: errStalled, Detail: h.String()})
			return
		}
		before = now
	}
}

// stalledBy is why a run was ended as stalled, or "".
func stalledBy(ctx context.Context) string {
	if cause := context.Cause(ctx); errors.Is(cause, errStalled) {
		return cause.Error()
	}
	return ""
}
