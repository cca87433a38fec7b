package replay

import (
	"context"

	"vyretop/fixtures"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// Played plays a recording whose run can be executed again.
type Played struct {
	*fixtures.Player

	Name string // of the recording
	Rec  *fixtures.Recording
}

// Activation captures the activation of a task that began with these words of its slot, by executing the run again. Errors are
// those of the function of that name.
func (p Played) Activation(ctx context.Context, task uint32, slot [tasks.SlotWords]uint32) (*capture.Capture, error) {
	r, err := Activation(ctx, p.Name, p.Rec, Wanted{Task: task, Words: slot[:]})
	if err != nil {
		return nil, err
	}
	return r.Capture, nil
}
