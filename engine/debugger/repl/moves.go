package repl

import (
	"strings"

	"vyretop/engine/debugger"
)

func moveVerbs() []verb {
	return []verb{
		{names: []string{"continue", "c"}, back: true, live: true, short: "run to a breakpoint or a watched write", run: cont,
			long: "All workgroups run. Ctrl-C stops the run and keeps the session.\nOf a live run, the open activation runs to the next breakpoint; at its end the task continues, and the next task that a breakpoint holds is waited for and opened."},
		{names: []string{"pause"}, live: true, short: "of a live run: pause the workers, and open a task that waits", run: forward(pause)},
		{names: []string{"next", "n"}, args: "[write PLACE]", back: true, takes: expressions, short: "step over calls to another line", run: (*REPL).next,
			long: "next write PLACE runs to the next write to a place: a variable, a member or an element."},
		{names: []string{"step", "s"}, back: true, short: "step to another line, into calls too", run: step(debugger.Into)},
		{names: []string{"stepout", "so", "out"}, back: true, short: "run until the function returns", run: step(debugger.Out)},
		{names: []string{"stepi", "si"}, back: true, short: "step by one instruction of the interpreter", run: (*REPL).stepi,
			long: "The caret under the line shows the expression that the instruction is of."},
		{names: []string{"barrier"}, back: true, short: "run to the next barrier of the workgroup", run: step(debugger.Barrier)},
		{names: []string{"until"}, args: "LINE", back: true, short: "run until the selected lane comes to a line", run: (*REPL).until},
	}
}

func cont(r *REPL, arg string, d debugger.Direction) error {
	switch {
	case r.run == nil || d == debugger.Back && r.Session != nil:
		return move((*debugger.Session).Continue)(r, arg, d)
	case d == debugger.Back:
		return usage("no task is open", "continue waits for one")
	}
	return onRun{r}.continueRun()
}

func move(f func(*debugger.Session, debugger.Direction) debugger.Stop) func(*REPL, string, debugger.Direction) error {
	return func(r *REPL, _ string, d debugger.Direction) error {
		r.stopped(f(r.Session, d))
		return nil
	}
}

func step(k debugger.Kind) func(*REPL, string, debugger.Direction) error {
	return move(func(s *debugger.Session, d debugger.Direction) debugger.Stop { return s.Step(k, d) })
}

func (r *REPL) stepi(_ string, d debugger.Direction) error {
	r.pointing(r.Session.Step(debugger.Instruction, d))
	return nil
}

func (r *REPL) next(arg string, d debugger.Direction) error {
	place, ok := strings.CutPrefix(arg, "write ")
	switch {
	case arg == "":
		return step(debugger.Over)(r, arg, d)
	case !ok:
		return usage("unexpected argument "+quote(arg), "leave it out, or write: next write PLACE")
	}
	return r.toWrite(strings.TrimSpace(place), d)
}

// toWrite runs to the next or the last write to a place.
func (r *REPL) toWrite(place string, d debugger.Direction) error {
	stop, err := r.Session.ToWrite(place, d)
	if err != nil && d == debugger.Back && r.Earlier != nil {
		return r.earlier(place, err)
	}
	if err != nil {
		return pointed(place, err)
	}
	r.stopped(stop)
	return nil
}

// earlier prints which write before the session gave a place its value; none is the error of a place without one in it.
func (r *REPL) earlier(place string, none error) error {
	w, err := debugger.FindWatchpoint(r.Session, place)
	if err != nil {
		return pointed(place, none)
	}
	binding, words, ok := w.Words(r.Session)
	if !ok {
		return pointed(place, none)
	}
	text, fields, err := r.Earlier(place, binding, words)
	if err == nil {
		r.print("writer", text, fields)
	}
	return err
}

func (r *REPL) until(arg string, d debugger.Direction) error {
	file, line, err := place("until", arg)
	if err != nil {
		return err
	}
	stop, err := r.Session.Until(file, line, d)
	if err == nil {
		r.stopped(stop)
	}
	return err
}
