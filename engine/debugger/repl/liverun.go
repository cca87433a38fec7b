package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/attach"
)

// liveRun is what a debugger of a live run has besides a session, which is nil while no task is open.
type liveRun struct {
	attach.Run
	opened *attach.Stop
	mirror map[int]int // breakpoints of the run by those of the open session
	ended  bool        // the open activation is at its end
}

// onRun are the commands of a debugger of a live run.
type onRun struct{ *REPL }

// Attach makes the commands those of a debugger of a live run.
func Attach(r *REPL, run attach.Run) {
	r.run = &liveRun{Run: run}
	run.OnReport(func(p attach.Report) {
		r.print("log", fmt.Sprintf("%s: task %s: %s", at(p.Pos), p.Task, p.Text),
			map[string]any{"breakpoint": p.Break.ID, "file": p.Pos.File, "line": p.Pos.Line, "task": p.Task, "message": p.Text})
	})
}

// Holding is the task that is open because a breakpoint of this debugger holds it, "" for none.
func Holding(r *REPL) string {
	if r.run == nil || r.run.opened == nil || r.run.opened.Why != attach.AtBreak {
		return ""
	}
	return r.run.opened.Task
}

// WithContext ends commands with a context.
func (r *REPL) WithContext(ctx context.Context) {
	r.ctx = ctx
	if r.Session != nil {
		r.Session.WithContext(ctx)
	}
}

func contextOf(r *REPL) context.Context {
	if r.ctx == nil {
		return context.Background()
	}
	return r.ctx
}

// Begin says whether the run is steered from here, and opens a task that stands still already, or says how to hold one.
func Begin(r *REPL) error {
	steers, control := r.run.Steers(), "note: this debugger has control of "+r.run.Name()+" until it quits; other clients need --control to steer it"
	if !steers {
		control = "note: another client has control of " + r.run.Name() + ": breakpoints cannot be set. Fix: quit, and attach with --control"
	}
	r.print("note", control, map[string]any{"control": steers})
	stop, err := r.run.Standing(contextOf(r), "")
	if err != nil {
		return err
	}
	if stop == nil {
		r.print("note", fmt.Sprintf("attached to %s: no task is held. break LINE sets a breakpoint in %s, and continue waits for a task that comes there", r.run.Name(), strings.Join(r.run.Files(), ", ")), nil)
		if run, ok := r.run.Run.(attach.Resumer); ok && steers && run.AllPaused() {
			r.print("note", "note: all workers are paused: continue resumes them", nil)
		}
		return nil
	}
	onRun{r}.open(stop)
	return nil
}

// End says what was left behind when the run was left, and that control was given back.
func End(r *REPL, e attach.End) {
	if e == attach.Terminate {
		r.print("note", "ended "+r.run.Name(), nil)
		return
	}
	text := "detached from " + r.run.Name()
	if task := Holding(r); task != "" {
		text += ": task " + task + map[attach.End]string{attach.Resume: " was resumed", attach.Leave: " stays held"}[e]
	}
	if r.run.Steers() {
		text += "; breakpoints are removed, control is given back"
	}
	r.print("note", text, nil)
}

// open shows a task that stands still.
func (r onRun) open(stop *attach.Stop) {
	r.run.opened, r.run.ended = stop, false
	if stop.Session == nil {
		r.close()
		r.print("result", stop.About, map[string]any{"breakpoint": stop.Break.ID})
		return
	}
	r.Session, r.Outcome = stop.Session, stop.Outcome
	r.Session.WithContext(contextOf(r.REPL))
	r.mirrorBreaks()
	fields := map[string]any{"task": stop.Task, "handler": stop.Handler, "worker": stop.Worker, "lane": stop.Lane}
	if stop.Break != nil {
		fields["breakpoint"] = stop.Break.ID
	}
	r.print("task", stop.About, fields)
	at := stop.At
	if stop.Break != nil {
		at.Breakpoint = stop.Break.ID
	}
	r.stopped(at)
}

// close forgets the open task.
func (r onRun) close() { r.run.opened, r.Session, r.Outcome = nil, nil, nil }

// mirrorBreaks has the open session stop at the lines at which the run holds tasks, but for those that count or print: hits of the
// run are activations.
func (r onRun) mirrorBreaks() {
	if r.Session == nil {
		return
	}
	for _, b := range r.Session.Breakpoints() {
		if !b.Statement {
			r.Session.Clear(b.ID)
		}
	}
	r.run.mirror = map[int]int{}
	list := r.run.List()
	for _, b := range r.Session.Breakpoints() { // statements: the numbers of the run's own breakpoints are others
		r.run.mirror[b.ID] = 0
		for _, s := range list {
			if s.Own && s.Event == "statement" {
				r.run.mirror[b.ID] = s.ID
			}
		}
	}
	for _, s := range list {
		if !s.Own || s.Line == 0 || s.Break.Hits.Op != "" || s.Log != "" {
			continue
		}
		if b, err := r.Session.Break(s.File, s.Line, debugger.BreakOptions{Condition: s.If}); err == nil {
			r.run.mirror[b.ID] = s.ID
		}
	}
}

// continueRun runs the open activation to its next breakpoint, else lets the task continue and waits for the next one that is held.
func (r onRun) continueRun() error {
	if r.Session != nil && !r.run.ended {
		stop := r.Session.Continue(debugger.Forward)
		r.stopped(stop)
		if stop.Reason != debugger.Ended && stop.Reason != debugger.LaneEnded {
			return nil
		}
	}
	run, paused := r.run.Run.(attach.Resumer)
	paused = paused && run.AllPaused() && (r.run.opened == nil || r.run.opened.Why != attach.Paused)
	if err := r.run.Release(contextOf(r.REPL)); err != nil {
		return err
	}
	r.close()
	if paused {
		r.print("note", "all workers were paused: they are resumed", nil)
		if err := run.ResumeAll(contextOf(r.REPL)); err != nil {
			return err
		}
	}
	if held := r.heldByOthers(); held != "" {
		r.print("note", held+": they wait until vyretop do resume all, or debug "+r.run.Name()+" --task ID opens one", nil)
	}
	return r.wait(r.run.Wait)
}

// heldByOthers says which tasks stand still that this debugger does not wait for, "" for none.
func (r onRun) heldByOthers() string {
	if run, ok := r.run.Run.(attach.Shared); ok {
		return run.HeldByOthers()
	}
	return ""
}

// wait opens the task that f comes back with. Ctrl-C ends it.
func (r onRun) wait(f func(context.Context) (*attach.Stop, error)) error {
	stop, err := f(contextOf(r.REPL))
	switch {
	case err == nil:
		r.open(stop)
		return nil
	case errors.Is(err, context.Canceled):
		r.print("note", cmp.Or(r.heldByOthers(), "no task is held")+": continue waits on, pause opens a task that waits", nil)
		return nil
	}
	return err
}

// pause opens the next activation of a task that waits.
func pause(r *REPL, _ string) error { return onRun{r}.pauseRun() }

func (r onRun) pauseRun() error {
	if r.run == nil {
		return usage("pause is of a live run", "open one: vyretop debug RUN")
	}
	if err := r.run.Release(contextOf(r.REPL)); err != nil {
		return err
	}
	r.close()
	return r.wait(r.run.Hold)
}
