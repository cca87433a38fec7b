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

// reach executes a run for at most w.Within. late says that this was too short.
func reach(ctx context.Context, w Wanted, execute func(context.Context) (*Reached, error)) (r *Reached, late bool, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, w.within(), errLate)
	defer cancel()
	r, err = execute(limited)
	return r, err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), errLate), err
}

// numbered is Activation for at most w.Within: nothing but executing the run gives the activation of a number.
func numbered(ctx context.Context, name string, rec *fixtures.Recording, w Wanted) (*Reached, error) {
	r, late, err := reach(ctx, w, func(ctx context.Context) (*Reached, error) { return Activation(ctx, name, rec, w) })
	if late {
		return nil, &fault.Error{Kind: ErrActivation, Subject: fmt.Sprintf("%s, task %s", name, megakernel.TaskName(w.Task)),
			Detail: fmt.Sprintf("executing the run again up to activation %d takes longer than %v", w.Number, w.within()),
			Fix:    "give it longer with --within, or leave out --activation: without it the task opens with the words that are recorded"}
	}
	return r, err
}

// reachOr executes the run up to an activation; where that takes longer than w.Within, it captures the task at its position.
func (p *plan) reachOr(ctx context.Context, w Wanted, from capture.Source, o capture.Options) (r *Reached, c *capture.Capture, err error) {
	r, late, err := reach(ctx, w, func(ctx context.Context) (*Reached, error) { return p.activation(ctx, w) })
	switch {
	case late:
		c, err = p.atPosition(ctx, from, o, w.within())
		return nil, c, err
	case err != nil:
		return nil, nil, err
	}
	return r, r.Capture, nil
}

func (w Wanted) within() time.Duration {
	if w.Within > 0 {
		return w.Within
	}
	return DefaultWithin
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
