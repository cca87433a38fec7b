package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"
	"time"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Handlers are those of one of two sides whose results are compared.
type Handlers struct {
	Name     string
	Workload string         // with Config: whose handlers these are
	Config   *kernel.Config // whose handlers run; nil: the recorded ones
	File     string         // with Text: the recorded handlers, with the text of the file of this name replaced; "" for none
	Text     string
}

// Bisection is where two sets of handlers come to different results with the same inputs.
type Bisection struct {
	Schema    string   `json:"schema"`
	Recording string   `json:"recording"`
	Workload  string   `json:"workload"`
	A         string   `json:"a"`
	B         string   `json:"b"`
	Equal     bool     `json:"equal"`              // how the runs end
	Supposed  string   `json:"supposed,omitempty"` // what B is executed with, where it is what is supposed of A
	Published int      `json:"published"`
	Compared  int      `json:"activations"`     // that leave the same words, from the first on
	Tried     int      `json:"tried,omitempty"` // numbers of first tasks, where programs are compared
	First     *Parting `json:"first,omitempty"`
	End       []Unlike `json:"end"`                  // what differs at the end, the first word of each buffer and of the results
	Broken    string   `json:"ends_early,omitempty"` // why a side did not come to its end; the ends are not compared then
}

// BisectionSchema is that of the document.
const BisectionSchema = "vyretop.bisection/1"

// Parting is the first activation that leaves different words, or that only one side runs.
type Parting struct {
	Task       uint32   `json:"task"`
	Activation int      `json:"activation,omitempty"` // of the task, from 1; 0: not known, where programs are compared
	Parent     *uint32  `json:"parent,omitempty"`     // that spawned the task
	Handler    string   `json:"handler"`
	Epoch      uint32   `json:"epoch"`
	Input      int      `json:"input,omitempty"`   // the task's number among the published ones, from 1; 0: a handler spawned it
	Seconds    *float64 `json:"seconds,omitempty"` // position in the recording at which it was published
	Only       string   `json:"only,omitempty"`    // the side that runs it; "" for both
	Word       *Unlike  `json:"word,omitempty"`    // nil where only one side runs it
	WriterA    *Writer  `json:"writer_a,omitempty"`
	WriterB    *Writer  `json:"writer_b,omitempty"`
}

// Unlike is a word that differs, and how many others of the same kind do.
type Unlike struct {
	Buffer    string  `json:"buffer,omitempty"` // "" for a word of a task
	Index     int     `json:"index"`
	Name      string  `json:"name"`
	Task      *uint32 `json:"task,omitempty"`
	A         uint32  `json:"a"`
	B         uint32  `json:"b"`
	Different int     `json:"different,omitempty"` // words of the buffer, or tasks; at the end
}

// Bisect executes the inputs of a recording with the handlers of a and of b, one activation after the other on the reference
// interpreter, and finds the first activation that leaves different words. Errors are ErrNotExecutable and those of the kernels.
func Bisect(ctx context.Context, name string, rec *fixtures.Recording, a, b Handlers) (*Bisection, error) {
	p, err := newPlan(name, rec)
	if err != nil {
		return nil, err
	}
	out := &Bisection{Schema: BisectionSchema, Recording: name, Workload: p.header.Target.Workload, A: a.Name, B: b.Name, Published: p.tasks, End: []Unlike{}}
	plans := [2]*plan{}
	for i, h := range []Handlers{a, b} {
		if plans[i], err = p.with(h); err != nil {
			return nil, err
		}
	}
	return out.run(ctx, p, plans)
}

// run executes both sides and compares them.
func (out *Bisection) run(ctx context.Context, p *plan, plans [2]*plan) (_ *Bisection, err error) {
	quit := make(chan struct{})
	var sides [2]*side
	for i, plan := range plans {
		sides[i] = &side{trail: trail{plan: plan, out: make(chan *effect, 64), quit: quit, last: map[uint32]activations.Activation{}}}
	}
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	var running sync.WaitGroup
	for _, s := range sides {
		running.Go(func() { s.end, s.err = s.trail.follow(both) })
	}
	parted := out.part(sides[0].trail.out, sides[1].trail.out)
	close(quit)
	running.Wait()
	if err := out.broken(ctx, sides, parted != nil); err != nil {
		return nil, err
	}
	if out.Broken == "" {
		out.compareEnds(p, sides[0].end, sides[1].end)
	}
	out.Equal = len(out.End) == 0 && out.Broken == ""
	if parted == nil && !out.Equal {
		parted = out.partedAtTheEnd(p, sides)
	}
	if parted == nil {
		return out, nil
	}
	out.First, err = parted.describe(ctx, p, sides)
	return out, err
}

// side is one of the two runs.
type side struct {
	trail trail
	end   end
	err   error
}

// parting is where two runs part: two effects of one activation, or where a word is not named, what each runs next; nil: nothing.
type parting struct {
	a, b   *effect
	unlike *unlike
}

// part takes effects until two differ; nil if none do.
func (out *Bisection) part(as, bs <-chan *effect) *parting {
	for {
		a, b := <-as, <-bs
		switch {
		case a == nil && b == nil:
			return nil
		case a == nil || b == nil || a.Task != b.Task || a.Of != b.Of:
			return &parting{a: a, b: b}
		}
		if u, ok := differ(a, b); ok {
			return &parting{a, b, &u}
		}
		out.Compared++
	}
}

