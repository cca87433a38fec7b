package repl

import (
	"errors"
	"fmt"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/fault"
)

func breakVerbs() []verb {
	const where = "LINE may be FILE:LINE. A line without code moves to the next line with code.\nOPTIONS: if EXPR (a condition), hit N (the Nth hit only; also hit >=N, hit %N and so on, as last option)."
	return []verb{
		{names: []string{"break", "b"}, args: "LINE [OPTIONS]", live: true, takes: expressions, short: "set a breakpoint", run: forward(breakAt), long: where + "\nIn a live run it holds the tasks that come to the line; fault, undefined, statement, verification and spawn OPCODE may stand in place of LINE, with hit N behind them, but for verification."},
		{names: []string{"tbreak", "tb"}, args: "LINE [OPTIONS]", live: true, takes: expressions, short: "set a breakpoint that stops once", run: forward(breakOnce), long: where},
		{names: []string{"log"}, args: `LINE "TEXT {EXPR}" [OPTIONS]`, live: true, takes: expressions, short: "print a message at a line without stopping", run: forward(logAt), long: where},
		{names: []string{"condition"}, args: "ID [EXPR]", live: true, takes: expressions, short: "change or remove the condition of a breakpoint", run: forward(condition)},
		{names: []string{"breakpoints", "bp"}, live: true, short: "list the breakpoints with their hits so far", run: forward(breakpoints)},
		{names: []string{"clear"}, args: "ID|all", live: true, short: "remove a breakpoint", run: forward(clearBreak)},
		{names: []string{"watch", "w"}, args: "[PLACE]", live: true, takes: expressions, short: "stop at writes to a place; without PLACE, stop no longer", run: forward(watch),
			long: "PLACE is a variable, a member or an element. Runs stop before the write and show the value before and after.\nIn a live run, watch EXPR [if CONDITION] holds the tasks that change a value of a buffer; CONDITION compares old and value, and clear ID removes it."},
		{names: []string{"writes"}, args: "PLACE", takes: expressions, short: "go back to the last write to a place", run: forward(writes),
			long: "The same as prev write PLACE and who wrote PLACE."},
		{names: []string{"prev"}, args: "write PLACE", takes: expressions, short: "go back to the last write to a place", run: forward(prev)},
		{names: []string{"who"}, args: "wrote PLACE", takes: expressions, short: "go back to the write that gave a place its value", run: forward(who)},
	}
}

// place parses LINE or FILE:LINE.
func place(verb, text string) (file string, line int, err error) {
	text = strings.TrimSpace(text)
	if i := strings.LastIndexByte(text, ':'); i >= 0 {
		file, text = text[:i], text[i+1:]
	}
	if line, err = number(verb, text); err != nil && verb == "break" {
		err = usage("invalid place "+quote(text), "write [FILE:]LINE; of a live run also fault, undefined, statement, verification or spawn OPCODE")
	}
	return file, line, err
}

// options parses LINE [if EXPR] [hit N].
func options(verb, arg string) (file string, line int, o debugger.BreakOptions, err error) {
	if arg, o.Hits, err = cutHits(arg); err != nil {
		return "", 0, o, err
	}
	at, cond, conditional := strings.Cut(" "+arg+" ", " if ")
	if o.Condition = strings.TrimSpace(cond); conditional && o.Condition == "" {
		return "", 0, o, usage("missing condition after if", "write one, such as "+verb+strings.TrimRight(at, " ")+" if i == 5u")
	}
	file, line, err = place(verb, at)
	return file, line, o, err
}

// cutHits parses the hit count at the end of an argument, "hit N", and returns what stands before it.
func cutHits(arg string) (before string, h debugger.Hits, err error) {
	arg = " " + arg + " "
	if i := strings.LastIndex(arg, " hit "); i >= 0 {
		h, err = debugger.ParseHits(strings.TrimSpace(arg[i+len(" hit "):]))
		arg = arg[:i]
	}
	return strings.TrimSpace(arg), h, err
}

func breakAt(r *REPL, arg string) error { return setBreak(r, "break", arg, debugger.BreakOptions{}) }

func breakOnce(r *REPL, arg string) error {
	return setBreak(r, "tbreak", arg, debugger.BreakOptions{Once: true})
}

func logAt(r *REPL, arg string) error {
	at, rest, ok := strings.Cut(arg, `"`)
	text, opts, closed := strings.Cut(rest, `"`)
	if !ok || !closed || text == "" {
		return usage("missing message of log", `write it in quotes: log LINE "i = {i}"`)
	}
	return setBreak(r, "log", strings.TrimSpace(at)+" "+opts, debugger.BreakOptions{Log: text})
}

