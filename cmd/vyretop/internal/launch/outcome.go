package launch

import (
	"context"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// Outcome is what can be said about a run when its work is over.
type Outcome struct {
	Identity     engine.Identity
	Workload     string
	Shape        Shape
	Summary      resident.Summary
	Elapsed      time.Duration // from the first slice to the end of the work
	LogRead      uint64
	LogLost      uint64
	Verified     bool // Verification was made: the work had ended by itself
	Verification workload.Verification
	Result       any // nil when the work was cut short
}

// Shape is the number of workers, and the lanes of one.
type Shape struct{ Workers, WorkgroupSize int }

// Finish ends the hub, so that every debug-log record is read, and collects the totals. Where the
// work ran to its end the workload verifies its result.
func (r *Run) Finish(ctx context.Context, complete bool) (Outcome, error) {
	if complete {
		if err := r.session.AwaitRest(ctx); err != nil { // a task may still be on its way into the counters
			return Outcome{}, err
		}
	}
	if err := r.session.Stop(ctx); err != nil {
		return Outcome{}, err
	}
	r.stopHub()
	r.stopHub = nil
	target := r.session.Target()
	o := Outcome{
		Identity: r.backend.Identity(), Workload: target.Workload,
		Shape:   Shape{Workers: r.session.Shape().Workers, WorkgroupSize: target.WorkgroupSize},
		Summary: r.session.Summary(), Elapsed: r.elapsed,
		LogRead: r.watched.read.Load(), LogLost: r.watched.lost.Load(),
	}
	if !complete {
		return o, nil
	}
	var err error
	if o.Verification, err = r.workload.Verify(ctx); err != nil {
		return o, err
	}
	o.Verified, o.Result = true, r.workload.Result()
	return o, nil
}
