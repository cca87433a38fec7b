package run

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// Job is the work of a run on a goroutine of its own.
type Job struct {
	run       *Run
	ended     chan struct{}
	err       error                     // valid once ended is closed
	verifying atomic.Pointer[time.Time] // since when the result is checked; nil before
}

// Begin starts the work of a run as soon as opened is closed. Where checks is not nil the result is checked as soon as it is
// there, for those who continue looking, until checks ends.
func Begin(ctx context.Context, r *Run, opened <-chan struct{}, checks context.Context) *Job {
	j := &Job{run: r, ended: make(chan struct{})}
	go func() {
		defer close(j.ended)
		select {
		case <-opened:
		case <-ctx.Done():
			j.err = ctx.Err()
			return
		}
		j.err = r.Work(ctx)
		r.Hub().Event(megakernel.EventWork, endText(j.err))
		if j.err == nil {
			saveOutputs(ctx, r)
		}
		if j.err == nil && checks != nil {
			now := time.Now()
			j.verifying.Store(&now)
			r.Verify(checks)
		}
	}()
	return j
}

// Ended is closed when the work has ended, and with it a verification that was asked for.
func (j *Job) Ended() <-chan struct{} { return j.ended }

// Err is what came of the work. It is valid once Ended is closed.
func (j *Job) Err() error { return j.err }

// Verifying tells since when the result is checked, once that has begun.
func (j *Job) Verifying() (since time.Time, begun bool) {
	if t := j.verifying.Load(); t != nil {
		return *t, true
	}
	return time.Time{}, false
}

// EndWith ends a run that is told to stop, also when its work has ended and somebody still looks at it, one whose time
// is over, and one whose device is lost: nothing is left to look at, and the run starts again. It returns when ctx ends.
func (j *Job) EndWith(ctx context.Context, end func()) { j.endWith(ctx, end, j.run.StopAsked()) }

func (j *Job) endWith(ctx context.Context, end func(), stopAsked <-chan struct{}) {
	ended := j.ended
	for {
		select {
		case <-stopAsked:
			end()
			return
		case <-ended:
			if errors.Is(j.err, engine.ErrDeviceLost) || errors.Is(j.err, context.DeadlineExceeded) {
				end()
				return
			}
			ended = nil
		case <-ctx.Done():
			return
		}
	}
}

// Rest waits for the end of the work. Where it ended because the run drains, what it has published continues, and Rest
// waits for that too.
func (j *Job) Rest(ctx context.Context) error {
	<-j.ended
	if !errors.Is(j.err, resident.ErrDraining) {
		return nil
	}
	if err := j.run.AwaitRest(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

// Failure is the error of work that has ended, nil where it ended early because it was meant to: its time was over, its
// context ended, or it was told to stop or to drain. The end of ctx, which is that of the process, is not meant.
func (j *Job) Failure(ctx context.Context) error {
	if ctx.Err() == nil && (errors.Is(j.err, context.Canceled) || errors.Is(j.err, context.DeadlineExceeded) || errors.Is(j.err, resident.ErrDraining)) {
		return nil
	}
	return j.err
}

// Leaving says how a run is ended whose work is over.
type Leaving struct {
	Checks    context.Context          // of the verification
	Hurried   func() bool              // the user does not wait for the verdict
	Verifying func() (verified func()) // called around a verification that is waited for
}

// Finish ends the run and collects what came of it. A run whose work has ended has a result, also when it is told to end
// during the verification. Errors are those of Run.Finish.
func (j *Job) Finish(ctx context.Context, l Leaving) (Outcome, error) {
	complete := j.err == nil
	if complete && !j.run.Checked() && !l.Hurried() {
		verified := l.Verifying()
		j.run.Verify(l.Checks)
		verified()
		j.run.HoldEnd(l.Checks)
	}
	if complete && !j.run.Checked() && (l.Hurried() || ctx.Err() != nil) {
		j.run.Forgo()
		ctx = context.WithoutCancel(ctx)
	}
	return j.run.Finish(ctx, complete)
}

func endText(err error) string {
	switch {
	case err == nil:
		return "the work has ended"
	case errors.Is(err, resident.ErrDraining):
		return "the work was cut short: the run drains"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the work was stopped"
	default:
		return "the work failed: " + err.Error()
	}
}
