package capture

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/tasks"
)

// Device is a live target that can be made to run one activation of a task.
type Device interface {
	Source
	// Do carries out a command. A refusal is not an error: Ack.Result says so.
	Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error)
	// Arm sets a breakpoint and waits until it is in force.
	Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error)
	// Disarm removes a breakpoint and waits until it hits no more.
	Disarm(ctx context.Context, id int) error
}

// lookAgain is how long to wait before the slot is read again.
const lookAgain = 2 * time.Millisecond

// CompareOn holds a task of a live target before its next activation, captures it, and has both the interpreter and the device run that
// activation. A task that was paused or held is held before the activation after it; another one continues. Errors are those of
// Take and of the target; ErrTask where the activation does not end on the interpreter.
func CompareOn(ctx context.Context, d Device, o Options) (_ *Capture, out Comparison, err error) {
	o.Live, o.Next = true, true
	r := &runner{d: d, o: o}
	if err := r.find(ctx); err != nil {
		return nil, out, err
	}
	armed, err := d.Arm(ctx, breakpoint.Breakpoint{
		Condition: "id=" + megakernel.TaskName(o.Task),
		Program:   breakpoint.Program{{Field: tasks.WordTaskID, Accept: breakpoint.Equal, Value: o.Task}},
	})
	if err != nil {
		return nil, out, err
	}
	defer func() { err = r.leave(context.WithoutCancel(ctx), armed.ID, err) }()
	if err := r.hold(ctx); err != nil {
		return nil, out, err
	}
	c, err := Take(ctx, d, o)
	if err != nil {
		return nil, out, err
	}
	a, err := c.Open(ctx)
	if err != nil {
		return nil, out, err
	}
	a.WithContext(ctx)
	if stop := a.Finish(); ctx.Err() != nil {
		return nil, out, ctx.Err()
	} else if stop.Detail != "" {
		return nil, out, taskError(o.Task, fmt.Sprintf("its activation does not end on the interpreter: %s", stop.Detail), "vyretop debug "+o.Name+" --task "+megakernel.TaskName(o.Task)+" shows where")
	}
	after, err := r.proceed(ctx, c)
	if err != nil {
		return nil, out, err
	}
	return c, a.Compare(after), nil
}

// runner makes a target run one activation of a task.
type runner struct {
	d      Device
	o      Options
	slot   int
	paused bool // the task was paused when it was found
}

func (r *runner) find(ctx context.Context) error {
	s, err := r.d.Now(ctx)
	if err != nil {
		return err
	}
	slot, ok := s.FindTask(r.o.Task, -1)
	if !ok {
		return missing(r.o.Task, s)
	}
	r.slot = slot
	w, err := r.words(ctx)
	r.paused = state(w) == tasks.Paused
	return err
}

func (r *runner) words(ctx context.Context) (*[tasks.SlotWords]uint32, error) {
	var w [tasks.SlotWords]uint32
	return &w, r.d.ReadBuffer(ctx, "ring", r.slot*tasks.SlotWords, w[:])
}

func state(w *[tasks.SlotWords]uint32) tasks.State { return tasks.State(w[tasks.WordState]) }

// hold waits until a breakpoint holds the task, which one that is paused is resumed for.
func (r *runner) hold(ctx context.Context) error {
	w, err := r.words(ctx)
	if err != nil || megakernel.Held(w) {
		return err
	}
	if r.paused {
		if err := r.resume(ctx); err != nil {
			return err
		}
	}
	return r.await(ctx, func(w *[tasks.SlotWords]uint32) (bool, error) {
		if w[tasks.WordTaskID] != r.o.Task || state(w).Terminal() || state(w) == tasks.Empty {
			return false, taskError(r.o.Task, "it ended before it could be held", "pause it first, or compare another one")
		}
		return megakernel.Held(w), nil
	})
}

func (r *runner) resume(ctx context.Context) error {
	ack, err := r.d.Do(ctx, megakernel.Command{Op: megakernel.OpResumeTask, Task: r.o.Task, Slot: uint32(r.slot)})
	if err == nil && ack.Result != megakernel.AckApplied {
		err = taskError(r.o.Task, "it cannot be resumed: "+ack.Result.String(), "see vyretop tasks for its state")
	}
	return err
}

func (r *runner) await(ctx context.Context, done func(w *[tasks.SlotWords]uint32) (bool, error)) error {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		w, err := r.words(ctx)
		if err != nil {
			return err
		}
		if ok, err := done(w); ok || err != nil {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// proceed has the device run the captured activation and reads what came of it.
func (r *runner) proceed(ctx context.Context, c *Capture) (after After, err error) {
	before, err := r.d.Now(ctx)
	if err != nil {
		return after, err
	}
	if err := r.resume(ctx); err != nil {
		return after, err
	}
	err = r.await(ctx, func(w *[tasks.SlotWords]uint32) (bool, error) {
		switch here := w[tasks.WordTaskID] == r.o.Task; {
		case !here:
			return true, nil // the slot was given away: the task has ended
		case state(w) == tasks.Paused, state(w).Terminal(), state(w) == tasks.Empty:
			after.Slot, after.Held = append([]uint32(nil), w[:]...), megakernel.Held(w)
			return true, nil
		}
		return false, nil
	})
	if err != nil {
		return after, r.gone(ctx, err)
	}
	return after, r.read(ctx, c, before, &after)
}

// read reads the workload's buffers, and how much else ran.
func (r *runner) read(ctx context.Context, c *Capture, before *megakernel.Snapshot, after *After) error {
	after.Buffers = map[uint32][]uint32{}
	t := taker{from: r.d}
	for _, b := range c.Target.Buffers {
		if b.Binding < megakernel.FirstUserBinding {
			continue
		}
		words := make([]uint32, b.Words)
		if err := t.fill(ctx, b.Name, words); err != nil {
			return r.gone(ctx, err)
		}
		after.Buffers[b.Binding] = words
	}
	now, err := r.next(ctx)
	if err != nil {
		return r.gone(ctx, err)
	}
	const own = 1
	after.Others = max(now.Counters[megakernel.CountActivations], before.Counters[megakernel.CountActivations]+own) - before.Counters[megakernel.CountActivations] - own
	return nil
}

// gone is the error about a target that cannot be read any longer: most likely the activation was the last thing it had to do.
func (r *runner) gone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return &fault.Error{Kind: ErrTask, Op: "compare", Subject: "task " + megakernel.TaskName(r.o.Task), Cause: err,
		Detail: "the run cannot be read any longer; if the activation was its last work, it has ended", Fix: "compare a task that others wait behind, or hold another one with a breakpoint too"}
}

// next is a snapshot that is taken from now on: the newest one may be older.
func (r *runner) next(ctx context.Context) (*megakernel.Snapshot, error) {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	first, err := r.d.Now(ctx)
	for now := first; ; now, err = r.d.Now(ctx) {
		if err != nil || now.Taken > first.Taken {
			return now, err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// leave removes the breakpoint and lets a task continue that was not paused before.
func (r *runner) leave(ctx context.Context, id int, err error) error {
	if gone := r.d.Disarm(ctx, id); err == nil {
		err = gone
	}
	if r.paused {
		return err
	}
	if w, read := r.words(ctx); read == nil && w[tasks.WordTaskID] == r.o.Task && megakernel.Held(w) {
		if resumed := r.resume(ctx); err == nil {
			err = resumed
		}
	}
	return err
}
