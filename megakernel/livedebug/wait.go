package livedebug

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"vyretop/engine/debugger/attach"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// lookAgain bounds the time between two looks at the slots: a breakpoint that was set after a snapshot may own what it shows.
const lookAgain = 100 * time.Millisecond

// Wait implements attach.Run.
func (r *Run) Wait(ctx context.Context) (*attach.Stop, error) {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		stop, err := r.next(ctx, r.target.Snapshot())
		if stop == nil && err == nil {
			stop = r.heldEnd()
		}
		if stop != nil || err != nil {
			return stop, err
		}
		if err := changed(ctx, r, again.C); err != nil {
			return nil, err
		}
	}
}

// changed waits for a newer snapshot, or for the time to look again.
func changed(ctx context.Context, r *Run, again <-chan time.Time) error {
	select {
	case _, open := <-r.target.Updates():
		if !open {
			return r.ended()
		}
		return nil
	case <-again:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// next opens a task of a snapshot that a breakpoint of this debugger holds, nil where there is none.
func (r *Run) next(ctx context.Context, now *megakernel.Snapshot) (*attach.Stop, error) {
	if now == nil {
		return nil, nil
	}
	for _, slot := range now.Stopped() {
		if stop, err := r.look(ctx, slot, now.Slot(slot)); stop != nil || err != nil {
			return stop, err
		}
	}
	return nil, nil
}

// heldEnd is the stop of a run that a breakpoint of this debugger holds behind its end, told once.
func (r *Run) heldEnd() *attach.Stop {
	for _, s := range r.target.Breakpoints() {
		b, own, _ := r.ownBreak(s.ID)
		if r.failed || !own || s.Hits == 0 || s.Place == nil {
			continue
		}
		about := ""
		switch ended, verdict := verdict(r.target); {
		case s.Place.Event == megakernel.StopVerification:
			about = "the verification of its result failed" + verdict
		case s.Place.Event == megakernel.StopFault && ended:
			about = "its work has ended, and tasks have faulted"
		default:
			continue
		}
		r.failed = true
		r.opened.Store(&opened{result: true})
		return &attach.Stop{Why: attach.AtBreak, Break: &b, About: r.o.Name + ": " + about + "; continue ends the run"}
	}
	return nil
}

// verdict reports whether the result was verified, and what was found to be wrong.
func verdict(target Target) (ended bool, wrong string) {
	t, ok := target.(interface {
		Events(after, limit int) []megakernel.HostEvent
	})
	if !ok {
		return false, ""
	}
	list := t.Events(0, math.MaxInt32)
	for i := len(list) - 1; i >= 0; i-- {
		switch list[i].Kind {
		case megakernel.EventVerificationFailed:
			return true, ": " + list[i].Text
		case megakernel.EventVerified:
			return true, ""
		}
	}
	return false, ""
}

// look opens the task of a slot, if a breakpoint of this debugger holds it.
func (r *Run) look(ctx context.Context, slot int, words *[tasks.SlotWords]uint32) (*attach.Stop, error) {
	if r.passed[slot] == *words {
		return nil, nil
	}
	// The snapshot may be older than the last resume.
	var held [tasks.SlotWords]uint32
	if err := r.target.ReadBuffer(ctx, "ring", slot*tasks.SlotWords, held[:]); err != nil || held != *words {
		return nil, r.gone(ctx, err)
	}
	begun, ok, err := capture.Beginning(ctx, r.target, r.texts.text(), slot, words)
	if err != nil {
		return nil, r.gone(ctx, err)
	}
	b, own, sure := r.ownBreak(int(begun.Breakpoint))
	if !ok || !own {
		if !ok || sure {
			r.passed[slot] = *words // it stands still for another reason
		}
		return nil, nil
	}
	c, err := capture.Take(ctx, r.target, r.options(words[tasks.WordTaskID]))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, capture.ErrTask) && r.left(ctx, slot, words):
		return nil, nil
	case err != nil:
		r.passed[slot] = *words
		return nil, errors.Join(r.gone(ctx, err), r.resume(ctx, slot, words[tasks.WordTaskID]))
	case c.Held == nil:
		return nil, nil // it was held again in between
	}
	return r.hit(ctx, c, b)
}

func (r *Run) options(task uint32) capture.Options {
	return capture.Options{Name: r.o.Name, Task: task, Live: true, Bytes: r.o.Bytes}
}

// left reports whether a task does not stand still any longer as it was seen.
func (r *Run) left(ctx context.Context, slot int, words *[tasks.SlotWords]uint32) bool {
	var now [tasks.SlotWords]uint32
	err := r.target.ReadBuffer(ctx, "ring", slot*tasks.SlotWords, now[:])
	return err == nil && now != *words
}

// gone is an error of reading from a run, as what it is about.
func (r *Run) gone(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case over(r.target):
		return r.ended()
	}
	return err
}

// hit opens a task that a breakpoint of this debugger holds, or prints the message of the breakpoint and resumes the task.
func (r *Run) hit(ctx context.Context, c *capture.Capture, b attach.Break) (*attach.Stop, error) {
	counted := counts(b, c.Held.Hit) && !r.passing.isSpent(b.ID)
	if !counted && !othersAtLines(r, b.ID) {
		return nil, r.resume(ctx, c.Slot, c.Task)
	}
	if counted {
		if err := r.spent(ctx, b, c.Slot); err != nil {
			return nil, r.gone(ctx, err)
		}
	}
	stop, err := r.open(ctx, c)
	if err != nil {
		return nil, errors.Join(err, r.resume(ctx, c.Slot, c.Task))
	}
	if logs := r.lines(true); len(logs) > 0 || b.Log != "" {
		if said := r.say(ctx, stop.activation, logs); b.Log != "" && !said {
			r.tell(inPlaceOf(b, stop.Task, b.Log+notThere))
		}
		again, err := r.open(ctx, c)
		if err != nil {
			return nil, errors.Join(err, r.resume(ctx, c.Slot, c.Task))
		}
		stop = again
	}
	if b.Log != "" || !counted {
		other, at := r.alsoHit(ctx, stop.activation, b.ID)
		if other == nil {
			return nil, r.resume(ctx, c.Slot, c.Task)
		}
		if b, stop.At = *other, at; r.spent(ctx, b, c.Slot) != nil {
			return nil, r.gone(ctx, ctx.Err())
		}
	}
	r.opened.Store(&opened{task: c.Task, slot: c.Slot, own: true})
	stop.Why, stop.Break = attach.AtBreak, &b
	if b.Watch != "" {
		stop.Left = fmt.Sprintf("%d -> %d", c.Held.Old, c.Held.New)
		if w := stop.At.Write; w != nil && len(w.Old.Words) == 1 { // the captured buffer has the value of now
			w.Old.Words, w.New.Words = []uint32{c.Held.Old}, []uint32{c.Held.New}
		}
	}
	return &stop.Stop, nil
}

// activation is a stop with what it is of.
type activation struct {
	attach.Stop
	activation *capture.Activation
}

// open opens a captured activation.
func (r *Run) open(ctx context.Context, c *capture.Capture) (*activation, error) {
	own := *c // opening one adds notes to it
	own.Notes = slices.Clone(c.Notes)
	c = &own
	a, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	a.WithContext(ctx)
	return &activation{attach.Stop{
		Session: a.Session, At: a.Entry, Task: megakernel.TaskName(c.Task), Handler: c.Handler, Worker: c.Worker, Lane: c.Lane, Alone: !c.Together(),
		About: c.About(), Outcome: a.OutcomeText,
	}, a}, nil
}
