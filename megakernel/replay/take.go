package replay

import (
	"context"
	"errors"
	"fmt"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/kernel"
)

// Taken is a capture, and of a run that was executed again, how it was reached.
type Taken struct {
	*capture.Capture

	Reached *Reached // nil where the run was not executed again
	History *History // what was written before; nil where that is not known
}

// Take captures a task of a subject as its next activation finds it. If w has a number, or a recording lacks what the capture
// needs, the recorded run is executed again up to an activation: that of the number, else, of a position that was chosen, the one
// there, else the last. If that takes longer than w.Within, the task has the words that are recorded, and buffers are as the run began. name is what the subject is called; "" is the name of its workload. Errors are those of
// inspect.Capture and Activation, and ErrActivation for a number of what is not a recording.
func Take(ctx context.Context, s inspect.Subject, name string, w Wanted, chosen bool) (c Taken, err error) {
	if name == "" {
		name = s.Header().Target.Workload
	}
	rec, isRecording := s.(interface{ Recording() *fixtures.Recording })
	if w.Number > 0 && !isRecording {
		return c, &fault.Error{Kind: ErrActivation, Detail: "--activation is of a recording, and " + name + " is not one", Fix: "leave it out: the next activation is captured"}
	}
	if w.Number == 0 {
		c.Capture, err = inspect.Capture(ctx, s, name, w.Task, w.Bytes)
		if err == nil && isRecording && !chosen {
			c.History = historyOf(name, rec.Recording(), w.within())
		}
		if err == nil || !isRecording || !canExecute(err) {
			return c, err
		}
	}
	c, err = executeAgain(ctx, s, rec.Recording(), name, w, chosen, err)
	if c.Reached != nil {
		c.History = c.Reached.History
	}
	return c, err
}

// canExecute reports whether an activation may be had by executing the run of a recording again where capturing its task failed:
// the task is in no slot, contents of buffers are missing, or the recording is of another version of the kernel.
func canExecute(err error) bool {
	return errors.Is(err, capture.ErrTask) || errors.Is(err, fixtures.ErrNoContents) || errors.Is(err, kernel.ErrText)
}

// executeAgain executes the run of a recording again, up to an activation. If the recording does not have what that needs, the
// error is the one for which the task could not be captured without.
func executeAgain(ctx context.Context, s inspect.Subject, rec *fixtures.Recording, name string, w Wanted, chosen bool, without error) (c Taken, err error) {
	if w.Number > 0 {
		c.Reached, err = numbered(ctx, name, rec, w)
		if err == nil {
			c.Capture = c.Reached.Capture
		}
		return c, err
	}
	if chosen {
		now, err := s.Now(ctx)
		if err != nil {
			return c, err
		}
		slot, ok := now.FindTask(w.Task, -1)
		if !ok {
			return c, without
		}
		w.Words = now.Slot(slot)[:]
	}
	from, err := inspect.CaptureSource(s, name)
	if err != nil {
		return c, err
	}
	p, err := newPlan(name, rec)
	if err == nil {
		c.Reached, c.Capture, err = p.reachOr(ctx, w, from, capture.Options{Name: name, Task: w.Task, Bytes: w.Bytes})
	}
	return c, both(without, err)
}

// both is why a task could not be captured, and why executing the run does not help.
func both(without, err error) error {
	if errors.Is(err, ErrNotExecutable) && without != nil {
		return fmt.Errorf("%w; and %w", without, err)
	}
	return err
}
