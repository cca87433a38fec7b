package repl

import (
	"errors"
	"fmt"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
)

const help = `continue, next, step, stepout, barrier   run; with rev before it, run back
break LINE [if EXPR]                     set a breakpoint
condition ID [EXPR]                      change the condition of a breakpoint
breakpoints, clear ID                    list, remove
print EXPR, set PLACE = EXPR             read and change
watch [EXPR]                             stop at writes to a place; none: no longer
writes EXPR                              go back to the last write to a place
locals, stack, lanes, groups, list       look
lane N, group N                          select
quit                                     end; an empty line repeats`

var verbs map[string]func(*REPL, string) error

func init() {
	verbs = map[string]func(*REPL, string) error{
		"break": (*REPL).breakAt, "b": (*REPL).breakAt, "condition": (*REPL).condition, "breakpoints": (*REPL).breakpoints,
		"clear": (*REPL).clear, "print": (*REPL).printValue, "p": (*REPL).printValue, "set": (*REPL).set,
		"watch": (*REPL).watch, "writes": (*REPL).writes, "locals": (*REPL).locals, "stack": (*REPL).stack,
		"bt": (*REPL).stack, "lanes": (*REPL).lanes, "groups": (*REPL).groups, "list": (*REPL).list, "lane": (*REPL).lane,
		"group": (*REPL).group, "help": func(r *REPL, _ string) error { r.print("help", help, nil); return nil },
		"quit": func(*REPL, string) error { return ErrQuit }, "q": func(*REPL, string) error { return ErrQuit },
	}
}

// pointed adds the expression and a caret to an error in it.
func pointed(expr string, err error) error {
	diags, ok := errors.AsType[source.Diagnostics](err)
	if !ok || len(diags) == 0 {
		return err
	}
	d := diags[0]
	return usage(fmt.Sprintf("%s\n  %s\n  %s^", d.Message, expr, strings.Repeat(" ", min(max(d.Pos.Col-1, 0), len(expr)))), d.Fix)
}

func (r *REPL) breakAt(arg string) error {
	place, cond, _ := strings.Cut(arg, " if ")
	file := ""
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		file, place = place[:i], place[i+1:]
	}
	line, err := number("break", strings.TrimSpace(place))
	if err != nil {
		return err
	}
	b, err := r.Session.Break(file, line, strings.TrimSpace(cond))
	if err != nil {
		return pointed(strings.TrimSpace(cond), err)
	}
	text := fmt.Sprintf("breakpoint %d at %s:%d", b.ID, b.File, b.Line)
	if b.Line != b.Asked {
		text += fmt.Sprintf(" (line %d has no code)", b.Asked)
	}
	r.print("breakpoint", text, map[string]any{"id": b.ID, "line": b.Line})
	return nil
}

func (r *REPL) condition(arg string) error {
	id, cond, _ := strings.Cut(arg, " ")
	n, err := number("condition", id)
	if err != nil {
		return err
	}
	for _, b := range r.Session.Breakpoints() {
		if b.ID == n {
			return pointed(cond, r.Session.SetCondition(b, cond))
		}
	}
	return usage(fmt.Sprintf("breakpoint %d not found", n), "list them with: breakpoints")
}

func (r *REPL) breakpoints(string) error {
	for _, b := range r.Session.Breakpoints() {
		text := fmt.Sprintf("breakpoint %d at %s:%d", b.ID, b.File, b.Line)
		if b.Condition != "" {
			text += " if " + b.Condition
		}
		r.print("breakpoint", text, map[string]any{"id": b.ID, "line": b.Line})
	}
	return nil
}

func (r *REPL) clear(arg string) error {
	n, err := number("clear", arg)
	if err == nil && !r.Session.Clear(n) {
		err = usage(fmt.Sprintf("breakpoint %d not found", n), "list them with: breakpoints")
	}
	return err
}

func (r *REPL) printValue(arg string) error {
	v, err := r.Session.Eval(arg)
	if err != nil {
		return pointed(arg, err)
	}
	r.print("value", fmt.Sprintf("%s = %v", arg, v), map[string]any{"type": v.Type.String(), "words": v.Words})
	return nil
}

func (r *REPL) set(arg string) error {
	target, value, ok := strings.Cut(arg, "=")
	if !ok {
		return usage("missing = in set", "write: set PLACE = EXPR")
	}
	target, value = strings.TrimSpace(target), strings.TrimSpace(value)
	if err := r.Session.Set(target, value); err != nil {
		return pointed(arg, err)
	}
	return r.printValue(target)
}

func (r *REPL) watch(arg string) error { return pointed(arg, r.Session.Watch(arg)) }

func (r *REPL) writes(arg string) error {
	stop, err := r.Session.LastWrite(arg)
	if err != nil {
		return pointed(arg, err)
	}
	r.stopped(stop)
	return nil
}

func (r *REPL) locals(string) error {
	for _, v := range r.Session.Locals() {
		r.print("variable", fmt.Sprintf("%s = %v", v.Name, v.Value), map[string]any{"name": v.Name, "type": v.Value.Type.String(), "words": v.Value.Words})
	}
	return nil
}

func (r *REPL) stack(string) error {
	for i, f := range r.Session.Stack() {
		r.print("frame", fmt.Sprintf("%d %s at %s", i, f.Func, at(f.Pos)), map[string]any{"func": f.Func, "file": f.Pos.File, "line": f.Pos.Line})
	}
	return nil
}

func (r *REPL) lanes(string) error {
	var on, off []string
	for i, active := range r.Session.Active() {
		if active {
			on = append(on, fmt.Sprint(i))
		} else {
			off = append(off, fmt.Sprint(i))
		}
	}
	r.print("lanes", fmt.Sprintf("active: %s\ninactive: %s", strings.Join(on, " "), strings.Join(off, " ")), map[string]any{"active": on, "inactive": off})
	return nil
}

func (r *REPL) groups(string) error {
	for _, g := range r.Session.Groups() {
		r.print("group", g, nil)
	}
	return nil
}

func (r *REPL) list(string) error {
	here := r.Session.Here("").Pos
	for n := max(1, here.Line-5); n <= here.Line+5; n++ {
		arrow := "  "
		if n == here.Line {
			arrow = "=>"
		}
		r.print("line", fmt.Sprintf("%s %4d  %s", arrow, n, r.Line(here.File, n)), nil)
	}
	return nil
}

func (r *REPL) lane(arg string) error {
	n, err := number("lane", arg)
	if err == nil {
		err = r.Session.Select(r.Session.Here("").Group, n)
	}
	return r.selected(err)
}

func (r *REPL) group(arg string) error {
	n, err := number("group", arg)
	if err == nil {
		err = r.Session.Select(uint64(n), r.Session.Here("").Lane)
	}
	return r.selected(err)
}

func (r *REPL) selected(err error) error {
	if err == nil {
		r.stopped(r.Session.Here(debugger.Stepped))
	}
	return err
}
