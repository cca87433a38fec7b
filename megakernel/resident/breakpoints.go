package resident

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
)

// breakpoints is the breakpoints of a session. A change of them is a change of form.
type breakpoints struct {
	*life
	forms  *forms
	tuning *tuning

	breaks     breakState
	breakSteps uint32 // of their program; of the slicer alone
}

// Arm sets a breakpoint and waits until it is in force: every activation after that is looked at, none
// before. It returns the breakpoint with its id. Where ctx ends first, ErrPending says so, and the
// breakpoint is set all the same when the workers come to a boundary.
//
// While no breakpoint is set the kernel knows nothing of them. The first one compiles another variant of the
// kernel, unless ReadyBreakpoints has done so; later ones, and other conditions, only wait for a boundary. Those inside handlers
// need a variant of their own, which is one for all that are set while another one is compiled. A kernel that is
// specialized is for all opcodes again.
//
// Errors besides: *CompilingError, breakpoint.ErrCondition, ErrOption when there are too many, ErrWithdrawn where it was removed
// while the variant was compiled, ErrStopped, the backend's.
func (bs *breakpoints) Arm(ctx context.Context, b breakpoint.Breakpoint) (breakpoint.Status, error) {
	if err := b.Validate(); err != nil {
		return breakpoint.Status{}, err
	}
	asked, found := b, bs.text()
	if err := bs.placeIn(found, &b); err != nil {
		return breakpoint.Status{}, err
	}
	waiting, withdraw := context.WithCancelCause(ctx)
	defer withdraw(nil)
	coming := bs.breaks.expect(b)
	defer bs.breaks.forget(coming)
	p, err := bs.rebreak(waiting, "set", func() (*placed, error) {
		bs.breaks.arrived(coming)
		if now := bs.text(); now != found { // reloaded in the meantime
			b = asked
			if err := bs.placeIn(now, &b); err != nil {
				return nil, err
			}
		}
		p, err := bs.breaks.add(b)
		if err == nil {
			p.withdraw = withdraw
		}
		return p, err
	})
	if cause := context.Cause(waiting); err != nil && errors.Is(cause, ErrWithdrawn) {
		return breakpoint.Status{}, cause
	}
	if p == nil {
		return breakpoint.Status{}, err
	}
	return bs.statusOf(p), err
}

// placeIn completes the place of a breakpoint for a text, and checks it.
func (bs *breakpoints) placeIn(k *kernel.Kernel, b *breakpoint.Breakpoint) error {
	if err := findPlace(k, b); err != nil {
		return err
	}
	return bs.inside(b.Place)
}

// Expect has a kernel variant that is compiled look at breakpoints, too, that are to be set one after the other, until forget is
// called. What is wrong with one is told when it is set.
func (bs *breakpoints) Expect(list []breakpoint.Breakpoint) (forget func()) {
	var coming []*placed
	for _, b := range list {
		if b.Validate() == nil && findPlace(bs.text(), &b) == nil {
			coming = append(coming, bs.breaks.expect(b))
		}
	}
	return func() {
		for _, p := range coming {
			bs.breaks.forget(p)
		}
	}
}

// Disarm removes a breakpoint, all of them for id 0, and waits until no activation is looked at any longer;
// tasks that it holds stay as they are. No kernel is compiled for it before: slices run one without the breakpoint when there is one. One whose kernel variant is being compiled is not waited for. The errors are those of Arm;
// ErrOption when there is none of that id.
func (bs *breakpoints) Disarm(ctx context.Context, id int) error {
	if bs.breaks.withdraw(id) && id != 0 {
		return nil
	}
	_, err := bs.rebreak(ctx, "remove", func() (*placed, error) {
		return bs.breaks.edit(id, func(p *placed) { p.removed = true })
	})
	return err
}

// Enable switches a breakpoint on or off, all of them for id 0, and waits until that is in force; one that is
// off keeps its hits. The errors are those of Disarm.
func (bs *breakpoints) Enable(ctx context.Context, id int, on bool) error {
	op := "disable"
	if on {
		op = "enable"
	}
	_, err := bs.rebreak(ctx, op, func() (*placed, error) {
		return bs.breaks.edit(id, func(p *placed) { p.enabled = on })
	})
	return err
}

