package generate

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// operator writes a unary or binary operator.
func (g *generator) operator(t *tree.Type, depth int) string {
	switch {
	case t == tree.Bool:
		return g.truth(depth)
	case t.Matrix:
		return matrixOperator(g, t, depth)
	case t.Width == 0 || t.Kind == tree.KindBool:
		return ""
	case t.IsVector() && t.Kind.IsFloat() && g.t.below(8) == 7:
		return transformed(g, t, depth)
	case g.t.below(6) == 5:
		return g.unary(t, depth)
	}
	op := g.binaryOp(t.Kind)
	x, y := t, t
	switch g.t.below(4) {
	case 2:
		y = t.Element()
	case 3:
		x = t.Element()
	}
	if op.IsShift() {
		x, y = t, g.shiftType(y)
	}
	if op == tree.Div && t.Kind.IsFloat() {
		g.budget -= 2 * t.Width
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(x, depth), op, g.expr(y, depth))
}

// matrixOperator writes an operator that gives a matrix: on each component, or a product of two.
func matrixOperator(g *generator, t *tree.Type, depth int) string {
	g.budget -= t.Components()
	x, y := t, t
	op := tree.Add + tree.BinaryOp(g.t.below(4))
	switch g.t.below(4) {
	case 0:
		return fmt.Sprintf("(- %s)", g.expr(t, depth))
	case 1:
		n := 2 + g.t.below(3)
		op, x, y = tree.Mul, tree.Matrix(t.Elem.Kind, n, t.Elem.Width), tree.Matrix(t.Elem.Kind, t.Len, n)
	case 2:
		x = t.Elem.Element()
	}
	if op == tree.Mul && x.Matrix && y.Equal(x) && t.Len != t.Elem.Width {
		op = tree.Sub
	}
	if op == tree.Div {
		g.budget -= 2 * t.Components()
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(x, depth), op, g.expr(y, depth))
}

// transformed writes the product of a matrix and a vector.
func transformed(g *generator, t *tree.Type, depth int) string {
	n := 2 + g.t.below(3)
	g.budget -= n * t.Width
	if g.t.below(2) == 1 {
		return fmt.Sprintf("(%s * %s)", g.expr(tree.Matrix(t.Kind, n, t.Width), depth), g.expr(tree.Vector(t.Kind, n), depth))
	}
	return fmt.Sprintf("(%s * %s)", g.expr(tree.Vector(t.Kind, n), depth), g.expr(tree.Matrix(t.Kind, t.Width, n), depth))
}

// binaryOp decides for an operator that takes and gives components of a numeric kind.
func (g *generator) binaryOp(k tree.Kind) tree.BinaryOp {
	if k.IsFloat() {
		return tree.Add + tree.BinaryOp(g.t.below(4))
	}
	return tree.Add + tree.BinaryOp(g.t.below(int(tree.BitXor-tree.Add)+1))
}

// shiftType decides whether a vector is shifted by ints or uints.
func (g *generator) shiftType(t *tree.Type) *tree.Type {
	return t.WithKind(pick(g.t, []tree.Kind{tree.KindUint, tree.KindInt}))
}

func (g *generator) unary(t *tree.Type, depth int) string {
	op := tree.Neg
	switch c := g.t.below(3); {
	case c == 1 && t.Kind.IsInteger():
		op = tree.Complement
	case c == 2:
		op = tree.Plus
	}
	return fmt.Sprintf("(%s %s)", op, g.expr(t, depth))
}

// truth writes an operator that gives a bool.
func (g *generator) truth(depth int) string {
	switch g.t.below(5) {
	case 0:
		op := tree.Less + tree.BinaryOp(g.t.below(4))
		t := tree.Vector(pick(g.t, numbers(g)), 1)
		return fmt.Sprintf("(%s %s %s)", g.expr(t, depth), op, g.expr(t, depth))
	case 1:
		op := tree.Equal + tree.BinaryOp(g.t.below(2))
		t := g.anyType()
		return fmt.Sprintf("(%s %s %s)", g.expr(t, depth), op, g.expr(t, depth))
	case 2:
		return fmt.Sprintf("(!%s)", g.expr(tree.Bool, depth))
	default:
		op := pick(g.t, []string{"&&", "||", "^^"})
		return fmt.Sprintf("(%s %s %s)", g.expr(tree.Bool, depth), op, g.expr(tree.Bool, depth))
	}
}
