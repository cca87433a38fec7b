package replay

import (
	"context"
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
}

// patience is how long somebody who looks at a screen waits for an activation.
const patience = 2 * time.Second

// Activation captures a task of a position in the recording as its next activation finds it, by executing the run again. Where that
// takes longer than 2 s, the task has the words that are recorded, and buffers are as the run began. Errors are those of
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
	_, c, err := plan.reachOr(ctx, w, from, o)
	return c, err
}
