package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
)

// DefaultWithin is how long the run of a recording is executed again for an activation. Most runs end sooner; one that took the device
// a minute takes the interpreter hours.
const DefaultWithin = 10 * time.Second

// errLate is why the execution of a run for an activation ended.
var errLate = errors.New("it takes too long")

// reach executes the run as activation does, for at most w.Within. late says that this was too short.
func (p *plan) reach(ctx context.Context, w Wanted) (r *Reached, late bool, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, w.within(), errLate)
	defer cancel()
	r, err = p.activation(limited, w)
	return r, err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), errLate), err
}

func (w Wanted) within() time.Duration {
	if w.Within > 0 {
		return w.Within
	}
	return DefaultWithin
}

// tooLate is the error about an activation that was not reached, and that nothing but executing the run can give.
func (p *plan) tooLate(w Wanted) error {
	return &fault.Error{Kind: ErrActivation, Subject: fmt.Sprintf("%s, task %s", p.name, megakernel.TaskName(w.Task)),
		Detail: fmt.Sprintf("executing the run again up to activation %d takes longer than %v", w.Number, w.within()),
		Fix:    "give it longer with --within, or leave out --activation: without it the task opens with the words that are recorded"}
}

// atPosition captures a task with the words that are recorded of its slot at a position. Buffers that the recording does not have
// there are as the run began.
func (p *plan) atPosition(ctx context.Context, from capture.Source, o capture.Options, within time.Duration) (*capture.Capture, error) {
	b, err := p.begun(ctx, from)
	if err != nil {
		return nil, err
	}
	c, err := capture.Take(ctx, b, o)
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("executing the run again up to here takes longer than %v", within)
	if len(b.filled) > 0 {
		note += fmt.Sprintf(": these buffers hold what they held when the run began: %v", b.filled)
	}
	c.Notes = append(c.Notes, note)
	return c, nil
}

// begun is a position in a recording whose buffers, where it does not have them, are as the run began.
type begun struct {
	capture.Source

	target megakernel.Target // with the kernel that the run is executed with
	first  map[uint32][]uint32
	filled []string // buffers of the workload that are as the run began
}

// begun executes the run again up to its first activation.
func (p *plan) begun(ctx context.Context, from capture.Source) (*begun, error) {
	now, err := from.Now(ctx)
	if err != nil {
		return nil, err
	}
	c, err := p.capture(ctx, 0, alone, func(activations.Activation, activations.Memory) bool { return true })
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, &fault.Error{Kind: ErrActivation, Subject: p.name + ", executed again", Detail: "no task runs", Fix: "choose a recording of a run that did something"}
	}
	b := &begun{Source: from, target: from.Target(), first: c.Buffers}
	b.first[megakernel.BindSched][megakernel.SchedEpoch] = now.Epoch()
	b.target.Kernel, err = c.Text.Pack()
	return b, err
}

// Target implements capture.Source.
func (b *begun) Target() megakernel.Target { return b.target }

// ReadBuffer implements capture.Source.
func (b *begun) ReadBuffer(ctx context.Context, name string, at int, dst []uint32) error {
	err := b.Source.ReadBuffer(ctx, name, at, dst)
	i := slices.IndexFunc(b.target.Buffers, func(x megakernel.BufferInfo) bool { return x.Name == name })
	if !errors.Is(err, fixtures.ErrNoContents) || i < 0 {
		return err
	}
	binding := b.target.Buffers[i].Binding
	clear(dst)
	if words := b.first[binding]; at < len(words) {
		copy(dst, words[at:])
	}
	if binding >= megakernel.FirstUserBinding && !slices.Contains(b.filled, name) {
		b.filled = append(b.filled, name)
	}
	return nil
}
