package capture

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// faulting bounds the time in which a faulted activation is run again to find the line of its fault.
const faulting = time.Second

// goToFault runs an activation that has faulted again, from the words that its slot has, and goes to the line that asked for
// the fault. Where it does not fault in the same way, the session stands at the beginning, and a note says so.
func (a *Activation) goToFault(ctx context.Context) {
	c := a.Capture
	code := megakernel.FaultCode(c.slotWord(tasks.WordContinuationData))
	if c.Held != nil || tasks.State(c.slotWord(tasks.WordState)) != tasks.Faulted {
		return
	}
	if code.OfKernel() {
		c.Notes = append(c.Notes, "no line of the handler asked for the fault: "+code.String())
		return
	}
	limited, cancel := context.WithTimeout(ctx, faulting)
	defer cancel()
	a.WithContext(limited)
	at, found := a.toFault()
	again := megakernel.FaultCode(0)
	if v, err := a.Eval("vt_fault_code"); found && err == nil {
		again = megakernel.FaultCode(v.Words[0])
	}
	stop, ok := a.Entry, false
	if again == code {
		stop, ok = a.backTo(at, debugger.AtFault)
	}
	switch {
	case !ok && limited.Err() != nil:
		c.Notes = append(c.Notes, fmt.Sprintf("the line of the fault was not reached within %v: continue runs on to it", faulting))
	case !ok && found && again != code:
		c.Notes = append(c.Notes, fmt.Sprintf("with the words that the slot has after the fault, the activation faults with %v, and not with %v", again, code))
	case !ok:
		c.Notes = append(c.Notes, "with the words that the slot has after the fault, the activation does not fault again: this is its first line")
	}
	a.WithContext(ctx)
	if !ok {
		a.toStart()
		return
	}
	a.Entry = stop
}

// toFault runs to where the handler asks for a fault and finds the line of the workload that does.
func (a *Activation) toFault() (at source.Pos, found bool) {
	w, err := debugger.FindWatchpoint(a.Session, "vt_fault_site")
	if err != nil {
		return at, false
	}
	debugger.SetWatchpoints(a.Session, w)
	defer debugger.SetWatchpoints(a.Session)
	stop := a.Continue(debugger.Forward)
	for stop.Reason == debugger.AtBreak { // at a breakpoint() statement
		stop = a.Continue(debugger.Forward)
	}
	if stop.Reason != debugger.Written {
		return at, false
	}
	return a.ownLine()
}

// backTo goes back to the beginning of a line that the activation has come from, and stands there for a reason.
func (a *Activation) backTo(at source.Pos, why debugger.Reason) (debugger.Stop, bool) {
	b, err := a.Break(at.File, at.Line, debugger.BreakOptions{})
	if err != nil {
		return a.Entry, false
	}
	defer a.Clear(b.ID)
	stop := a.Continue(debugger.Back)
	for stop.Reason == debugger.AtBreak && stop.Breakpoint != b.ID {
		stop = a.Continue(debugger.Back)
	}
	stop.Breakpoint = 0
	if stop.Reason != debugger.AtBreak {
		return a.Entry, false
	}
	stop.Reason = why
	return stop, true
}
