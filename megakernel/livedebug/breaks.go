package livedebug

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// ErrBreak is the kind of the errors about breakpoints that a run cannot have.
const ErrBreak fault.Kind = "breakpoint is not possible in a run"

// Find implements attach.Run.
func (r *Run) Find(b attach.Break) (attach.Break, error) {
	want, err := r.wanted(b)
	if err != nil {
		return b, err
	}
	p := want.Place
	found, err := r.texts.kernel().FindStop(kernel.Stop{File: p.File, Line: p.Line, Watch: p.Watch, Event: p.Event, Opcode: p.Opcode, Condition: p.If})
	if err != nil {
		return b, kernel.BreakpointError(err)
	}
	if b.File = found.File; found.Line != b.Line {
		b.Asked, b.Line = b.Line, found.Line
	}
	return b, nil
}

// wanted is a breakpoint as the run sets it.
func (r *Run) wanted(b attach.Break) (w breakpoint.Breakpoint, err error) {
	switch n := uint32(b.Hits.N); b.Hits.Op {
	case "":
	case ">=", "==": // behind the Nth one, it is disabled
		w.After = n - 1
	case ">":
		w.After = n
	case "%":
		w.Every = n
	default:
		return w, &fault.Error{Kind: ErrBreak, Detail: fmt.Sprintf("a run cannot count hits %s%d", b.Hits.Op, b.Hits.N), Fix: "use N, >=N, >N or %N"}
	}
	switch {
	case b.Event != "":
		w, err = r.event(w, b.Event)
	case b.Watch != "":
		w.Place = &breakpoint.Place{Watch: b.Watch, If: b.If}
		w.Condition = w.Place.String()
	default:
		w.Place = &breakpoint.Place{File: b.File, Line: b.Line, If: b.If}
	}
	if err == nil {
		err = w.Validate()
	}
	return w, err
}

// event completes a breakpoint at an event: "fault", "spawn OPCODE".
func (r *Run) event(w breakpoint.Breakpoint, text string) (breakpoint.Breakpoint, error) {
	read, err := command.ParseBreakpoint(text)
	if err != nil {
		return w, err
	}
	if read.Place == nil || read.Place.Event == "" {
		return w, &fault.Error{Kind: ErrBreak, Subject: text, Detail: "unknown event", Fix: "use fault, undefined, statement, verification or spawn OPCODE"}
	}
	order := command.BreakOrder{Do: command.BreakSet, Set: read}
	if err := order.Compile(r.target.Target().Opcodes); err != nil {
		return w, err
	}
	w.Place, w.Condition = order.Set.Place, order.Set.Condition
	return w, nil
}

// Set implements attach.Run.
func (r *Run) Set(ctx context.Context, b attach.Break) (attach.Break, error) {
	want, err := r.wanted(b)
	if err != nil {
		return b, err
	}
	if err := checkMessage(b); err != nil {
		return b, err
	}
	r.mu.Lock()
	r.setting++
	r.mu.Unlock()
	status, err := arm(ctx, r, want, b.ID)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setting--
	if err != nil {
		return b, err
	}
	b.ID = status.ID
	r.own[b.ID] = b
	r.passing.forget(b.ID)
	return b, nil
}

// arm sets a breakpoint in the run, in place of the one of a number; 0 for none. That one is disabled before, so that a task that it
// holds by then can be told from those that the new one holds.
func arm(ctx context.Context, r *Run, want breakpoint.Breakpoint, number int) (breakpoint.Status, error) {
	if number == 0 {
		return r.target.Arm(ctx, want)
	}
	if err := r.target.Enable(ctx, number, false); err != nil {
		return breakpoint.Status{}, err
	}
	want.Replaces = number
	err := r.resumeHeld(ctx, r.opened.Load().at(), func(held int) bool { return held == number })
	var status breakpoint.Status
	if err == nil {
		status, err = r.target.Arm(ctx, want)
	}
	if err != nil && ctx.Err() == nil {
		err = errors.Join(err, r.target.Enable(ctx, number, true))
	}
	return status, err
}

// at is the slot of the task that is open, -1 for none.
func (o *opened) at() int {
	if o == nil {
		return -1
	}
	return o.slot
}

// checkMessage says what is wrong with the braces of a message; its expressions are known where a task is open.
func checkMessage(b attach.Break) error {
	for rest := b.Log; ; {
		_, after, open := strings.Cut(rest, "{")
		if !open {
			return nil
		}
		expr, behind, closed := strings.Cut(after, "}")
		if !closed || strings.TrimSpace(expr) == "" {
			return &fault.Error{Kind: ErrBreak, Subject: b.Log, Detail: "an expression of the message is not complete", Fix: "write each one as {EXPR}"}
		}
		rest = behind
	}
}

