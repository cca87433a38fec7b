package capture

import (
	"fmt"
	"slices"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
)

// toHit runs to the place of the hit: to its line, the write of the watched value, or what happened in the activation.
func (a *Activation) toHit() (stop debugger.Stop, reached bool) {
	switch h := a.Capture.Held; {
	case h.Line != 0:
		return a.toLine(h)
	case h.Watch != "":
		return a.toWrite(h.Watch)
	case h.Event != "":
		return a.toEvent(h)
	}
	return a.Entry, true
}

// leaveHit removes what stops a run at the place of the hit.
func (a *Activation) leaveHit() {
	a.Clear(a.hitBreak)
	debugger.SetWatchpoints(a.Session)
}

// toLine runs to the line of a breakpoint, which the session has under the number of the run.
func (a *Activation) toLine(h *Held) (debugger.Stop, bool) {
	b, err := a.Break(h.File, h.Line, debugger.BreakOptions{Condition: h.If})
	if err != nil {
		return a.Entry, false
	}
	a.Clear(b.ID)
	b.ID = max(h.Breakpoint, 1)
	debugger.Rebreak(a.Session, []*debugger.Breakpoint{b})
	a.hitBreak = b.ID
	return a.toBreak(func(b *debugger.Breakpoint) bool { return b.ID == a.hitBreak })
}

func (a *Activation) toWrite(place string) (debugger.Stop, bool) {
	w, err := debugger.FindWatchpoint(a.Session, place)
	if err != nil {
		return a.Entry, false
	}
	debugger.SetWatchpoints(a.Session, w)
	return a.forward(func(s debugger.Stop) bool { return s.Reason == debugger.Written })
}

// forward runs until a stop is the one that is looked for. ok is false where the activation ends before.
func (a *Activation) forward(is func(debugger.Stop) bool) (stop debugger.Stop, ok bool) {
	for {
		stop = a.Continue(debugger.Forward)
		if is(stop) {
			return stop, true
		}
		if ended(stop) {
			return stop, false
		}
	}
}

// toEvent runs to the line of the workload at which the event of a breakpoint happens.
func (a *Activation) toEvent(h *Held) (debugger.Stop, bool) {
	switch h.Event {
	case megakernel.StopStatement:
		return a.toBreak(func(b *debugger.Breakpoint) bool { return b.Statement })
	case megakernel.StopUndefined:
		debugger.StopOnUndefined(a.Session, func(u debugger.Undefined) bool { return !u.DivisionByZero() })
		defer debugger.StopOnUndefined(a.Session, nil)
		return a.forward(func(s debugger.Stop) bool { return s.Reason == debugger.Trapped })
	case megakernel.StopFault:
		if at, found := a.toFault(); found {
			return a.backTo(at, debugger.AtFault)
		}
	case megakernel.StopSpawn:
		if at, found := a.toSpawn(h.Opcode); found {
			return a.backTo(at, debugger.AtBreak)
		}
		return a.Entry, false
	}
	return a.Entry, true
}

// toBreak runs to a breakpoint, unless the activation begins at it.
func (a *Activation) toBreak(is func(*debugger.Breakpoint) bool) (debugger.Stop, bool) {
	if stop, stands := debugger.Stands(a.Session, is); stands {
		return stop, true
	}
	return a.forward(func(s debugger.Stop) bool {
		return s.Reason == debugger.AtBreak && slices.ContainsFunc(a.Breakpoints(), func(b *debugger.Breakpoint) bool { return b.ID == s.Breakpoint && is(b) })
	})
}

// toSpawn runs to where a task of an opcode is spawned, and finds the line of the workload that does.
func (a *Activation) toSpawn(opcode uint32) (at source.Pos, found bool) {
	defer debugger.SetWatchpoints(a.Session)
	_, found = a.toWrite(fmt.Sprintf("sched[%d]", megakernel.SchedSpawnID))
	for found {
		if v, err := a.Eval("opcode"); err == nil && v.Words[0] == opcode {
			return a.ownLine()
		}
		_, found = a.forward(func(s debugger.Stop) bool { return s.Reason == debugger.Written })
	}
	return at, false
}

// ownLine is the line of the workload that has led to where the activation stands.
func (a *Activation) ownLine() (at source.Pos, found bool) {
	for _, f := range a.Stack() {
		if !IsKernelFile(f.Pos.File) {
			return f.Pos, true
		}
	}
	return at, false
}
