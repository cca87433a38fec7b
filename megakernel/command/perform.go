package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// AnswerTime is how long an order may stay unanswered, unless it is given another time.
const AnswerTime = 10 * time.Second

// armTime is how long setting a breakpoint or changing settings may take, unless it is given another time: the first
// breakpoint and another workgroup size compile the kernel again.
const armTime = time.Minute

// ErrUnanswered is the kind of errors about orders that were given and not answered in time.
const ErrUnanswered fault.Kind = "not answered in time"

// Lasting reports whether an order takes longer than an activation.
func (o *Order) Lasting() bool { return o.Kind == Wait || o.Kind == Drain || o.Kind == Try }

// Watching reports whether orders only wait, which does not need control.
func Watching(orders []Order) bool {
	return !slices.ContainsFunc(orders, func(o Order) bool { return o.Kind != Wait })
}

// Performer carries out orders on a target, one after the other.
type Performer struct {
	Target  Target
	Timeout time.Duration               // of each order; 0 for that of its kind: AnswerTime, a minute, or none
	Said    func(*Order, *Result) error // told what became of each
	Waits   func()                      // nil, or called before an order that lasts, and at the end
}

// limit is the time for an order; 0 for any.
func (p *Performer) limit(o *Order) time.Duration {
	switch {
	case p.Timeout != 0:
		return p.Timeout
	case o.Lasting():
		return 0
	case o.recompiles():
		return armTime
	}
	return AnswerTime
}

// Perform carries out the orders until one fails, with the errors of Order.Carry and ErrUnanswered.
func (p *Performer) Perform(ctx context.Context, orders []Order) error {
	for i := range orders {
		o := &orders[i]
		if p.Waits != nil && o.Lasting() {
			p.Waits()
		}
		r, err := p.one(ctx, o)
		if err == nil || errors.Is(err, ErrRefused) {
			err = errors.Join(err, p.Said(o, &r))
		}
		if err != nil {
			return err
		}
	}
	if p.Waits != nil {
		p.Waits()
	}
	return nil
}

func (p *Performer) one(ctx context.Context, o *Order) (Result, error) {
	limit := p.limit(o)
	limited, cancel := ctx, context.CancelFunc(func() {})
	switch {
	case limit > 0 && p.Timeout == 0 && o.recompiles():
		limited, cancel = limitBesideCompiling(ctx, limit, p.Target)
	case limit > 0:
		limited, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	r, err := o.Carry(limited, p.Target)
	late := errors.Is(err, context.DeadlineExceeded) || err != nil && errors.Is(context.Cause(limited), context.DeadlineExceeded)
	if late && ctx.Err() == nil && !errors.Is(err, megakernel.ErrCompiling) {
		err = unanswered(o, limit, r.Answer)
	}
	return r, err
}

// recompiles reports whether an order may need the kernel to be compiled again.
func (o *Order) recompiles() bool { return o.Kind == Break || o.Kind == Set }

// countEvery is how often time without compiling is added up.
const countEvery = 50 * time.Millisecond

// limitBesideCompiling ends a context when that much time has passed in which the target does not compile a kernel.
func limitBesideCompiling(ctx context.Context, limit time.Duration, t Target) (context.Context, context.CancelFunc) {
	limited, end := context.WithCancelCause(ctx)
	go func() {
		ticks := time.NewTicker(min(countEvery, limit))
		defer ticks.Stop()
		before, waited := time.Now(), time.Duration(0)
		for waited < limit {
			select {
			case <-limited.Done():
				return
			case <-ticks.C:
			}
			now := time.Now()
			if s := t.Snapshot(); s == nil || s.Compiling == (megakernel.Compiling{}) {
				waited += now.Sub(before)
			}
			before = now
		}
		end(context.DeadlineExceeded)
	}()
	return limited, func() { end(nil) }
}

// unanswered says that no answer to an order came in time, and how far it came, of a command for many tasks.
func unanswered(o *Order, after time.Duration, so string) error {
	e := &fault.Error{Kind: ErrUnanswered, Subject: o.Text, Fix: "see vyretop stall, or give it a longer --timeout"}
	const why = "not answered within %v: its worker or task has not come to the end of an activation. It may still take effect"
	switch {
	case o.On == Where:
		e.Detail = so + ", the next one " + fmt.Sprintf(why, after)
	case o.Kind == Wait:
		e.Detail, e.Fix = fmt.Sprintf("not so within %v", after), "see vyretop snapshot, or give it a longer --timeout"
	case o.Kind == Drain:
		e.Detail, e.Fix = fmt.Sprintf("there is still work after %v. No new tasks are taken", after), "see vyretop tasks, or give it a longer --timeout"
	default:
		e.Detail = fmt.Sprintf(why, after)
	}
	return e
}

// UpToRerun divides orders behind the first rerun: those behind it are for the run that has started again.
func UpToRerun(orders []Order) (now, then []Order, again bool) {
	i := slices.IndexFunc(orders, func(o Order) bool { return o.Kind == Rerun })
	if i < 0 {
		return orders, nil, false
	}
	return orders[:i+1], orders[i+1:], true
}
