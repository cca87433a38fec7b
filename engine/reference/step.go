package reference

import (
	"context"
	"fmt"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/vm"
)

// StepUnit is how far a step goes.
type StepUnit uint8

// The units of a step.
const (
	StepInstruction StepUnit = iota
	StepLine                 // to another source line, into calls too
	StepOver                 // to another source line of the same call or of a caller
	StepOut                  // out of the innermost call
)

// Workgroups calls visit for each workgroup that has begun and not ended, in the order of their numbers.
// Visit runs on the goroutine of the dispatch and must not call the debugger.
func (g *Debugger) Workgroups(ctx context.Context, visit func(*Workgroup)) error {
	return g.act(ctx, func(s *scheduler) {
		list := slices.Clone(s.running)
		slices.SortFunc(list, func(a, b resident) int { return int(int64(a.number) - int64(b.number)) })
		for _, r := range list {
			visit(&Workgroup{r, g.d.pipeline})
		}
	})
}

// Step runs one workgroup alone and says where it stands then.
func (g *Debugger) Step(ctx context.Context, number uint64, unit StepUnit) (Stop, error) {
	var stop Stop
	found := false
	err := g.act(ctx, func(s *scheduler) {
		for _, r := range s.running {
			if r.number == number {
				stop, found = g.step(r, unit), true
			}
		}
	})
	if err == nil && !found {
		err = invalid("step", fmt.Sprintf("workgroup %d is not under way", number), "step one that Workgroups lists")
	}
	return stop, err
}

// step runs until done holds for where the workgroup has come to.
func (g *Debugger) step(r resident, unit StepUnit) Stop {
	w := &Workgroup{r, g.d.pipeline}
	start, depth := w.Site(), len(w.Stack())
	stop := Stop{Reason: StopLimit, Workgroup: r.number}
	for range stepLimit {
		g.d.progress.instructions.Add(uint64(r.Run(1)))
		if r.State() != vm.Running {
			stop.Reason = map[vm.State]StopReason{vm.Ended: StopEnded, vm.Failed: StopFailed, vm.Waiting: StopWaiting}[r.State()]
			break
		}
		if unit.done(start, depth, w) {
			stop.Reason = StopStep
			break
		}
	}
	stop.Site = w.Site()
	return stop
}

// done reports whether a step that began at start, that many calls deep, is over.
func (u StepUnit) done(start vm.Site, depth int, w *Workgroup) bool {
	now := w.Site()
	switch u {
	case StepInstruction:
		return true
	case StepLine:
		return now.Call != start.Call || !sameLine(now.Pos, start.Pos)
	case StepOver:
		deeper := len(w.Stack()) > depth
		return !deeper && (len(w.Stack()) < depth || !sameLine(now.Pos, start.Pos))
	default:
		return len(w.Stack()) < depth
	}
}

func sameLine(a, b source.Pos) bool { return a.Line == b.Line && a.File == b.File }