// broken keeps why a side did not end as long as the other side, or where they part, tells something.
func (out *Bisection) broken(ctx context.Context, sides [2]*side, parted bool) error {
	err := errors.Join(sides[0].err, sides[1].err)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil || !parted || !errors.Is(err, ErrNotExecutable) {
		return err
	}
	for i, name := range []string{out.A, out.B} {
		if sides[i].err != nil {
			out.Broken = fmt.Sprintf("with the handlers of %s: %v", name, sides[i].err)
		}
	}
	return nil
}

// RecordedHandlers are those of a recording.
func RecordedHandlers(name string, rec *fixtures.Recording) (*kernel.Config, error) {
	text, err := kernel.Unpack(rec.Header().Target.Kernel)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c, _ := text.WithThisKernel()
	return &c, nil
}

// with is the plan with other handlers.
func (p *plan) with(h Handlers) (*plan, error) {
	out := *p
	out.kernels = new(kernels)
	switch {
	case h.Config != nil:
		c := h.Config
		if err := h.fit(p); err != nil {
			return nil, err
		}
		out.config.Handlers, out.config.Sources, out.config.Resolver = c.Handlers, c.Sources, c.Resolver
		out.config.Operations, out.config.Automaton = c.Operations, c.Automaton
	case h.File != "":
		return out.withText(h)
	}
	return &out, nil
}

// fit refuses the handlers of another workload.
func (h *Handlers) fit(p *plan) error {
	other := megakernel.Target{Workload: h.Workload, Opcodes: map[uint32]string{}}
	for _, x := range h.Config.Handlers {
		other.Opcodes[x.Opcode] = x.Name
	}
	if err := megakernel.SameWorkload(&p.header.Target, &other); err != nil {
		return err
	}
	for _, in := range p.inputs {
		for i := range in.tasks {
			op := in.tasks[i].Opcode
			if _, own := other.Opcodes[op]; !own && slices.ContainsFunc(p.config.Handlers, func(x kernel.Handler) bool { return x.Opcode == op }) {
				return &fault.Error{Kind: ErrHandlers, Subject: h.Name, Detail: fmt.Sprintf("it has no handler for operation 0x%x (%s), which published tasks have", op, p.handler(op)), Fix: "give a version of " + p.header.Target.Workload + " with all of its operations"}
			}
		}
	}
	return nil
}

// withText replaces the text of one handler file, which is found by the last part of its name.
func (p *plan) withText(h Handlers) (*plan, error) {
	list := slices.Clone(p.config.Sources)
	var names []string
	for i, f := range list {
		names = append(names, path.Base(f.Name))
		if path.Base(f.Name) == path.Base(h.File) || len(list) == 1 {
			changed := *f
			changed.Text = h.Text
			list[i], p.config.Sources = &changed, list
			return p, nil
		}
	}
	return nil, &fault.Error{Kind: ErrHandlers, Subject: h.Name, Detail: fmt.Sprintf("the recording has no handler file of that name, but %v", names), Fix: "name the file as one of these, or give the workload's folder"}
}

// ErrHandlers is matched by errors about handlers that a recording cannot be executed with.
const ErrHandlers fault.Kind = "the handlers do not belong to the recording"

// published finds the number of a task among the published ones, from 1, and when it was published.
func (p *plan) published(task uint32) (n int, at time.Duration) {
	for _, in := range p.inputs {
		for i := range in.tasks {
			if n++; in.tasks[i].TaskID == task {
				return n, in.at
			}
		}
	}
	return 0, 0
}

// describe names what parted.
func (x *parting) describe(ctx context.Context, p *plan, sides [2]*side) (out *Parting, err error) {
	e := cmp.Or(x.a, x.b)
	of := sides[0].trail.plan
	if x.a == nil {
		of = sides[1].trail.plan
	}
	out = &Parting{Task: e.Task, Activation: e.Of, Handler: of.handler(e.Opcode), Epoch: e.Epoch}
	if n, at := p.published(e.Task); n > 0 {
		seconds := at.Seconds()
		out.Input, out.Seconds = n, &seconds
	} else if e.parent != 0 {
		out.Parent = &e.parent
	}
	switch u := x.unlike; {
	case u == nil && x.a == nil:
		out.Only = "b"
	case u == nil:
		out.Only = "a"
	case u.place.binding == megakernel.BindRing:
		name := tasks.WordNames[u.word]
		out.Word = &Unlike{Name: "task." + name, Index: u.word, Task: &e.Task, A: u.a, B: u.b}
		out.WriterA, err = sides[0].trail.plan.writerOfResult(ctx, 0, alone, name, x.a.Activation)
		if err == nil {
			out.WriterB, err = sides[1].trail.plan.writerOfResult(ctx, 0, alone, name, x.b.Activation)
		}
	default:
		buffer := p.bufferAt(u.place.binding)
		out.Word = &Unlike{Buffer: buffer, Index: u.place.word, Name: p.nameOf(buffer, u.place.word), A: u.a, B: u.b}
		out.WriterA, out.WriterB = sides[0].trail.plan.wrote(x.a, u), sides[1].trail.plan.wrote(x.b, u)
	}
	return out, err
}

// wrote is nil for an activation that does not write the word.
func (p *plan) wrote(e *effect, u *unlike) *Writer {
	c, ok := e.writes[u.place]
	if !ok {
		return nil
	}
	return p.writer(activations.Write{Activation: e.Activation, Line: c.line, Old: c.old, New: c.new})
}

// bufferAt is the name of the buffer at a binding.
func (p *plan) bufferAt(binding uint32) string {
	for i := range p.header.Target.Buffers {
		if b := &p.header.Target.Buffers[i]; b.Binding == binding {
			return b.Name
		}
	}
	return "control"
}
