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

// reach executes a run again as Activation does, for at most w.Within. late says that this was too short.
func reach(ctx context.Context, name string, rec *fixtures.Recording, w Wanted) (r *Reached, late bool, err error) {
	limited, cancel := context.WithTimeoutCause(ctx, w.within(), errLate)
	defer cancel()
	r, err = Activation(limited, name, rec, w)
	return r, err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), errLate), err
}

func (w Wanted) within() time.Duration {
	if w.Within > 0 {
		return w.Within
	}
	return DefaultWithin
}

// tooLate is the error about an activation that was not reached, and that nothing but executing the run can give.
func tooLate(name string, w Wanted) error {
	return &fault.Error{Kind: ErrActivation, Subject: fmt.Sprintf("%s, task %s", name, megakernel.TaskName(w.Task)),
		Detail: fmt.Sprintf("executing the run again up to activation %d takes longer than %v", w.Number, w.within()),
		Fix:    "give it longer with --within, or leave out --activation: without it the task opens with the words that are recorded"}
}

// begun is a position in a recording whose buffers, where it does not have them, are as the run began.
type begun struct {
	capture.Source

	rec    *fixtures.Recording
	own    map[string][]uint32 // the kernel's own buffers, by name
	filled []string            // buffers of the workload that are as the run began
}

// ReadBuffer implements capture.Source.
func (b *begun) ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error {
	err := b.Source.ReadBuffer(ctx, name, first, dst)
	start := b.rec.Header().Start
	if !errors.Is(err, fixtures.ErrNoContents) || start == nil {
		return err
	}
	i := slices.IndexFunc(start.Buffers, func(s fixtures.StartBuffer) bool { return s.Name == name })
	words := b.own[name]
	if i >= 0 {
		if words, err = b.rec.Initial(&start.Buffers[i]); err != nil {
			return err
		}
		if !slices.Contains(b.filled, name) {
			b.filled = append(b.filled, name)
		}
	}
	clear(dst)
	if first < len(words) {
		copy(dst, words[first:])
	}
	return nil
}

// ownBuffers are the kernel's own buffers before the first activation of the run, in an epoch.
func ownBuffers(ctx context.Context, name string, rec *fixtures.Recording, epoch uint32) (map[string][]uint32, error) {
	p, err := newPlan(name, rec)
	if err != nil {
		return nil, err
	}
	c, err := p.capture(ctx, 0, alone, func(activations.Activation, activations.Memory) bool { return true })
	if err != nil || c == nil {
		return nil, err
	}
	own := map[string][]uint32{}
	for _, b := range c.Target.Buffers {
		if b.Binding == megakernel.BindSched {
			c.Buffers[b.Binding][megakernel.SchedEpoch] = epoch
		}
		own[b.Name] = c.Buffers[b.Binding]
	}
	return own, nil
}

// atPosition captures a task with the words that are recorded of its slot, and buffers as the run began.
func atPosition(ctx context.Context, from capture.Source, rec *fixtures.Recording, o capture.Options, within time.Duration) (*capture.Capture, error) {
	now, err := from.Now(ctx)
	if err != nil {
		return nil, err
	}
	b := &begun{Source: from, rec: rec}
	if b.own, err = ownBuffers(ctx, o.Name, rec, now.Epoch()); err != nil {
		return nil, err
	}
	c, err := capture.Take(ctx, b, o)
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("executing the run again up to here takes longer than %v", within)
	if len(b.filled) > 0 {
		note += ": these buffers hold what they held when the run began: " + fmt.Sprint(b.filled)
	}
	c.Notes = append(c.Notes, note)
	return c, nil
}
