package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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

// Begin opens a task that stands still already, or says how to hold one.
func Begin(r *REPL) error {
	stop, err := r.run.Standing(contextOf(r), "")
	if err != nil {
		return err
	}
	if stop == nil {
		r.print("note", fmt.Sprintf("attached to %s: no task is held. break LINE sets a breakpoint in %s, and continue waits for a task that comes there", r.run.Name(), strings.Join(r.run.Files(), ", ")), nil)
		return nil
	}
	onRun{r}.open(stop)
	return nil
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
	for _, s := range r.run.List() {
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
	if err := r.run.Release(contextOf(r.REPL)); err != nil {
		return err
	}
	r.close()
	return r.wait(r.run.Wait)
}

// wait opens the task that f comes back with. Ctrl-C ends it.
func (r onRun) wait(f func(context.Context) (*attach.Stop, error)) error {
	stop, err := f(contextOf(r.REPL))
	switch {
	case err == nil:
		r.open(stop)
		return nil
	case errors.Is(err, context.Canceled):
		r.print("note", "no task is held: continue waits on, pause opens a task that waits", nil)
		return nil
	}
	return err
}

// pause opens the next activation of a task that waits.
func pause(r *REPL, arg string) error { return onRun{r}.pauseRun(arg) }

func (r onRun) pauseRun(arg string) error {
	switch {
	case r.run == nil:
		return usage("pause is of a live run", "open one: vyretop debug RUN")
	case arg != "":
		return usage("unexpected argument "+quote(arg), "leave it out")
	}
	if err := r.run.Release(contextOf(r.REPL)); err != nil {
		return err
	}
	r.close()
	return r.wait(r.run.Hold)
}

// clearTime bounds taking back a breakpoint that is not waited for any longer.
const clearTime = 5 * time.Second

// events are the words that break takes in place of a line.
var events = []string{"fault", "undefined", "statement", "spawn", "verification"}

// breakInRun sets a breakpoint in the run.
func (r onRun) breakInRun(verb, arg string, o debugger.BreakOptions) error {
	b := attach.Break{Log: o.Log}
	if o.Once {
		b.Hits = debugger.Hits{Op: "==", N: 1}
	}
	if word, _, _ := strings.Cut(arg, " "); slices.Contains(events, word) && o.Log == "" {
		b.Event = arg
		return r.setInRun(b, "")
	}
	file, line, parsed, err := options(verb, arg)
	if err != nil {
		return err
	}
	b.File, b.Line, b.If = file, line, parsed.Condition
	if parsed.Hits.Op != "" {
		b.Hits = parsed.Hits
	}
	return r.setInRun(b, parsed.Condition)
}

// setInRun sets a breakpoint and prints it when it is in force.
func (r onRun) setInRun(b attach.Break, condition string) error {
	found, err := r.run.Find(b)
	if err != nil {
		return pointed(condition, err)
	}
	r.print("note", "setting "+found.String()+": the run may compile a kernel for it", nil)
	set, err := r.run.Set(contextOf(r.REPL), found)
	if errors.Is(err, context.Canceled) {
		ctx, cancel := context.WithTimeout(context.Background(), clearTime)
		defer cancel()
		return errors.Join(usage("the breakpoint is not set", "set it again, and wait until the run has compiled its kernel"), r.run.Clear(ctx, found))
	}
	if err != nil {
		return pointed(condition, err)
	}
	r.mirrorBreaks()
	r.print("breakpoint", fmt.Sprintf("breakpoint %d at %s", set.ID, set), map[string]any{"id": set.ID, "file": set.File, "line": set.Line, "watch": set.Watch})
	return nil
}

// breakpointsOfRun lists the breakpoints of the run, those of others too.
func (r onRun) breakpointsOfRun() {
	list := r.run.List()
	if len(list) == 0 {
		r.print("breakpoint", "no breakpoints", nil)
	}
	for _, s := range list {
		text := fmt.Sprintf("breakpoint %d at %s, hits: %d", s.ID, s.Text, s.Hits)
		switch {
		case !s.Own:
			text += ", set by another client"
		case s.Pending:
			text += ", not in force yet"
		}
		r.print("breakpoint", text, map[string]any{"id": s.ID, "file": s.File, "line": s.Line, "watch": s.Watch, "hits": s.Hits, "own": s.Own})
	}
}

// ownOf is a breakpoint of this debugger in the run.
func (r onRun) ownOf(id int) (attach.Break, error) {
	for _, s := range r.run.List() {
		switch {
		case s.ID == id && s.Own:
			return s.Break, nil
		case s.ID == id:
			return s.Break, usage(fmt.Sprintf("breakpoint %d is of another client", id), fmt.Sprintf("remove it with: vyretop do bp delete %d", id))
		}
	}
	return attach.Break{}, noBreakpoint(id)
}

// clearInRun removes a breakpoint of this debugger, or all.
func (r onRun) clearInRun(arg string) error {
	var list []attach.Break
	if arg == "all" {
		for _, s := range r.run.List() {
			if s.Own {
				list = append(list, s.Break)
			}
		}
	} else {
		id, err := number("clear", arg)
		if err != nil {
			return err
		}
		b, err := r.ownOf(id)
		if err != nil {
			return err
		}
		list = append(list, b)
	}
	for _, b := range list {
		if err := r.run.Clear(contextOf(r.REPL), b); err != nil {
			return err
		}
		r.print("breakpoint", fmt.Sprintf("breakpoint %d removed", b.ID), map[string]any{"id": b.ID, "removed": true})
	}
	r.mirrorBreaks()
	return nil
}

// conditionInRun sets a breakpoint again, with another condition.
func (r onRun) conditionInRun(id int, condition string) error {
	b, err := r.ownOf(id)
	if err != nil {
		return err
	}
	changed := b
	changed.ID, changed.If = 0, condition
	if _, err := r.run.Find(changed); err != nil {
		return pointed(condition, err)
	}
	if err := r.run.Clear(contextOf(r.REPL), b); err != nil {
		return err
	}
	return r.setInRun(changed, condition)
}

// watchInRun watches a value of a buffer in the run; a variable of the open activation is watched there.
func (r onRun) watchInRun(arg string) error {
	if arg == "" && r.Session == nil {
		return usage("say what to watch", "write: watch EXPR [if CONDITION], and clear ID to remove it")
	}
	if arg == "" {
		return watchHere(r.REPL, "")
	}
	expr, condition, _ := strings.Cut(arg, " if ")
	b := attach.Break{Watch: strings.TrimSpace(expr), If: strings.TrimSpace(condition)}
	if _, err := r.run.Find(b); err != nil {
		if r.Session != nil && condition == "" && debugger.IsPlace(r.Session, arg) {
			return watchHere(r.REPL, arg)
		}
		return err
	}
	return r.setInRun(b, b.If)
}
