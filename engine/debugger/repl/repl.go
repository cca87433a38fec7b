// Package repl is the command language of the source debugger: delve's verbs over a debugger.Session.
package repl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/fault"
)

// REPL reads commands and prints what comes of them.
type REPL struct {
	Session *debugger.Session
	Out     io.Writer
	JSON    bool                               // print one object a line
	Prompt  string                             // printed before each command; "" for none
	Line    func(file string, line int) string // text of a source line for people, without its end
	last    string                             // repeated by an empty line
}

// ErrQuit ends Run.
const ErrQuit fault.Kind = "quit"

// Run carries out the commands of in up to its end or quit. With strict set the first error ends it.
func (r *REPL) Run(in io.Reader, strict bool) error {
	lines := bufio.NewScanner(in)
	for {
		if r.Prompt != "" {
			fmt.Fprint(r.Out, r.Prompt)
		}
		if !lines.Scan() {
			return lines.Err()
		}
		err := r.Do(lines.Text())
		switch {
		case errors.Is(err, ErrQuit):
			return nil
		case err != nil && strict:
			return err
		case err != nil:
			r.print("error", err.Error(), nil)
		}
	}
}

func usage(what, fix string) error {
	return &fault.Error{Kind: debugger.ErrRequest, Detail: what, Fix: fix}
}

// Do carries out one command; an empty line repeats the last one, and # begins a comment.
func (r *REPL) Do(line string) error {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return nil
	}
	if line == "" {
		line = r.last
	}
	r.last = line
	if line == "" {
		return nil
	}
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	d := debugger.Forward
	if verb == "rev" {
		d = debugger.Back
		verb, _, _ = strings.Cut(rest, " ")
	}
	if f, ok := moves[verb]; ok {
		r.stopped(f(r.Session, d))
		return nil
	}
	f, ok := verbs[verb]
	if d == debugger.Back || !ok {
		return usage(fmt.Sprintf("unknown command %q", line), "type help for the list")
	}
	return f(r, rest)
}

var moves = map[string]func(*debugger.Session, debugger.Direction) debugger.Stop{
	"continue": (*debugger.Session).Continue, "c": (*debugger.Session).Continue,
	"next": step(debugger.Over), "n": step(debugger.Over),
	"step": step(debugger.Into), "s": step(debugger.Into),
	"stepout": step(debugger.Out), "so": step(debugger.Out),
	"barrier": step(debugger.Barrier),
}

func step(k debugger.Kind) func(*debugger.Session, debugger.Direction) debugger.Stop {
	return func(s *debugger.Session, d debugger.Direction) debugger.Stop { return s.Step(k, d) }
}

// print writes a result: text, or an object with its kind and fields.
func (r *REPL) print(kind, text string, fields map[string]any) {
	if !r.JSON {
		fmt.Fprintln(r.Out, text)
		return
	}
	object := map[string]any{"kind": kind, "text": text}
	for k, v := range fields {
		object[k] = v
	}
	data, err := json.Marshal(object)
	if err != nil {
		data = fmt.Appendf(nil, `{"kind":"error","text":%q}`, err)
	}
	fmt.Fprintln(r.Out, string(data))
}

// stopped prints where the session stands, and what undefined operations happened on the way.
func (r *REPL) stopped(stop debugger.Stop) {
	for _, u := range r.Session.TakeUndefined() {
		text := fmt.Sprintf("undefined: %s: %s in workgroup %v by lane %d", at(u.Pos), u.What, u.Workgroup, u.Lane)
		if u.Len > 0 {
			text += fmt.Sprintf(": index %d of %d", u.Index, u.Len)
		}
		r.print("undefined", text+"; the dispatch continues with a defined result", nil)
	}
	text := fmt.Sprintf("%s: %s, workgroup %d, lane %d, time %d", stop.Reason, at(stop.Pos), stop.Group, stop.Lane, stop.Time)
	if stop.Breakpoint > 0 {
		text = fmt.Sprintf("breakpoint %d", stop.Breakpoint) + strings.TrimPrefix(text, string(stop.Reason))
	}
	if stop.Detail != "" {
		text += ": " + stop.Detail
	}
	if w := stop.Write; w != nil {
		text += fmt.Sprintf("\n%s: %v -> %v", w.Expr, w.Old, w.New)
	}
	if stop.Pos.IsValid() && !r.JSON {
		text += fmt.Sprintf("\n=> %4d  %s", stop.Pos.Line, r.Line(stop.Pos.File, stop.Pos.Line))
	}
	r.print("stop", text, map[string]any{"reason": stop.Reason, "file": stop.Pos.File, "line": stop.Pos.Line, "group": stop.Group, "lane": stop.Lane, "time": stop.Time})
}

func at(p source.Pos) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// number parses an argument.
func number(verb, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, usage(fmt.Sprintf("invalid argument of %s: %q", verb, text), "write a number: "+verb+" N")
	}
	return n, nil
}
