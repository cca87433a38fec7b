package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// exprDepth is how deep the expressions of statements are, blockStatements how many a block has at
// most.
const (
	exprDepth       = 4
	blockStatements = 4
)

// stmtForm is a kind of statement, and how deep statements may nest below it.
type stmtForm struct {
	write func(g *generator, depth int)
	depth int
}

// stmtForms are the statements; the first is the simplest.
var stmtForms []stmtForm

func init() { // here, because compound statements use the list
	stmtForms = []stmtForm{
		{(*generator).assign, 0}, {(*generator).assign, 0}, {(*generator).assign, 0}, {(*generator).declare, 0},
		{(*generator).step, 0}, {(*generator).writer, 0}, {(*generator).callStatement, 0},
		{(*generator).atomic, 0}, {(*generator).jump, 0}, {(*generator).ifElse, 1}, {(*generator).ifElse, 1},
		{(*generator).forLoop, 1}, {(*generator).whileLoop, 1}, {(*generator).switchTag, 1}, {(*generator).nested, 1},
		{(*generator).anyLoop, 1}, {(*generator).anyLoop, 1}, {storeImage, 0},
	}
}

// stmt writes one statement.
func (g *generator) stmt(depth int) {
	form := pick(g.t, stmtForms)
	if form.depth > depth || !g.spend() {
		form = stmtForms[0]
	}
	form.write(g, depth-1)
}

// block writes a list of statements with a scope of its own.
func (g *generator) block(depth int) {
	visible := len(g.scope)
	g.body(depth)
	g.scope = g.scope[:visible]
}

// body writes a list of statements, further to the right.
func (g *generator) body(depth int) {
	g.indent++
	for range blockStatements {
		g.optional(2, func() { g.stmt(depth) })
	}
	g.indent--
}

func (g *generator) nested(depth int) {
	g.line("{")
	g.block(depth)
	g.line("}")
}

func (g *generator) declare(int) {
	v := &variable{name: g.fresh("v"), t: g.anyType()}
	switch g.t.below(8) {
	case 6:
		g.line("%s %s;", v.t, v.name) // it starts as zero
	case 7:
		v.constant = true
		g.line("const %s %s = %s;", v.t, v.name, g.expr(v.t, exprDepth))
	default:
		g.line("%s %s = %s;", v.t, v.name, g.expr(v.t, exprDepth))
	}
	g.scope = append(g.scope, v)
}

// assign writes a plain or compound assignment.
func (g *generator) assign(int) {
	text, t, _, ok := g.target()
	if !ok {
		g.declare(0)
		return
	}
	if t.Kind.IsNumeric() && g.t.below(3) == 2 {
		g.compound(text, t)
		return
	}
	g.line("%s = %s;", text, g.expr(t, exprDepth))
}

// compound writes x op= y.
func (g *generator) compound(text string, t *tree.Type) {
	op, y := g.binaryOp(t.Kind), t
	if g.t.below(3) == 2 {
		y = t.Element()
	}
	if op.IsShift() {
		y = g.shiftType(y)
	}
	g.line("%s %s= %s;", text, op, g.expr(y, exprDepth-1))
}

// step writes ++ or --, whose value may go to a new variable.
func (g *generator) step(int) {
	text, t, _, ok := g.target()
	form := pick(g.t, []string{"x++", "x--", "++x", "--x"})
	if !ok || !t.Kind.IsNumeric() {
		g.assign(0)
		return
	}
	text = strings.Replace(form, "x", text, 1)
	if g.t.below(2) == 0 {
		g.line("%s;", text)
		return
	}
	v := &variable{name: g.fresh("v"), t: t}
	g.line("%s %s = %s;", t, v.name, text)
	g.scope = append(g.scope, v)
}

// jump leaves a loop or a function, where that is possible.
func (g *generator) jump(int) {
	var words []string
	if g.loops > g.joint {
		words = append(words, "break", "continue")
	}
	if g.leave {
		words = append(words, "return")
	}
	if len(words) == 0 {
		g.assign(0)
		return
	}
	word := pick(g.t, words)
	if word == "return" && g.fn.result != tree.Void {
		word += " " + g.expr(g.fn.result, 2)
	}
	g.line("if (%s) %s;", g.expr(tree.Bool, 2), word)
}

func (g *generator) ifElse(depth int) {
	g.line("if (%s) {", g.expr(tree.Bool, exprDepth))
	g.block(depth)
	if g.t.below(2) == 1 {
		g.line("} else {")
		g.block(depth)
	}
	g.line("}")
}

// maxLoops is how deep loops nest, and maxRounds how often each goes round.
const (
	maxLoops  = 2
	maxRounds = 4
)

// limit writes the condition that ends a loop after a few rounds; counter is an int variable.
func (g *generator) limit(counter string) string {
	n := 1 + g.t.below(maxRounds)
	if g.t.below(2) == 0 {
		return fmt.Sprintf("%s < %d", counter, n)
	}
	return fmt.Sprintf("%s < %d && %s", counter, n, g.expr(tree.Bool, 2))
}

// looped writes the body of a loop around which the counter is visible.
func (g *generator) looped(counter string, depth int) {
	g.scope = append(g.scope, &variable{name: counter, t: tree.Int, constant: true})
	g.loops++
	g.block(depth)
	g.loops--
	g.scope = g.scope[:len(g.scope)-1]
}

func (g *generator) forLoop(depth int) {
	if g.loops == maxLoops {
		g.assign(0)
		return
	}
	i := g.fresh("i")
	g.line("for (int %s = 0; %s; %s++) {", i, g.limit(i), i)
	g.looped(i, depth)
	g.line("}")
}

// whileLoop writes while or do; the counter moves first, so that continue does not skip it.
func (g *generator) whileLoop(depth int) {
	if g.loops == maxLoops {
		g.assign(0)
		return
	}
	i := g.fresh("i")
	g.line("int %s = 0;", i)
	limit, after := g.limit(i), g.t.below(2) == 1
	if after {
		g.line("do {")
	} else {
		g.line("while (%s) {", limit)
	}
	g.line("  %s++;", i)
	g.looped(i, depth)
	if after {
		g.line("} while (%s);", limit)
	} else {
		g.line("}")
	}
	g.scope = append(g.scope, &variable{name: i, t: tree.Int, constant: true})
}

// switchTag writes a switch with cases that may fall through. A continue in it belongs to the loop
// around it; a break does not.
func (g *generator) switchTag(depth int) {
	t, suffix := tree.Uint, "u"
	if g.t.below(2) == 1 {
		t, suffix = tree.Int, ""
	}
	g.line("switch (%s & 3%s) {", g.expr(t, exprDepth-1), suffix)
	labels := []string{"case 0" + suffix, "case 1" + suffix, "case 2" + suffix, "case 3" + suffix, "default"}
	for range 4 {
		g.optional(3, func() {
			i := g.t.below(len(labels))
			g.line("%s: {", labels[i])
			labels = slices.Delete(labels, i, i+1)
			g.block(depth)
			g.line("}")
			if g.t.below(3) != 2 {
				g.line("break;")
			}
		})
	}
	g.line("}")
}