// Clear implements attach.Run. The tasks that the breakpoint holds are resumed, but for the one that is open.
func (r *Run) Clear(ctx context.Context, b attach.Break) error {
	id := b.ID
	if id == 0 {
		id = r.findPending(b)
	}
	if id == 0 {
		return nil
	}
	r.passing.spend(id)             // at once: a kernel may be compiled before the run takes the change
	err := r.target.Disarm(ctx, id) // fails where a reload has removed it; what it held is resumed all the same
	r.mu.Lock()
	_, own := r.own[id]
	delete(r.own, id)
	r.mu.Unlock()
	if !own {
		return err
	}
	return errors.Join(err, r.resumeHeld(ctx, r.opened.Load().at(), func(held int) bool { return held == id })) // no wait looks for them any longer
}

// findPending is the number of a breakpoint that the run is about to set, 0 where it is not listed.
func (r *Run) findPending(b attach.Break) int {
	want, err := r.wanted(b)
	if err != nil {
		return 0
	}
	for _, s := range r.target.Breakpoints() {
		p := s.Place
		if s.Pending && p != nil && p.File == want.Place.File && p.Line == want.Place.Line && p.Watch == want.Place.Watch && p.Event == want.Place.Event && p.If == want.Place.If {
			return s.ID
		}
	}
	return 0
}

// clearAll removes the breakpoints of this debugger.
func (r *Run) clearAll(ctx context.Context) error {
	var failed []error
	for _, b := range r.owned() {
		if err := r.target.Disarm(ctx, b.ID); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// owned are the breakpoints of this debugger, at the lines to which reloads have moved them.
func (r *Run) owned() (list []attach.Break) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.target.Breakpoints() {
		if b, ok := r.own[s.ID]; ok && s.Place != nil && s.Place.Line != 0 && s.Place.Line != b.Line {
			b.File, b.Line, b.Asked = s.Place.File, s.Place.Line, 0
			r.own[s.ID] = b
		}
	}
	for _, b := range r.own {
		list = append(list, b)
	}
	return list
}

// ownBreak is a breakpoint of this debugger by its number in the run. sure is false where one is being set that could be it.
func (r *Run) ownBreak(id int) (b attach.Break, ok, sure bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, ok = r.own[id]
	return b, ok, ok || r.setting == 0
}

// List implements attach.Run. The run's own list is as old as the newest snapshot.
func (r *Run) List() (list []attach.Status) {
	own := r.owned()
	for _, b := range own {
		list = append(list, attach.Status{Break: b, Own: true, Text: b.String()})
	}
	for _, s := range r.target.Breakpoints() {
		i := slices.IndexFunc(own, func(b attach.Break) bool { return b.ID == s.ID })
		if i >= 0 {
			list[i].Hits, list[i].Pending = s.Hits, s.Pending
			continue
		}
		list = append(list, attach.Status{Break: attach.Break{ID: s.ID}, Hits: s.Hits, Pending: s.Pending, Text: s.Breakpoint.String()})
	}
	slices.SortFunc(list, func(a, b attach.Status) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// spent disables a breakpoint that stops once, at the task of a slot, and resumes the others that it has held by then. Where they may
// have hit another one, a wait looks at each.
func (r *Run) spent(ctx context.Context, b attach.Break, slot int) error {
	if b.Hits.Op != "==" {
		return nil
	}
	if err := r.target.Enable(ctx, b.ID, false); err != nil {
		return err
	}
	r.passing.spend(b.ID)
	if othersAtLines(r, b.ID) {
		return nil
	}
	return r.resumeHeld(ctx, slot, func(id int) bool { return id == b.ID })
}

// holder is the number of the breakpoint that holds the task of a slot, 0 for none.
func holder(w *[tasks.SlotWords]uint32) int {
	t := tasks.Task{State: tasks.State(w[tasks.WordState]), Flags: w[tasks.WordFlags]}
	return int(t.Breakpoint())
}

// counts reports whether a hit of a number, from 1, is one that the breakpoint stops at. The run counts those behind the
// Nth one too, until the breakpoint is disabled.
func counts(b attach.Break, hit uint32) bool {
	return b.Hits.Op != "==" || hit == uint32(b.Hits.N)
}
