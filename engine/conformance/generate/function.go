package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// maxFunctions is how many functions a kernel has besides main, and functionBudget how many operators
// each.
const (
	maxFunctions   = 3
	functionBudget = 16
)

// makeFunctions writes functions; later ones may call earlier ones.
func (g *generator) makeFunctions() {
	for range maxFunctions {
		g.optional(3, func() { g.functions = append(g.functions, g.function()) })
	}
}

func (g *generator) function() *function {
	f := &function{name: g.fresh("f"), pure: g.t.below(2) == 0, result: g.anyType()}
	if !f.pure && g.t.below(3) == 2 {
		f.result = tree.Void
	}
	for range 3 {
		g.optional(3, func() { f.params = append(f.params, g.parameter(f)) })
	}
	g.begin(f, functionBudget)
	for _, p := range f.params {
		if p.mode == tree.ModeOut && g.t.below(4) != 3 { // else it starts as zero
			g.line("  %s = %s;", p.name, g.literal(p.t))
		}
	}
	g.leave = true
	g.body(2)
	if f.result != tree.Void {
		condition := ""
		if g.t.below(8) == 7 { // else the result is zero
			condition = fmt.Sprintf("if (%s) ", g.expr(tree.Bool, 1))
		}
		g.line("  %sreturn %s;", condition, g.expr(f.result, exprDepth))
	}
	f.cost = functionBudget - g.budget
	f.text = fmt.Sprintf("%s %s(%s) {\n%s}\n", f.result, f.name, f.parameters(), g.text.String())
	return f
}

func (f *function) parameters() string {
	var list []string
	for _, p := range f.params {
		mode := p.mode.String()
		if p.constant {
			mode = "const in"
		}
		list = append(list, fmt.Sprintf("%s %s %s", mode, p.t, p.name))
	}
	return strings.Join(list, ", ")
}

func (g *generator) parameter(f *function) *variable {
	p := &variable{name: g.fresh("p"), t: g.anyType()}
	if !f.pure {
		p.mode = pick(g.t, []tree.Mode{tree.ModeIn, tree.ModeOut, tree.ModeInOut})
	}
	p.constant = p.mode == tree.ModeIn && g.t.below(4) == 3
	return p
}

// begin prepares for the text of a function.
func (g *generator) begin(f *function, budget int) {
	g.fn, g.budget, g.loops, g.leave, g.indent = f, budget, 0, false, 0
	g.scope = slices.Clone(f.params)
	g.text.Reset()
}

// callStatement calls a function that may write to its arguments and to globals. Its result goes to a
// new variable: the order in which a target and the call beside it are evaluated is open.
func (g *generator) callStatement(int) {
	list := slices.DeleteFunc(slices.Clone(g.functions), func(f *function) bool { return !g.affords(f) || g.fn.pure && !f.pure })
	if len(list) == 0 {
		g.assign(0)
		return
	}
	f := pick(g.t, list)
	g.budget -= f.cost
	call := fmt.Sprintf("%s(%s)", f.name, strings.Join(g.arguments(f), ", "))
	if f.result == tree.Void {
		g.line("%s;", call)
		return
	}
	v := &variable{name: g.fresh("v"), t: f.result}
	g.line("%s %s = %s;", v.t, v.name, call)
	g.scope = append(g.scope, v)
}

// arguments writes what a call passes; those that it writes are parts of different variables.
func (g *generator) arguments(f *function) []string {
	var args []string
	var written []*variable
	for _, p := range f.params {
		if p.mode == tree.ModeIn {
			args = append(args, g.expr(p.t, 2))
			continue
		}
		v := g.whole(p.t, written)
		written = append(written, v)
		args = append(args, v.name)
	}
	return args
}

// whole finds a variable of a type that may be written, or declares one.
func (g *generator) whole(t *tree.Type, but []*variable) *variable {
	for _, v := range slices.Backward(g.scope) {
		if !v.constant && v.base == "" && v.t.Equal(t) && !slices.Contains(but, v) && g.t.below(2) == 0 {
			return v
		}
	}
	v := &variable{name: g.fresh("v"), t: t}
	g.line("%s %s = %s;", t, v.name, g.literal(t))
	g.scope = append(g.scope, v)
	return v
}
