package replay

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// ErrActivation is matched by errors about an activation that the run does not have when it is executed again.
const ErrActivation fault.Kind = "no such activation"

// Wanted says which activation of a task is opened.
type Wanted struct {
	Task   uint32
	Number int      // among those of the task, from 1; 0: the last one, or that of Words
	Words  []uint32 // of the task's slot before the activation; nil, or those of a task that has ended: any
	Bytes  int      // most bytes of buffers; 0: capture.DefaultBytes

	Within time.Duration // how long the run is executed again, of Take and Played; 0: DefaultWithin
}

// Reached is an activation of a recorded run that was executed again, up to its beginning.
type Reached struct {
	*capture.Capture
	*History

	Number int // among those of the task, from 1
}

// alone is the shape in which activations run one after the other.
var alone = shape{workers: 1, lanes: 1, single: true}

// Activation executes a recorded run again, on one lane of the reference interpreter, up to an activation, and captures that with what it
// finds in the buffers. Errors are ErrNotExecutable, ErrActivation, and those of the target.
func Activation(ctx context.Context, name string, rec *fixtures.Recording, w Wanted) (*Reached, error) {
	p, err := newPlan(name, rec)
	if err != nil {
		return nil, err
	}
	return p.activation(ctx, w)
}

func (p *plan) activation(ctx context.Context, w Wanted) (_ *Reached, err error) {
	if err := p.fits(cmp.Or(w.Bytes, capture.DefaultBytes)); err != nil {
		return nil, err
	}
	if w.Words != nil && tasks.State(w.Words[tasks.WordState]).Terminal() {
		w.Words = nil
	}
	if w.Number == 0 && w.Words == nil {
		if w.Number, err = p.lastOf(ctx, w.Task); err != nil {
			return nil, err
		}
	}
	var at activations.Activation
	c, err := p.capture(ctx, 0, alone, func(a activations.Activation, m activations.Memory) bool {
		at = a
		return a.Task == w.Task && (w.Number == 0 || a.Of == w.Number) && (w.Words == nil || sameWords(w.Words, slotOf(m, a.Slot)))
	})
	if err == nil && c == nil {
		err = p.missed(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	c.Notes = append(c.Notes, fmt.Sprintf("activation %d of the task, executed again from the recording on one lane, after %d activations of all tasks", at.Of, at.Number-1))
	return &Reached{Capture: c, Number: at.Of, History: &History{plan: p, before: at.Number - 1}}, nil
}

// fits refuses a run whose buffers are too large to be copied.
func (p *plan) fits(most int) error {
	total := p.rings() + 4*min(max(p.config.Slots, 0), megakernel.MaxSlots)*tasks.SlotWords
	for _, b := range p.header.Start.Buffers {
		total += 4 * b.Words
	}
	if total > most {
		return p.cannot(fmt.Sprintf("its buffers have %d MiB, and an activation is opened with at most %d MiB", total>>20, most>>20), "raise --limit")
	}
	return nil
}

// lastOf counts the activations of a task.
func (p *plan) lastOf(ctx context.Context, task uint32) (n int, err error) {
	f := activations.New(func(a activations.Activation, _ activations.Memory) {
		if a.Task == task {
			n = a.Of
		}
	}, nil)
	if err := p.follow(ctx, 0, alone, f); err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, neverRuns(p.name, task)
	}
	return n, nil
}

func neverRuns(name string, task uint32) error {
	return noActivation(name, task, "the task never runs", "vyretop tasks lists the tasks that are there; spawned tasks may have other numbers each time")
}

// missed is the error about an activation that did not come.
func (p *plan) missed(ctx context.Context, w Wanted) error {
	n, err := p.lastOf(ctx, w.Task)
	if err != nil {
		return err
	}
	if w.Words != nil {
		return noActivation(p.name, w.Task, fmt.Sprintf("none of its %d activations begins with the words that its slot has at that position", n), "leave out --at and give --activation, 1 to "+fmt.Sprint(n))
	}
	return noActivation(p.name, w.Task, fmt.Sprintf("it has %s, not %d", units.Plural(n, "activation"), w.Number), "give --activation 1 to "+fmt.Sprint(n))
}

func noActivation(name string, task uint32, detail, fix string) error {
	return &fault.Error{Kind: ErrActivation, Subject: name + ", task " + megakernel.TaskName(task) + ", executed again", Detail: detail, Fix: fix}
}

// slotOf is a copy of the words of a slot.
func slotOf(m activations.Memory, slot int) []uint32 {
	for binding, words := range m {
		if binding == megakernel.BindRing {
			return copyOf(words[slot*tasks.SlotWords:][:tasks.SlotWords])
		}
	}
	return nil
}

// sameWords compares the words of a slot that handlers decide.
func sameWords(a, b []uint32) bool {
	for _, w := range capture.Handled {
		if a[w] != b[w] {
			return false
		}
	}
	return true
}

// Possible reports whether the recording of a run says that it has what executing it again needs. Activation may still find something missing.
func Possible(rec *fixtures.Recording) bool {
	s := rec.Header().Start
	return s != nil && s.Incomplete == "" && !rec.Truncated()
}
