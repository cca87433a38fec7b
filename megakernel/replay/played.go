package replay

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// Played plays a recording whose run can be executed again.
type Played struct {
	*fixtures.Player

	Name string // of the recording
	Rec  *fixtures.Recording

	// Handlers reads handlers that users name; nil: they cannot.
	Handlers func(ctx context.Context, name string) (Handlers, error)

	late *atomic.Int64 // position from which on executing the run takes too long, in nanoseconds; 0: not known
}

// NewPlayed makes what plays a recording.
func NewPlayed(player *fixtures.Player, name string, rec *fixtures.Recording) Played {
	return Played{Player: player, Name: name, Rec: rec, late: new(atomic.Int64)}
}

// patience is how long somebody who looks at a screen waits for an activation.
const patience = 2 * time.Second

// Activation captures a task of a position in the recording as its next activation finds it, by executing the run again. Where that
// takes longer than 2 s, which is not tried again behind that position, the task has the words that are recorded, and buffers are as the run began. Errors are those of
// the function of that name and of capture.Take.
func (p Played) Activation(ctx context.Context, from capture.Source, o capture.Options) (*capture.Capture, error) {
	snap, slot, err := findTask(ctx, from, o.Task)
	if err != nil {
		return nil, err
	}
	plan, err := newPlan(p.Name, p.Rec)
	if err != nil {
		return nil, err
	}
	w := Wanted{Task: o.Task, Words: snap.Slot(slot)[:], Bytes: o.Bytes, Within: patience}
	if late := p.late.Load(); late > 0 && int64(snap.Taken) >= late { // it was tried before
		return plan.atPosition(ctx, from, o, patience)
	}
	r, c, err := plan.reachOr(ctx, w, from, o)
	if err == nil && r == nil {
		p.late.Store(int64(snap.Taken))
	}
	return c, err
}

// findTask reads a position and the number of the slot that holds a task there.
func findTask(ctx context.Context, from capture.Source, task uint32) (*megakernel.Snapshot, int, error) {
	snap, err := from.Now(ctx)
	if err != nil {
		return nil, 0, err
	}
	slot, ok := snap.FindTask(task, -1)
	if !ok {
		return nil, 0, &fault.Error{Kind: ErrActivation, Detail: "no slot holds task " + megakernel.TaskName(task) + " at this position", Fix: "go to a position at which it is in the ring"}
	}
	return snap, slot, nil
}

// otherHandlers begins a change that names handlers.
const otherHandlers = "handlers="

// Suppose executes the run as it was recorded and with changes from the activation of a task on that begins at a position, or the last one of a task
// that has ended, and writes how the two compare. A change is a word and its value, as ParseValue reads it, or "handlers=" and a name.
func (p Played) Suppose(ctx context.Context, from capture.Source, task uint32, changes []string, w io.Writer) error {
	snap, slot, err := findTask(ctx, from, task)
	if err != nil {
		return err
	}
	s, with := &Supposed{Task: task}, Handlers{}
	h := p.Rec.Header()
	for _, text := range changes {
		if name, ok := strings.CutPrefix(text, otherHandlers); ok && p.Handlers != nil {
			with, err = p.Handlers(ctx, name)
		} else {
			var v Value
			v, err = ParseValue(&h, text)
			s.Set = append(s.Set, v)
		}
		if err != nil {
			return err
		}
	}
	plan, err := newPlan(p.Name, p.Rec)
	if err != nil {
		return err
	}
	if s.Number, err = beginning(ctx, plan, task, snap.Slot(slot)[:]); err != nil {
		return err
	}
	out, err := suppose(ctx, plan, s, with)
	if err != nil {
		return err
	}
	return out.Write(w)
}

// beginning is the number of the activation of a task that begins with the words of its slot, or of the last one.
func beginning(ctx context.Context, p *plan, task uint32, words []uint32) (n int, err error) {
	last := 0
	f := activations.New(func(a activations.Activation, m activations.Memory) {
		if a.Task != task {
			return
		}
		if last = a.Of; n == 0 && sameWords(words, slotOf(m, a.Slot)) {
			n = a.Of
		}
	}, nil)
	if err := p.follow(ctx, 0, alone, f); err != nil {
		return 0, err
	}
	switch {
	case last == 0:
		return 0, neverRuns(p.name, task)
	case tasks.State(words[tasks.WordState]).Terminal():
		return last, nil
	case n == 0:
		return 0, p.missed(ctx, Wanted{Task: task, Words: words})
	}
	return n, nil
}