// Breakpoints lists the breakpoints with their hits, by id. Hits are exact while no slice runs; one that runs
// tells them at the next serving of each worker.
func (bs *breakpoints) Breakpoints() []breakpoint.Status {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	var out []breakpoint.Status
	for _, p := range bs.breaks.place {
		if p != nil {
			out = append(out, bs.status(p))
		}
	}
	return out
}

// rebreak makes a change of the breakpoints and waits until it is in force. The change returns the breakpoint
// that it is about, nil where it is about all; so does rebreak, unless the change cannot be made.
func (bs *breakpoints) rebreak(ctx context.Context, op string, change func() (*placed, error)) (about *placed, err error) {
	began, asked, trims := time.Now(), false, false
	err = bs.forms.reform(ctx, op+" a breakpoint", func(wanted *form) (*form, error) {
		bs.breaks.mu.Lock()
		saved := bs.breaks.save()
		p, err := change()
		armed := bs.breaks.armed()
		soon := bs.breaks.withComing(armed)
		if err == nil {
			bs.breaks.ask(saved, wanted.number+1, began)
		}
		bs.breaks.mu.Unlock()
		if err != nil {
			return nil, err
		}
		hot, workgroup := wanted.kernel.Config.Hot, wanted.kernel.Config.WorkgroupSize
		if c := &wanted.kernel.Config; !c.Holds.Breaks && len(c.Holds.Stops) == 0 {
			hot = nil // a variant for all opcodes is there, or will be soon
		}
		next, err := bs.forms.formFor(ctx, workgroup, hot, armed, soon)
		trims = err == nil && !suits(&next.kernel.Config, armed)
		bs.breaks.mu.Lock()
		defer bs.breaks.mu.Unlock()
		if p != nil {
			p.withdraw = nil
		}
		if err != nil {
			bs.breaks.restore(saved)
			return nil, err
		}
		about, asked = p, true
		return next, nil
	})
	if trims {
		go bs.trim()
	}
	if asked {
		bs.tellBreak(op, about, time.Since(began), err)
	}
	if asked && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = &fault.Error{
			Kind: ErrPending, Subject: breakName(op, about), Cause: err, Fix: "wait for the running activations to end, or stop the run",
			Detail: fmt.Sprintf("not acknowledged after %v, no boundary was reached; it is done when one is", time.Since(began).Round(time.Microsecond)),
		}
	}
	return about, err
}

// trim has slices run a kernel variant without the breakpoints that were removed. Nothing waits for it, so it is compiled in the
// background; it ends with the session.
func (bs *breakpoints) trim() {
	ctx := engine.InBackground(context.Background())
	if compiled, err := bs.forms.variant(ctx, bs.leanest()); err == nil {
		defer compiled.release() // the variant stays, and the form below shares it
	}
	trimmed := false
	err := bs.forms.reform(ctx, "trim the kernel", func(wanted *form) (*form, error) { // a failure leaves what runs
		bs.breaks.mu.Lock()
		armed := bs.breaks.armed()
		bs.breaks.mu.Unlock()
		if c := &wanted.kernel.Config; c.Core || suits(c, armed) {
			return nil, nil // another change was faster
		}
		trimmed = true
		return bs.forms.exactForm(ctx, wanted.kernel.Config.WorkgroupSize, wanted.kernel.Config.Hot, armed, armed)
	})
	if trimmed && err == nil {
		bs.events("compile", "slices run a kernel variant without the breakpoints that were removed")
	}
}

// leanest is the variant that does what the breakpoints need, and no more.
func (bs *breakpoints) leanest() variantKey {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	return keyFor(bs.forms.Workgroup(), bs.breaks.armed())
}

// breakName says what was asked for.
func breakName(op string, p *placed) string {
	if p == nil {
		return op + " all breakpoints"
	}
	return fmt.Sprintf("%s breakpoint %d", op, p.id)
}

func (bs *breakpoints) tellBreak(op string, p *placed, took time.Duration, err error) {
	text := breakName(op, p)
	if p != nil && op == "set" {
		text += ": " + p.Breakpoint.String()
	}
	state := "in force"
	if err != nil {
		state = "not acknowledged"
	}
	bs.events("breakpoint", fmt.Sprintf("%s: %s after %v", text, state, took.Round(time.Microsecond)))
}

// NoteFailedVerification counts a failed verification of the result as a hit of the breakpoints that wait for one.
func (bs *breakpoints) NoteFailedVerification() {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	for _, p := range bs.breaks.armed() {
		if p.Place != nil && p.Place.Event == megakernel.StopVerification {
			p.failed++
		}
	}
}

