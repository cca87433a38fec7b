package repl

import (
	"fmt"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
)

func lookVerbs() []verb {
	return []verb{
		{names: []string{"print", "p"}, args: "EXPR, ...", takes: expressions, short: "evaluate expressions for the selected lane", run: forward((*REPL).printValues),
			long: "ARRAY[FROM:TO] prints these elements, at most 4096; an array of any length is printed in pages, and an empty line prints the next."},
		{names: []string{"display"}, args: "[EXPR]", takes: expressions, short: "print an expression at each stop; without EXPR, print all of them now", run: forward((*REPL).display)},
		{names: []string{"undisplay"}, args: "N | all", short: "stop displaying the expression with a number", run: forward((*REPL).undisplay)},
		{names: []string{"set"}, args: "PLACE = EXPR", takes: expressions, short: "change a value; what came after this time is forgotten", run: forward((*REPL).set)},
		{names: []string{"locals"}, args: "[all]", short: "print the variables in scope", run: forward((*REPL).locals),
			long: "Globals of the kernel around a handler are left out; all prints them too."},
		{names: []string{"lanes"}, args: "[FROM:TO|all] [EXPR, ...]", takes: expressions, short: "print values of all lanes of the workgroup", run: forward(lanes),
			long: "Without EXPR, of the variables in scope. A value that is the same for all lanes is marked uniform and printed once. FROM:TO lists these lanes, all every one; else an empty line prints the next 16."},
		{names: []string{"profile"}, args: "[N]", short: "print what the lines have executed so far, and how many lanes took part", run: forward((*REPL).profile),
			long: "The N lines with the most steps, 10 unless given. A step is one instruction of a workgroup; where not all lanes take part, the others wait."},
		{names: []string{"stack", "bt"}, short: "print the open calls", run: forward((*REPL).stack)},
		{names: []string{"groups"}, short: "list the workgroups under way", run: forward((*REPL).groups)},
		{names: []string{"buffers"}, short: "list the buffers and their members", run: forward((*REPL).buffers)},
		{names: []string{"x"}, args: "PLACE [WORDS]", takes: expressions, short: "print words of a buffer or of shared memory", run: forward((*REPL).examine),
			long: "Each line has the byte offset and four words as hexadecimal, integer and float. An empty line prints what follows."},
		{names: []string{"list", "l"}, args: "[LINE]", short: "print the source; an empty line prints what follows", run: forward((*REPL).list)},
		{names: []string{"lane"}, args: "N", short: "select a lane", run: forward((*REPL).lane)},
		{names: []string{"group"}, args: "N", short: "select a workgroup", run: forward((*REPL).group)},
	}
}

// page is how many elements, lanes or lines are printed at once.
const page = 16

// printValues prints a list of expressions, up to the first that has no value.
func (r *REPL) printValues(arg string) error {
	for _, expr := range split(arg) {
		if err := r.printValue(expr); err != nil {
			return err
		}
	}
	return nil
}

func (r *REPL) printValue(arg string) error {
	if array, from, to, ok, err := r.Session.Slice(arg); ok {
		if err != nil {
			return pointed(arg, err)
		}
		return pointed(array, slice(r, array, from, to))
	}
	v, err := r.Session.Eval(arg)
	if err != nil {
		if _, long := r.Session.Elements(arg, 0, 0); long == nil {
			return r.elements(arg, 0, maxIndex)
		}
		return pointed(arg, err)
	}
	r.print("value", fmt.Sprintf("%s = %v", arg, v), map[string]any{"type": v.Type.String(), "words": v.Words})
	if v.Type.IsArray() && v.Type.Len > page {
		r.more = func() error { return r.elements(arg, page, maxIndex) }
	}
	return nil
}

const maxIndex = 1 << 31

// slice prints the elements of an array from one up to another; one without an end in pages.
func slice(r *REPL, array string, from, to int) error {
	if to == debugger.SliceToEnd {
		return r.elements(array, from, to)
	}
	return some(r, array, from, to, to-from)
}

// elements prints a page of the elements of an array from one up to another.
func (r *REPL) elements(array string, from, to int) error { return some(r, array, from, to, page) }

// some prints at most n elements of an array from one up to another, and how many are left.
func some(r *REPL, array string, from, to, n int) error {
	e, err := r.Session.Elements(array, from, min(n, to-from))
	if err != nil {
		return err
	}
	end := from + len(e.Values)
	for i, v := range e.Values {
		r.print("value", fmt.Sprintf("%s[%d] = %v", array, from+i, v), map[string]any{"index": from + i, "type": v.Type.String(), "words": v.Words})
	}
	if left := min(e.Total, to) - end; left > 0 {
		r.print("more", fmt.Sprintf("... %d more of %d", left, e.Total), map[string]any{"next": end, "total": e.Total})
		r.more = func() error { return r.elements(array, end, to) }
	}
	return nil
}

func (r *REPL) set(arg string) error {
	target, value, ok := assignment(arg)
	if !ok {
		return usage("missing = in set", "write: set PLACE = EXPR")
	}
	if err := r.Session.Set(target, value); err != nil {
		return pointed(arg, err)
	}
	return r.printValue(target)
}

// assignment splits at the first = that is not part of a comparison.
func assignment(arg string) (target, value string, ok bool) {
	for i := 0; i < len(arg); i++ {
		switch {
		case arg[i] != '=':
		case i+1 < len(arg) && arg[i+1] == '=':
			i++
		case i == 0 || !strings.ContainsRune("<>!", rune(arg[i-1])):
			return strings.TrimSpace(arg[:i]), strings.TrimSpace(arg[i+1:]), true
		}
	}
	return "", "", false
}

func (r *REPL) locals(arg string) error {
	list := r.Session.Locals()
	switch arg {
	case "":
	case "all":
		list = debugger.AllLocals(r.Session)
	default:
		return usage("invalid argument of locals: "+quote(arg), "write locals, locals all, or print EXPR")
	}
	if len(list) == 0 {
		r.print("variable", "no variables in scope", nil)
	}
	for _, v := range list {
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

func (r *REPL) groups(string) error {
	for _, g := range r.Session.Groups() {
		r.print("group", g, nil)
	}
	return nil
}

func (r *REPL) buffers(string) error {
	for _, b := range r.Session.Buffers() {
		r.print("buffer", fmt.Sprintf("binding %d %s: %d words: %s", b.Binding, b.Name, b.Words, strings.Join(b.Members, ", ")),
			map[string]any{"binding": b.Binding, "name": b.Name, "words": b.Words, "members": b.Members})
	}
	return nil
}

// list prints the source around a line, or around the current one.
func (r *REPL) list(arg string) error {
	here := r.Session.Here("").Pos
	from := here.Line - 5
	if arg != "" {
		n, err := number("list", arg)
		if err != nil {
			return err
		}
		from = n - 5
	}
	return r.listFrom(here, max(1, from))
}

func (r *REPL) listFrom(here source.Pos, from int) error {
	last := r.Lines(here.File)
	if from > last {
		r.print("line", fmt.Sprintf("%s has %d lines", here.File, last), nil)
		return nil
	}
	for n := from; n < min(from+11, last+1); n++ {
		arrow := "  "
		if n == here.Line {
			arrow = "=>"
		}
		r.print("line", fmt.Sprintf("%s %4d  %s", arrow, n, r.Line(here.File, n)), map[string]any{"line": n, "current": n == here.Line})
	}
	r.more = func() error { return r.listFrom(here, from+11) }
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
