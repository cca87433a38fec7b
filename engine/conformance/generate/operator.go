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
	case t.Width == 0 || t.Kind == tree.KindBool:
		return ""
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
	if op == tree.Div && t.Kind == tree.KindFloat {
		g.budget -= 2 * t.Width
	}
	left, right := guard(op, t.Kind, g.expr(x, depth), g.expr(y, depth))
	return fmt.Sprintf("(%s %s %s)", left, op, right)
}

// binaryOp decides for an operator that takes and gives components of a numeric kind.
func (g *generator) binaryOp(k tree.Kind) tree.BinaryOp {
	if k == tree.KindFloat {
		return tree.Add + tree.BinaryOp(g.t.below(4))
	}
	return tree.Add + tree.BinaryOp(g.t.below(int(tree.BitXor-tree.Add)+1))
}

// shiftType decides whether a vector is shifted by ints or uints.
func (g *generator) shiftType(t *tree.Type) *tree.Type {
	return t.WithKind(pick(g.t, []tree.Kind{tree.KindUint, tree.KindInt}))
}

// guard changes the operands of an operator so that GLSL defines it (section 5.9).
func guard(op tree.BinaryOp, k tree.Kind, x, y string) (string, string) {
	switch {
	case op.IsShift():
		return x, "(" + y + " & 31)"
	case k == tree.KindUint && (op == tree.Div || op == tree.Mod):
		return x, "(" + y + " | 1u)"
	case k == tree.KindInt && op == tree.Div:
		return x, "((" + y + " & 0xFFFF) | 1)"
	case k == tree.KindInt && op == tree.Mod:
		return "(" + x + " & 0x7FFFFFFF)", "((" + y + " & 0xFFFF) | 1)"
	}
	return x, y
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
		t := tree.Vector(pick(g.t, kinds[:3]), 1)
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
