package tasks

import "math"

// live reports whether transitions other than resume are legal from s.
func (s State) live() bool {
	return s == Ready || s == Running || s == Paused || s == Yielded || s == Requeued
}

func (t *Task) check(transition string) error {
	if !t.State.live() {
		return refused(transition, t)
	}
	return nil
}

// Pause makes t wait for an epoch: state Paused, the continuation, +PAUSED -RESUME_READY.
func (t *Task) Pause(pc, data, resumeEpoch uint32) error {
	if err := t.check("pause"); err != nil {
		return err
	}
	t.State, t.ContinuationPC, t.ContinuationData, t.ResumeEpoch = Paused, pc, data, resumeEpoch
	t.Flags = t.Flags&^FlagResumeReady | FlagPaused
	return nil
}

// Resume makes a paused task Ready: +RESUME_READY -PAUSED -YIELDED.
func (t *Task) Resume() error {
	if t.State != Paused {
		return refused("resume", t)
	}
	t.State = Ready
	t.Flags = t.Flags&^(FlagPaused|FlagYielded) | FlagResumeReady
	return nil
}

// Yield gives the worker back: state Yielded, the continuation, yield_count+1, +YIELDED.
func (t *Task) Yield(pc, data uint32) error {
	if err := t.check("yield"); err != nil {
		return err
	}
	if t.YieldCount == math.MaxUint32 {
		return full("yield_count", t)
	}
	t.State, t.ContinuationPC, t.ContinuationData = Yielded, pc, data
	t.YieldCount++
	t.Flags |= FlagYielded
	return nil
}

// Requeue puts t back with a priority: state Requeued, requeue_count+1, age_ticks+1, +REQUEUE_REQUESTED.
func (t *Task) Requeue(p Priority, pc, data uint32) error {
	if err := t.check("requeue"); err != nil {
		return err
	}
	if t.RequeueCount == math.MaxUint32 {
		return full("requeue_count", t)
	}
	if t.AgeTicks == math.MaxUint32 {
		return full("age_ticks", t)
	}
	t.State, t.Priority, t.ContinuationPC, t.ContinuationData = Requeued, p, pc, data
	t.RequeueCount++
	t.AgeTicks++
	t.Flags |= FlagRequeueRequested
	return nil
}

// Complete ends t normally: state Done, flags 0.
func (t *Task) Complete() error {
	if err := t.check("complete"); err != nil {
		return err
	}
	t.State, t.Flags = Done, 0
	return nil
}

// Fault ends t with a code: state Faulted, continuation_data = code.
func (t *Task) Fault(code uint32) error {
	if err := t.check("fault"); err != nil {
		return err
	}
	t.State, t.ContinuationData = Faulted, code
	return nil
}
