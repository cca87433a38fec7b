// Package repl is the command language of the source debugger: delve's verbs over a debugger.Session.
//
// # Colors
//
// Highlight colors the source of kernels for terminals. What a word is, the front end's tables say; comments,
// numbers and directives are found by a lexer of package chroma that is made at the first use.
package repl

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"vyretop/engine/debugger"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
	"vyretop/engine/units"
)

// REPL carries out commands and prints what comes of them.
type REPL struct {
	Session *debugger.Session
	Out     io.Writer
	JSON    bool                                                        // print one object a line
	Line    func(file string, line int) string                          // text of a source line for people, without its end
	Lines   func(file string) int                                       // number of lines of a source
	Suggest func(typed string, words []string, otherwise string) string // what to do about an unknown word; nil: otherwise
	Outcome func(stop debugger.Stop) string                             // what else to say of a stop, "" for nothing; nil: nothing
	// Earlier tells which write before the first time of the session gave words of a buffer their value; nil: nothing is known.
	Earlier func(place string, binding uint32, words []int) (text string, fields map[string]any, err error)
	Quiet   bool         // displayed expressions are shown elsewhere: they are not printed
	last    string       // repeated by an empty line
	more    func() error // prints the next page, by an empty line
	shown   []string     // expressions that each stop prints
	outcome string       // that the last stop printed: the end of a workgroup and that of the dispatch have the same

	run *liveRun        // nil: not attached to a live run
	ctx context.Context // of the command that is carried out
}

// ErrQuit ends Run.
const ErrQuit fault.Kind = "quit"

// ErrScript is the kind of errors of a script's commands; the error of the command is the cause.
const ErrScript fault.Kind = "command of a debugger script"

// Prompt stands before a command, where one is typed and where one of a script is printed.
const Prompt = "(vyretop) "

// Run carries out the commands of in up to its end, quit or the end of ctx, and prints each before what it prints, as if it had been
// typed; objects come without. With the name of a script, the first error ends it, which is ErrScript and names the line, and empty
// lines mean nothing.
func (r *REPL) Run(ctx context.Context, in io.Reader, script string) error {
	r.WithContext(ctx)
	lines, n := bufio.NewScanner(in), 0
	for lines.Scan() {
		n++
		command := strings.TrimSpace(lines.Text())
		if script != "" && command == "" {
			continue
		}
		if !r.JSON && !strings.HasPrefix(command, "#") {
			fmt.Fprintln(r.Out, strings.TrimSpace(Prompt+command))
		}
		err := r.Do(command)
		switch {
		case errors.Is(err, ErrQuit):
			return nil
		case err != nil && script != "":
			return &fault.Error{Kind: ErrScript, Op: fmt.Sprintf("%s:%d: %s", script, n, command), Cause: err}
		case err != nil:
			r.print("error", err.Error(), nil)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		long := usage(fmt.Sprintf("the line is longer than %d bytes", bufio.MaxScanTokenSize), "give one command in a line")
		return &fault.Error{Kind: ErrScript, Op: fmt.Sprintf("%s:%d", cmp.Or(script, "stdin"), n+1), Cause: long}
	}
	return lines.Err()
}

func usage(what, fix string) error {
	return &fault.Error{Kind: debugger.ErrRequest, Detail: what, Fix: fix}
}

func quote(s string) string { return strconv.Quote(s) }

// Do carries out one command; an empty line prints the next page or repeats the last command, and # begins a comment.
func (r *REPL) Do(line string) error {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return nil
	}
	more := r.more
	r.more = nil
	if line == "" && more != nil {
		return more()
	}
	if line == "" {
		line = r.last
	}
	r.last = line
	if line == "" {
		return nil
	}
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	d := debugger.Forward
	if name == "rev" {
		d = debugger.Back
		if rest == "" {
			return usage("missing command after rev", "write rev before "+reversible())
		}
		name, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimSpace(rest)
	}
	v, ok := r.verb(name)
	switch {
	case !ok:
		return r.unknown(name, rest)
	case d == debugger.Back && !v.back:
		return usage(fmt.Sprintf("%s has no reverse", v.names[0]), "write rev before "+reversible())
	case v.args == "" && rest != "":
		return usage("unexpected argument "+quote(rest), "leave it out")
	}
	if r.Session == nil && !v.live {
		return usage("no task is open", "set a breakpoint with break LINE, and wait for a task with continue; pause opens a task that waits")
	}
	if r.Session != nil {
		r.Session.OnReport(r.reported)
	}
	return v.run(r, rest, d)
}

