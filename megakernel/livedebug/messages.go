package livedebug

import (
	"context"
	"slices"
	"sync"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/attach"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
)

// notThere is said where a message cannot be made.
const notThere = " (the activation does not come there on the interpreter: words that it reads have changed since)"

// lines are the breakpoints of this debugger at lines: those with a message, or the others.
func (r *Run) lines(messages bool) (list []attach.Break) {
	for _, b := range r.owned() {
		if b.Line != 0 && (b.Log != "") == messages {
			list = append(list, b)
		}
	}
	return list
}

// othersAtLines reports whether there are breakpoints at lines besides the one of a number: the run names only one of those that an
// activation has hit.
func othersAtLines(r *Run, id int) bool {
	return slices.ContainsFunc(r.owned(), func(b attach.Break) bool { return b.Line != 0 && b.ID != id })
}

// inPlaceOf is a text in place of the message of a breakpoint for a task.
func inPlaceOf(b attach.Break, task, text string) attach.Report {
	report := attach.Report{Report: debugger.Report{Text: text}, Break: b, Task: task}
	report.Pos.File, report.Pos.Line = b.File, b.Line
	return report
}

func (r *Run) tell(p attach.Report) {
	r.mu.Lock()
	report := r.report
	r.mu.Unlock()
	if report != nil {
		report(p)
	}
}

// say reports the messages of breakpoints, as often as the activation comes to their places, and whether there were any. The
// activation is at its end then.
func (r *Run) say(ctx context.Context, a *capture.Activation, list []attach.Break) (said bool) {
	a.WithContext(ctx)
	a.Restart()
	of := map[int]attach.Break{}
	for _, b := range list {
		if own, err := a.Break(b.File, b.Line, debugger.BreakOptions{Condition: b.If, Log: b.Log}); err == nil {
			of[own.ID] = b
			continue
		} else if said = true; r.passing.first(b.ID) {
			r.tell(inPlaceOf(b, megakernel.TaskName(a.Capture.Task), b.Log+" (no message for any task: "+err.Error()+")"))
		}
	}
	a.OnReport(func(p debugger.Report) {
		said = true
		r.tell(attach.Report{Report: p, Break: of[p.Breakpoint], Task: megakernel.TaskName(a.Capture.Task)})
	})
	debugger.ReportHere(a.Session)
	a.Finish()
	a.OnReport(nil)
	return said
}

// alsoHit finds a breakpoint that stops, where one of a number that does not holds the task: the run names only one. The activation
// stands there then.
func (r *Run) alsoHit(ctx context.Context, a *capture.Activation, but int) (*attach.Break, debugger.Stop) {
	hits := map[int]uint64{}
	for _, s := range r.target.Breakpoints() {
		hits[s.ID] = s.Hits
	}
	a.WithContext(ctx)
	a.Restart()
	of := map[int]attach.Break{}
	for _, b := range r.lines(false) {
		if b.ID == but || r.passing.isSpent(b.ID) {
			continue
		}
		if own, err := a.Break(b.File, b.Line, debugger.BreakOptions{Condition: b.If}); err == nil && stopsAt(b, hits[b.ID]) {
			of[own.ID] = b
		}
	}
	stop, stands := debugger.Stands(a.Session, func(b *debugger.Breakpoint) bool { _, ok := of[b.ID]; return ok })
	if stands {
		b := of[stop.Breakpoint]
		return &b, stop
	}
	for len(of) > 0 {
		stop := a.Continue(debugger.Forward)
		if b, ok := of[stop.Breakpoint]; ok && stop.Reason == debugger.AtBreak {
			return &b, stop
		}
		if stop.Reason != debugger.AtBreak {
			break
		}
	}
	return nil, debugger.Stop{}
}

// stopsAt reports whether a breakpoint stops at about that hit: the count is as old as the newest snapshot.
func stopsAt(b attach.Break, hits uint64) bool {
	n := uint64(b.Hits.N)
	switch b.Hits.Op {
	case ">=", "==":
		return hits >= n
	case ">":
		return hits > n
	case "%":
		return hits%n == 0
	}
	return true
}

// passing are breakpoints, by number, that pass over what comes to them. It may be used by several goroutines.
type passing struct {
	mu     sync.Mutex
	spent  map[int]bool // they stop once, and have stopped
	silent map[int]bool // their message cannot be made, which was told
}

// forget is of a breakpoint that was set again.
func (p *passing) forget(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.spent, id)
	delete(p.silent, id)
}

func (p *passing) spend(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spent[id] = true
}

func (p *passing) isSpent(id int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent[id]
}

// first reports whether it is to be told that the message of a breakpoint cannot be made: it would be the same for each task.
func (p *passing) first(id int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	told := p.silent[id]
	p.silent[id] = true
	return !told
}