// HoldsEnd is the number of a breakpoint that holds the run behind its end, 0 for none, and why: the verification of its result has
// failed, or tasks have faulted, which would be gone.
func (bs *breakpoints) HoldsEnd() (id int, why string) {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	for _, p := range bs.breaks.armed() {
		switch {
		case p.Action != breakpoint.Stop:
		case p.failed > 0:
			return p.id, "the verification of its result has failed"
		case p.Place != nil && p.Place.Event == megakernel.StopFault && bs.status(p).Hits > 0:
			return p.id, "tasks have faulted"
		}
	}
	return 0, ""
}

// AwaitReleased waits until no breakpoint holds the run behind its end.
func (bs *breakpoints) AwaitReleased(ctx context.Context) error {
	return bs.await(ctx, "wait for the end of a hold", func() bool {
		id, _ := bs.HoldsEnd()
		return id == 0
	})
}

// hadBreakpoints reports whether a breakpoint is in force or ever was.
func (bs *breakpoints) hadBreakpoints() bool { return bs.breaks.had.Load() }

// takeBreaks brings the breakpoints of a form into force. No slice is running.
func (bs *breakpoints) takeBreaks(f *form) {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	if len(f.breaks) > 0 {
		bs.breaks.had.Store(true)
	}
	var program []uint32
	for _, p := range f.breaks {
		if !p.begun {
			bs.begin(p)
		}
		if p.Place == nil {
			program = p.Append(program, p.id-1, p.before)
		}
	}
	bs.inbox.CopyFrom(megakernel.InboxBreaks, program)
	bs.breakSteps = uint32(len(program)/megakernel.BreakStepWords) | armStops(bs.inbox, f)<<16
	for i, p := range bs.breaks.place {
		if p == nil || p.change > f.number || p.latency != 0 {
			continue
		}
		p.latency = max(time.Since(p.asked), 1)
		if p.removed {
			bs.breaks.place[i] = nil
		}
	}
}

// begin notes where the counters of a place are when a breakpoint gets it.
func (bs *breakpoints) begin(p *placed) {
	p.begun, p.before = true, 0
	for w := range megakernel.MaxWorkers {
		now := bs.outbox.Load(bs.hitsAt(p) + w)
		p.counts = append(p.counts, count{before: now})
		p.before += now
	}
	bs.outbox.Store(bs.lastHitAt(p), 0)
}

func (bs *breakpoints) hitsAt(p *placed) int {
	return megakernel.OutHits + (p.id-1)*megakernel.MaxWorkers
}

func (bs *breakpoints) lastHitAt(p *placed) int {
	return megakernel.OutHits + megakernel.MaxBreaks*megakernel.MaxWorkers + p.id - 1
}

// keepHits extends the counters of the hits, after each slice.
func (bs *breakpoints) keepHits(f *form) {
	if len(f.breaks) == 0 {
		return
	}
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	most := bs.tuning.mostWorkers()
	for _, p := range f.breaks {
		for w := range p.counts[:most] {
			p.counts[w].total = p.counts[w].at(bs.outbox.Load(bs.hitsAt(p) + w))
		}
	}
}

func (bs *breakpoints) statusOf(p *placed) breakpoint.Status {
	bs.breaks.mu.Lock()
	defer bs.breaks.mu.Unlock()
	return bs.status(p)
}

// status reads what became of a breakpoint. The caller holds breaks.mu.
func (bs *breakpoints) status(p *placed) breakpoint.Status {
	out := breakpoint.Status{ID: p.id, Breakpoint: p.Breakpoint, Enabled: p.enabled && !p.removed, Pending: p.latency == 0, Latency: p.latency}
	out.Program = slices.Clone(p.Program)
	if out.Pending {
		out.Latency = time.Since(p.asked)
		_, _, out.Compiling = bs.forms.variants.compiling(variantKey.holds)
	}
	if !p.begun {
		return out
	}
	for w := range p.counts[:bs.tuning.mostWorkers()] {
		if n := p.counts[w].at(bs.outbox.Load(bs.hitsAt(p) + w)); n > 0 {
			out.Workers = append(out.Workers, breakpoint.WorkerHits{Worker: w, Hits: n})
			out.Hits += n
		}
	}
	if out.Hits += p.failed; p.failed > 0 {
		return out
	}
	if out.Hits > 0 {
		out.Task = bs.outbox.Load(bs.lastHitAt(p))
	}
	return out
}