// reversible lists the verbs that rev may stand before.
func reversible() string {
	var list []string
	for _, v := range table() {
		if v.back {
			list = append(list, v.names[0])
		}
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// reported prints the message of a breakpoint.
func (r *REPL) reported(p debugger.Report) {
	r.print("log", fmt.Sprintf("%s: workgroup %d, lane %d: %s", at(p.Pos), p.Group, p.Lane, p.Text),
		map[string]any{"breakpoint": p.Breakpoint, "file": p.Pos.File, "line": p.Pos.Line, "group": p.Group, "lane": p.Lane, "time": p.Time, "message": p.Text})
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
	if r.run != nil {
		r.run.ended = stop.Reason == debugger.Ended || stop.Reason == debugger.LaneEnded
		if id, ok := r.run.mirror[stop.Breakpoint]; ok && stop.Reason == debugger.AtBreak {
			stop.Breakpoint = id
		}
	}
	for _, u := range r.Session.TakeUndefined() {
		text := fmt.Sprintf("undefined: %s: %s in workgroup %s by lane %d", at(u.Pos), u.What, units.Extent(u.Workgroup), u.Lane)
		if u.Len > 0 {
			text += fmt.Sprintf(": index %d of %d", u.Index, u.Len)
		}
		r.print("undefined", text+"; the dispatch continues with a defined result", nil)
	}
	text := fmt.Sprintf("%s: %s, workgroup %d, lane %d, instruction %d", stop.Reason, at(stop.Pos), stop.Group, stop.Lane, stop.Time)
	if stop.Breakpoint > 0 {
		text = fmt.Sprintf("breakpoint %d", stop.Breakpoint) + strings.TrimPrefix(text, string(stop.Reason))
	}
	if stop.Detail != "" {
		text += ": " + stop.Detail
	}
	if w := stop.Write; w != nil {
		text += fmt.Sprintf("\n%s: %v -> %v", w.Expr, w.Old, w.New)
	}
	outcome := ""
	if r.Outcome != nil {
		outcome = r.Outcome(stop)
	}
	if stop.Pos.IsValid() && !r.JSON && outcome == "" {
		text += fmt.Sprintf("\n=> %4d  %s", stop.Pos.Line, r.Line(stop.Pos.File, stop.Pos.Line))
	}
	r.print("stop", text, fields(stop))
	if outcome != "" && outcome != r.outcome {
		r.print("outcome", outcome, nil)
	}
	r.outcome = outcome
	if !r.Quiet {
		r.displayAll()
	}
}

// fields are the members of a stop as JSON.
func fields(stop debugger.Stop) map[string]any {
	m := map[string]any{"reason": stop.Reason, "file": stop.Pos.File, "line": stop.Pos.Line, "column": stop.Pos.Col, "group": stop.Group, "lane": stop.Lane, "time": stop.Time}
	if stop.Breakpoint > 0 {
		m["breakpoint"] = stop.Breakpoint
	}
	if w := stop.Write; w != nil {
		m["place"], m["old"], m["new"] = w.Expr, w.Old.Words, w.New.Words
	}
	return m
}

// pointing prints where the session stands after an instruction, with a caret under what the next one is of.
func (r *REPL) pointing(stop debugger.Stop) {
	r.stopped(stop)
	if r.JSON || !stop.Pos.IsValid() {
		return
	}
	before := strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		return ' '
	}, upTo(ansi.Strip(r.Line(stop.Pos.File, stop.Pos.Line)), stop.Pos.Col-1))
	fmt.Fprintf(r.Out, "         %s^\n", before)
}

func upTo(s string, n int) string { return s[:min(max(n, 0), len(s))] }

func at(p source.Pos) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// number parses an argument.
func number(verb, text string) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		return 0, usage("missing argument of "+verb, "write a number: "+verb+" N")
	case err != nil || n < 0:
		return 0, usage(fmt.Sprintf("invalid argument of %s: %q", verb, text), "write a number: "+verb+" N")
	}
	return n, nil
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