func setBreak(r *REPL, verb, arg string, o debugger.BreakOptions) error {
	if r.run != nil {
		return onRun{r}.breakInRun(verb, arg, o)
	}
	file, line, parsed, err := options(verb, arg)
	if err != nil {
		return err
	}
	o.Condition, o.Hits = parsed.Condition, parsed.Hits
	b, err := r.Session.Break(file, line, o)
	if err != nil {
		return pointed(parsed.Condition, err)
	}
	r.print("breakpoint", describe(b), map[string]any{"id": b.ID, "file": b.File, "line": b.Line, "asked": b.Asked})
	return nil
}

// describe says what a breakpoint does.
func describe(b *debugger.Breakpoint) string {
	text := fmt.Sprintf("breakpoint %d at %s:%d", b.ID, b.File, b.Line)
	if b.Line != b.Asked {
		text += fmt.Sprintf(" (line %d has no code)", b.Asked)
	}
	if b.Condition != "" {
		text += " if " + b.Condition
	}
	if b.Hits.Op != "" {
		text += fmt.Sprintf(" hit %s%d", strings.TrimPrefix(b.Hits.Op, "=="), b.Hits.N)
	}
	if b.Once {
		text += " once"
	}
	if b.Log != "" {
		text += fmt.Sprintf(" log %q", b.Log)
	}
	return text
}

func breakpoints(r *REPL, _ string) error {
	if r.run != nil {
		onRun{r}.breakpointsOfRun()
		return nil
	}
	if len(r.Session.Breakpoints()) == 0 {
		r.print("breakpoint", "no breakpoints", nil)
	}
	for _, b := range r.Session.Breakpoints() {
		text, fields := describe(b), map[string]any{"id": b.ID, "file": b.File, "line": b.Line}
		if n, ok := r.Session.Count(b); ok {
			text += fmt.Sprintf(", hits: %d", n)
			fields["hits"] = n
		}
		r.print("breakpoint", text, fields)
	}
	return nil
}

func condition(r *REPL, arg string) error {
	id, cond, _ := strings.Cut(arg, " ")
	n, err := number("condition", id)
	if err != nil {
		return err
	}
	cond = strings.TrimSpace(cond)
	if r.run != nil {
		return onRun{r}.conditionInRun(n, cond)
	}
	for _, b := range r.Session.Breakpoints() {
		if b.ID == n {
			return pointed(cond, r.Session.SetCondition(b, cond))
		}
	}
	return noBreakpoint(n)
}

func noBreakpoint(n int) error {
	return usage(fmt.Sprintf("breakpoint %d not found", n), "list them with: breakpoints")
}

func clearBreak(r *REPL, arg string) error {
	if r.run != nil {
		return onRun{r}.clearInRun(arg)
	}
	if arg == "all" {
		for _, b := range r.Session.Breakpoints() {
			r.Session.Clear(b.ID)
		}
		return nil
	}
	n, err := number("clear", arg)
	if err == nil && !r.Session.Clear(n) {
		err = noBreakpoint(n)
	}
	return err
}

func watch(r *REPL, arg string) error {
	if r.run != nil {
		return onRun{r}.watchInRun(arg)
	}
	return watchHere(r, arg)
}

// watchHere has the session stop at writes to a place.
func watchHere(r *REPL, arg string) error {
	if err := r.Session.Watch(arg); err != nil {
		if no, ok := errors.AsType[*fault.Error](err); ok && !debugger.IsPlace(r.Session, arg) {
			no.Fix += ", or use display " + arg
		}
		return pointed(arg, err)
	}
	text := "watching nothing"
	if arg != "" {
		text = "watching " + arg
	}
	r.print("watch", text, map[string]any{"expr": arg})
	return nil
}

func writes(r *REPL, arg string) error { return r.toWrite(arg, debugger.Back) }

func prev(r *REPL, arg string) error { return phrase(r, "prev", "write", arg) }
func who(r *REPL, arg string) error  { return phrase(r, "who", "wrote", arg) }

// phrase is a command of two words that goes back to a write.
func phrase(r *REPL, verb, second, arg string) error {
	rest, ok := strings.CutPrefix(arg+" ", second+" ")
	if !ok {
		return usage("invalid argument of "+verb+": "+quote(arg), "write: "+verb+" "+second+" PLACE")
	}
	return r.toWrite(strings.TrimSpace(rest), debugger.Back)
}
