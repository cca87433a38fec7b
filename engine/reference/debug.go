package reference

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Debugger pauses a dispatch, steps its workgroups and shows their variables. It acts on the goroutine
// of the dispatch, between two instructions; all workgroups stand still in the meantime. Its methods may be
// called from any goroutine. The methods that look or step need a paused dispatch.
type Debugger struct {
	d     *Dispatch
	acts  chan func(*scheduler)
	pause atomic.Bool
	until atomic.Pointer[Predicate]
	stops chan Stop
}

// Predicate decides before each instruction whether the dispatch pauses there.
type Predicate func(w *Workgroup) bool

// StopReason says why a workgroup stands still.
type StopReason uint8

// The reasons of a Stop.
const (
	StopStep      StopReason = iota // the step is done
	StopPredicate                   // the predicate of StopWhen held
	StopEnded                       // the workgroup has ended
	StopFailed                      // the workgroup failed; the dispatch ends when it continues
	StopLimit                       // the step did not end within stepLimit instructions
	StopWaiting                     // the workgroup waits at a grid barrier for the others
)

var stopNames = [...]string{"step", "predicate", "ended", "failed", "limit", "waiting"}

// String names the reason.
func (r StopReason) String() string { return stopNames[r] }

// Stop says where a workgroup stands still, and why.
type Stop struct {
	Reason    StopReason
	Workgroup uint64 // number in the grid, x fastest
	Site      vm.Site
}

// stepLimit bounds the instructions of one step: a loop on one line may never leave it.
const stepLimit = 1 << 20

// Attach returns the debugger of a dispatch. It is an ErrUnsupportedFeature in parallel mode.
func (d *Dispatch) Attach() (*Debugger, error) {
	if d.pipeline.backend.opts.Parallel > 0 {
		return nil, &engine.Error{Code: engine.CodeUnsupportedFeature, Backend: backendName, Feature: "debugger",
			Op:     fmt.Sprintf("attach to %q", d.cfg.Label),
			Detail: "workgroups run in parallel", Fix: "open the backend without Parallel"}
	}
	d.debugger.CompareAndSwap(nil, &Debugger{d: d, acts: make(chan func(*scheduler)), stops: make(chan Stop, 1)})
	return d.debugger.Load(), nil
}

// Pause makes all workgroups stand still; it returns when they do.
func (g *Debugger) Pause(ctx context.Context) error {
	g.pause.Store(true)
	return g.act(ctx, func(*scheduler) {})
}

// Resume lets a paused dispatch continue.
func (g *Debugger) Resume(ctx context.Context) error {
	return g.act(ctx, func(*scheduler) { g.pause.Store(false) })
}

// StopWhen pauses the dispatch before the first instruction for which p holds, and sends a Stop to Stops.
// It then asks p no more. A nil p takes the predicate back. While one is set the dispatch runs slowly.
func (g *Debugger) StopWhen(p Predicate) {
	if p == nil {
		g.until.Store(nil)
		return
	}
	g.until.Store(&p)
}

// Stops receives a Stop for each predicate that held.
func (g *Debugger) Stops() <-chan Stop { return g.stops }

// act runs f on the goroutine of the dispatch, once that is paused.
func (g *Debugger) act(ctx context.Context, f func(*scheduler)) error {
	done := make(chan struct{})
	select {
	case g.acts <- func(s *scheduler) { defer close(done); f(s) }:
		<-done
		return nil
	case <-g.d.done:
		return invalid("debug", "the dispatch has ended", "attach to a running one")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// run is one slice of a workgroup under a debugger.
func (g *Debugger) run(s *scheduler, r resident, limit int) int {
	g.stand(s)
	p := g.until.Load()
	if p == nil || g.d.halt.Load() != nil {
		return r.Run(limit)
	}
	w := &Workgroup{r, g.d.pipeline}
	n := 0
	for ; n < limit && r.State() == vm.Running; n++ {
		if (*p)(w) {
			g.until.CompareAndSwap(p, nil)
			g.pause.Store(true)
			g.announce(Stop{StopPredicate, r.number, w.Site()})
			g.stand(s)
			return n
		}
		r.Run(1)
	}
	return n
}

// announce sends a stop; one that has not been read yet makes room.
func (g *Debugger) announce(stop Stop) {
	select {
	case <-g.stops:
	default:
	}
	g.stops <- stop
}

// stand does what the debugger is asked while the dispatch is paused.
func (g *Debugger) stand(s *scheduler) {
	for g.pause.Load() {
		select {
		case f := <-g.acts:
			f(s)
		case <-g.d.halting:
			return
		}
	}
}

// Workgroup is a workgroup that stands still. It is valid until the dispatch continues.
type Workgroup struct {
	resident
	pipeline *Pipeline
}

// Number is the workgroup's number in the grid, x fastest.
func (w *Workgroup) Number() uint64 { return w.number }

// Site is the source place of the next instruction.
func (w *Workgroup) Site() vm.Site { return w.Code().Site(w.PC()) }

// Stack lists the inlined calls that are open, innermost first.
func (w *Workgroup) Stack() []vm.Call { return w.Code().Stack(w.PC()) }

// Value is a variable of one invocation.
type Value struct {
	Variable *tree.Variable
	Call     int32    // the inlined call it belongs to, index in Code().Calls, or -1
	Words    []uint32 // its components, densely
}

// Variables lists the variables that lane has at this place, in the order of their declarations, those
// of callers included; nil for a lane that does not exist.
func (w *Workgroup) Variables(lane int) []Value {
	var list []Value
	for _, v := range w.pipeline.lowered.Vars {
		if w.PC() < v.From || w.PC() >= v.To {
			continue
		}
		words := w.Register(v.Reg, v.Variable.Type.Components(), lane)
		if words == nil {
			return nil
		}
		list = append(list, Value{v.Variable, v.Call, words})
	}
	return list
}

// Shared lists the workgroup's shared variables as they are now.
func (w *Workgroup) Shared() []Value {
	var list []Value
	for _, v := range w.pipeline.lowered.Shared {
		memory := w.Memory(w.pipeline.lowered.SharedSpace)
		list = append(list, Value{v.Variable, -1, slices.Clone(memory[v.Word:][:v.Variable.Type.Components()])})
	}
	return list
}
