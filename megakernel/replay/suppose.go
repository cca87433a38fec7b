package replay

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// ErrSupposed is matched by errors about words that cannot be given another value.
const ErrSupposed fault.Kind = "the word cannot be set"

// Supposed are words that have other values from the beginning of an activation on.
type Supposed struct {
	Task   uint32
	Number int // of the activation, among those of the task, from 1
	Set    []Value
}

// Value is what a word is given.
type Value struct {
	Name    string // as it is printed
	Binding uint32 // of the buffer; BindRing for a word of the task's slot
	Word    int
	Value   uint32
}

// Suppose executes the run of a recording twice, one activation after the other on the reference interpreter: as recorded, and with
// words that have other values from the beginning of an activation on, and perhaps with other handlers from there on. It says where the two part and
// how they end. Errors are ErrNotExecutable, ErrActivation, and those of the kernels.
func Suppose(ctx context.Context, name string, rec *fixtures.Recording, s *Supposed, b Handlers) (*Bisection, error) {
	p, err := newPlan(name, rec)
	if err != nil {
		return nil, err
	}
	return suppose(ctx, p, s, b)
}

func suppose(ctx context.Context, p *plan, s *Supposed, b Handlers) (*Bisection, error) {
	var other *later
	if b.Config != nil || b.File != "" {
		with, err := p.with(b)
		if err != nil {
			return nil, err
		}
		p.stepped, other = true, &later{config: with.config}
	}
	number, err := numberOf(ctx, p, s)
	if err != nil {
		return nil, err
	}
	with := *p
	with.supposed = s
	if other != nil {
		other.from, with.later = number, other
	}
	out := &Bisection{Schema: BisectionSchema, Recording: p.name, Workload: p.header.Target.Workload, A: p.name, B: p.name, Published: p.tasks, Supposed: s.text(b.Name), End: []Unlike{}}
	return out.run(ctx, p, [2]*plan{p, &with})
}

// numberOf is the number among all activations of that which is supposed of.
func numberOf(ctx context.Context, p *plan, s *Supposed) (number int, err error) {
	last := 0
	f := activations.New(watched(p, func(a activations.Activation, _ activations.Memory) {
		if a.Task != s.Task {
			return
		}
		if last = a.Of; a.Of == s.Number {
			number = a.Number
		}
	}), nil)
	if err := p.follow(ctx, 0, alone, f); err != nil {
		return 0, err
	}
	switch {
	case last == 0:
		err = neverRuns(p.name, s.Task)
	case number == 0:
		err = noActivation(p.name, s.Task, fmt.Sprintf("it has %s, not %d", units.Plural(last, "activation"), s.Number), "give --activation 1 to "+fmt.Sprint(last))
	}
	return number, err
}

// text says what is supposed.
func (s *Supposed) text(handlers string) string {
	var list []string
	for _, v := range s.Set {
		list = append(list, fmt.Sprintf("%s = %d", v.Name, v.Value))
	}
	at := fmt.Sprintf("activation %d of task %s", s.Number, megakernel.TaskName(s.Task))
	switch text := strings.Join(list, ", ") + " before " + at; {
	case handlers == "":
		return text
	case len(list) == 0:
		return "the handlers of " + handlers + " from " + at + " on"
	default:
		return text + ", and the handlers of " + handlers + " from there on"
	}
}

// ParseValue reads "task.param=5", or the name of a word of a buffer as commands print it, such as "total[3]=7". Errors are ErrSupposed,
// words.ErrPlace, and layout.ErrValue.
func ParseValue(h *fixtures.Header, text string) (v Value, err error) {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || value == "" {
		return v, &fault.Error{Kind: ErrSupposed, Subject: fmt.Sprintf("%q", text), Detail: "it is not an assignment", Fix: "write one such as task.param=5 or total[3]=7"}
	}
	if word, task := strings.CutPrefix(name, "task."); task {
		return taskValue(name, word, value)
	}
	names := words.For(h.Target.Buffers)
	at, err := names.Find(name, func(string) int { return 0 })
	if err != nil {
		return v, err
	}
	own := names.Own(at.Buffer)
	if own == nil || own.Binding < megakernel.FirstUserBinding || at.Words != 1 {
		return v, &fault.Error{Kind: ErrSupposed, Subject: name, Detail: "it is not one word of a buffer of the workload", Fix: "name one as vyretop words prints it, or a word of the task, such as task.param"}
	}
	v = Value{Name: names.Name(at.Buffer, at.Index), Binding: own.Binding, Word: at.Index}
	v.Value, err = wordOf(at.Kind, value)
	return v, err
}

// taskValue is the value of a word of the task's slot that handlers decide.
func taskValue(name, word, value string) (v Value, err error) {
	var known []string
	for _, w := range capture.Handled {
		known = append(known, "task."+tasks.WordNames[w])
		if tasks.WordNames[w] == word {
			v = Value{Name: name, Binding: megakernel.BindRing, Word: w}
			v.Value, err = wordOf(layout.None, value)
			return v, err
		}
	}
	return v, &fault.Error{Kind: ErrSupposed, Subject: name, Detail: "no handler decides a word of this name", Fix: fault.Use(name, known)}
}

// wordOf reads a value as the kind of its word.
func wordOf(k layout.Kind, text string) (uint32, error) {
	if v, err := units.Parse(text, 32); err == nil && (k == layout.None || k == layout.Uint) {
		return uint32(v), nil
	}
	return layout.ParseValue(k, text)
}

// edit writes what is supposed into the memory of one execution.
type edit struct {
	*Supposed
	done bool           // the activation has begun
	were map[int]uint32 // words of the slot before
}

// follower follows the activations of an execution, with what is supposed; s may be nil.
func (s *Supposed) follower(begins func(a activations.Activation, m activations.Memory)) *activations.Follower {
	if s == nil {
		return activations.New(begins, nil)
	}
	e := &edit{Supposed: s}
	f := activations.New(func(a activations.Activation, m activations.Memory) {
		e.begins(a, m)
		begins(a, m)
	}, nil)
	f.Loads(e.loads)
	return f
}

// loads writes the words of the slot: the kernel reads them before the activation begins.
func (e *edit) loads(a activations.Activation, m activations.Memory) {
	if e.done || a.Task != e.Task || a.Of != e.Number {
		return
	}
	first := e.were == nil
	if first {
		e.were = map[int]uint32{}
	}
	for binding, list := range m {
		if binding != megakernel.BindRing {
			continue
		}
		slot := list[a.Slot*tasks.SlotWords:][:tasks.SlotWords]
		for _, v := range e.Set {
			if v.Binding == megakernel.BindRing {
				was := atomic.SwapUint32(&slot[v.Word], v.Value)
				if first {
					e.were[v.Word] = was
				}
			}
		}
	}
}

// begins writes the words of buffers.
func (e *edit) begins(a activations.Activation, m activations.Memory) {
	if e.done || a.Task != e.Task || a.Of != e.Number {
		return
	}
	e.done = true
	for binding, list := range m {
		for _, v := range e.Set {
			if v.Binding == binding && binding != megakernel.BindRing && v.Word < len(list) {
				atomic.StoreUint32(&list[v.Word], v.Value)
			}
		}
	}
}

// hide takes the edit out of the words that the activation before left in the slot: that has not changed them. e may be nil.
func (e *edit) hide(of *effect, slot []uint32) {
	if e == nil || of.Task != e.Task || of.Of != e.Number-1 {
		return
	}
	for word, was := range e.were {
		slot[word] = was
	}
}
