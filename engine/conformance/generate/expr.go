package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// spend takes one operator from the budget and reports whether there was one.
func (g *generator) spend() bool {
	g.budget--
	return g.budget >= 0
}

// forms are the ways to write an expression that is not a leaf; one that cannot be had for a type
// gives "".
var forms []func(*generator, *tree.Type, int) string

func init() { // here, because the forms use the list
	forms = []func(*generator, *tree.Type, int) string{
		(*generator).operator, (*generator).builtin, (*generator).convert, (*generator).construct, (*generator).choice, (*generator).call, sampled,
	}
}

// expr writes an expression of type t without side effects, at most depth operators deep.
func (g *generator) expr(t *tree.Type, depth int) string {
	defer g.t.span()()
	switch c := g.t.below(16); {
	case depth <= 0 || c < 2 || !g.spend():
		return g.leaf(t)
	case c < 8:
		return g.orLeaf(g.operator(t, depth-1), t)
	default:
		return g.orLeaf(forms[(c-8)%len(forms)](g, t, depth-1), t)
	}
}

func (g *generator) orLeaf(text string, t *tree.Type) string {
	if text == "" {
		return g.leaf(t)
	}
	return text
}

// leaf writes a constant or reads a variable.
func (g *generator) leaf(t *tree.Type) string {
	if g.t.below(4) != 0 {
		if text := g.read(t); text != "" {
			return text
		}
	}
	return g.literal(t)
}

// choice writes c ? x : y.
func (g *generator) choice(t *tree.Type, depth int) string {
	return fmt.Sprintf("(%s ? %s : %s)", g.expr(tree.Bool, depth), g.expr(t, depth), g.expr(t, depth))
}

// construct puts a value together from parts, or takes components of a wider one.
func (g *generator) construct(t *tree.Type, depth int) string {
	part := func(p *tree.Type) string { return g.expr(p, depth-1) }
	switch {
	case !t.IsScalar() && !t.IsVector():
		return g.compose(t, part)
	case g.t.below(2) == 1:
		wide := tree.Vector(t.Kind, 2+g.t.below(3))
		return fmt.Sprintf("%s.%s", g.postfix(wide, depth), g.lanesOf(wide.Width, t.Width, false))
	case t.IsScalar():
		return ""
	}
	var parts []string
	for left := t.Width; left > 0; {
		n := 1 + g.t.below(left)
		left -= n
		parts = append(parts, part(tree.Vector(t.Kind, n)))
	}
	return fmt.Sprintf("%s(%s)", t, strings.Join(parts, ", "))
}

// postfix writes an expression that a selector can follow.
func (g *generator) postfix(t *tree.Type, depth int) string { return "(" + g.expr(t, depth) + ")" }

// convert writes a constructor that changes the component kind.
func (g *generator) convert(t *tree.Type, depth int) string {
	if t.Matrix {
		from := []*tree.Type{t.Elem.Element(), anyMatrix(g)}
		return fmt.Sprintf("%s(%s)", t, g.expr(pick(g.t, from), depth))
	}
	if t.Width == 0 {
		return ""
	}
	from := tree.Vector(pick(g.t, kinds(g)), t.Width)
	return fmt.Sprintf("%s(%s)", t, g.expr(from, depth))
}

// call calls a function that changes nothing.
func (g *generator) call(t *tree.Type, depth int) string {
	list := slices.DeleteFunc(slices.Clone(g.functions), func(f *function) bool {
		return !f.pure || !f.result.Equal(t) || !g.affords(f)
	})
	if len(list) == 0 {
		return ""
	}
	f := pick(g.t, list)
	g.budget -= f.cost
	args := make([]string, len(f.params))
	for i, p := range f.params {
		args[i] = g.expr(p.t, depth-1)
	}
	return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
}

// affords reports whether a call keeps the kernel small once it is inlined, as compilers do, and its
// loops few.
func (g *generator) affords(f *function) bool { return g.budget >= f.cost && g.loops < 2 }
