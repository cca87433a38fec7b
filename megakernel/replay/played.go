package replay

import (
	"context"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
)

// Played plays a recording whose run can be executed again.
type Played struct {
	*fixtures.Player

	Name string // of the recording
	Rec  *fixtures.Recording

	late *atomic.Int64 // position from which on executing the run takes too long, in nanoseconds; 0: not known
}

// NewPlayed makes what plays a recording.
func NewPlayed(player *fixtures.Player, name string, rec *fixtures.Recording) Played {
	return Played{player, name, rec, new(atomic.Int64)}
}

// patience is how long somebody who looks at a screen waits for an activation.
const patience = 2 * time.Second

// Activation captures a task of a position in the recording as its next activation finds it, by executing the run again. Where that
// takes longer than 2 s, which is not tried again behind that position, the task has the words that are recorded, and buffers are as the run began. Errors are those of
// the function of that name and of capture.Take.
func (p Played) Activation(ctx context.Context, from capture.Source, o capture.Options) (*capture.Capture, error) {
	snap, err := from.Now(ctx)
	if err != nil {
		return nil, err
	}
	slot, ok := snap.FindTask(o.Task, -1)
	if !ok {
		return nil, &fault.Error{Kind: ErrActivation, Detail: "no slot holds task " + megakernel.TaskName(o.Task) + " at this position", Fix: "go to a position at which it is in the ring"}
	}
	plan, err := newPlan(p.Name, p.Rec)
	if err != nil {
		return nil, err
	}
	w := Wanted{Task: o.Task, Words: snap.Slot(slot)[:], Bytes: o.Bytes, Within: patience}
	if late := p.late.Load(); late > 0 && int64(snap.Taken) >= late { // it was tried before
		return plan.atPosition(ctx, from, o, patience)
	}
	r, c, err := plan.reachOr(ctx, w, from, o)
	if err == nil && r == nil {
		p.late.Store(int64(snap.Taken))
	}
	return c, err
}
