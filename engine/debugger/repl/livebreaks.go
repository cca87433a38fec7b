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

// clearTime bounds taking back a breakpoint that is not waited for any longer.
const clearTime = 5 * time.Second

// events are the words that break takes in place of a line.
var events = []string{"fault", "undefined", "statement", "spawn", verification}

// breakInRun sets a breakpoint in the run.
func (r onRun) breakInRun(verb, arg string, o debugger.BreakOptions) error {
	b := attach.Break{Log: o.Log}
	if o.Once {
		b.Hits = debugger.Hits{Op: "==", N: 1}
	}
	if word, _, _ := strings.Cut(arg, " "); slices.Contains(events, word) && o.Log == "" {
		return r.breakAtEvent(b, arg)
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

// verification is the event that is of the run, so that it happens once.
const verification = "verification"

// breakAtEvent sets a breakpoint at an event: "fault", "spawn OPCODE hit N".
func (r onRun) breakAtEvent(b attach.Break, arg string) error {
	event, hits, err := cutHits(arg)
	if err != nil {
		return err
	}
	if b.Event = event; hits.Op != "" {
		b.Hits = hits
	}
	if event == verification && hits.Op != "" {
		return usage("the result is verified once: "+verification+" takes no hit count", "write: break "+verification)
	}
	return r.setInRun(b, "")
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

// conditionInRun gives a breakpoint another condition. It keeps its number.
func (r onRun) conditionInRun(id int, condition string) error {
	b, err := r.ownOf(id)
	if err != nil {
		return err
	}
	if b.Event != "" && condition != "" {
		return usage(fmt.Sprintf("breakpoint %d is at an event, which takes no condition", id), "set one with break LINE if EXPR")
	}
	b.If = condition
	return r.setInRun(b, condition)
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
