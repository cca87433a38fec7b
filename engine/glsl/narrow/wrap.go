package narrow

import "vyretop/engine/glsl/tree"

// wrapped makes a value of 32 bits one of the narrow type t: an integer keeps its low bits, a float is rounded. Values of other types
// stay as they are.
func (r *rewriter) wrapped(x tree.Expr, t *tree.Type) tree.Expr {
	k := t.ComponentKind()
	switch {
	case !k.IsNarrow():
		return x
	case k == tree.KindFloat16:
		return r.rounded(x)
	case k.IsSigned():
		up := number(x.Type().WithKind(tree.KindInt), uint32(32-8*k.Bytes()), x.Pos())
		return operation(tree.ShiftRight, operation(tree.ShiftLeft, x, up), up)
	}
	return operation(tree.BitAnd, x, number(x.Type(), 1<<(8*k.Bytes())-1, x.Pos()))
}

// rounded rounds the components of a float, a vector or a matrix to those of float16_t.
func (r *rewriter) rounded(x tree.Expr) tree.Expr {
	t := x.Type()
	if t.Width == 1 || t.Width == 2 {
		return halves(x)
	}
	v := r.temp(t, x.Pos())
	return sequence(set(v, x), eachRounded(v))
}

// eachRounded rounds a value that may be named more than once.
func eachRounded(v tree.Expr) tree.Expr {
	t := v.Type()
	var parts []tree.Expr
	switch {
	case t.Matrix:
		for i := range t.Len {
			parts = append(parts, eachRounded(element(v, i)))
		}
	case t.Width <= 2:
		return halves(v)
	default:
		parts = []tree.Expr{halves(swizzled(v, 0, 1)), halves(swizzled(v, []uint8{2, 3}[:t.Width-2]...))}
	}
	return composed(t, parts...)
}

// halves rounds one or two floats.
func halves(x tree.Expr) tree.Expr {
	if x.Type().Width == 2 {
		return called("unpackHalf2x16", called("packHalf2x16", x))
	}
	zero := number(tree.Float, 0, x.Pos())
	return swizzled(called("unpackHalf2x16", called("packHalf2x16", composed(tree.Vector(tree.KindFloat, 2), x, zero))), 0)
}

// operated is x op y of values whose types in the text were tx and ty; t is that of the result.
func (r *rewriter) operated(op tree.BinaryOp, x, y tree.Expr, tx, ty, t *tree.Type) tree.Expr {
	k := tx.ComponentKind()
	if op.IsShift() && k.IsNarrow() { // the amount counts modulo the number of bits
		y = operation(tree.BitAnd, y, number(y.Type(), uint32(8*k.Bytes()-1), y.Pos()))
	}
	z := &tree.Binary{Node: node(r.wide(t), x.Pos()), Op: op, X: x, Y: y}
	if t == tree.Bool || !k.IsNarrow() && !ty.ComponentKind().IsNarrow() || closed(op, k) {
		return z
	}
	return r.wrapped(z, t)
}

// closed reports whether an operator gives values that the narrow kind of its operands has, whatever they are.
func closed(op tree.BinaryOp, k tree.Kind) bool {
	return op.IsBitwise() || op == tree.Mod || op == tree.ShiftRight || op == tree.Div && k.IsInteger() && !k.IsSigned()
}

// unary rewrites a prefix operator.
func (r *rewriter) unary(x *tree.Unary) tree.Expr {
	k := x.T.ComponentKind()
	u := &tree.Unary{Node: node(r.wide(x.T), x.At), Op: x.Op, X: r.value(x.X)}
	if x.Op == tree.Plus || k == tree.KindFloat16 || x.Op == tree.Complement && k.IsSigned() {
		return u
	}
	return r.wrapped(u, x.T)
}

// convert rewrites a conversion from or to a narrow kind.
func (r *rewriter) convert(x *tree.Convert) tree.Expr {
	from, to := x.X.Type(), x.T
	v := r.value(x.X)
	if wide := r.wide(to); !v.Type().Equal(wide) {
		v = &tree.Convert{Node: node(wide, x.At), X: v, Implicit: x.Implicit}
	}
	if holds(to.ComponentKind(), from.ComponentKind()) {
		return v
	}
	return r.wrapped(v, to)
}

// holds reports whether kind k has all values of another one.
func holds(k, of tree.Kind) bool {
	switch {
	case k == of || of == tree.KindBool:
		return true
	case !k.IsNarrow() || !of.IsNarrow() || of == tree.KindFloat16:
		return false
	case k == tree.KindFloat16:
		return of.Bytes() == 1
	case k.IsSigned() == of.IsSigned():
		return k.Bytes() >= of.Bytes()
	}
	return k.IsSigned() && k.Bytes() > of.Bytes()
}

// ones are the words of 1 by the kind of 32 or 64 bits.
var ones = map[tree.Kind][]uint32{
	tree.KindInt: {1}, tree.KindUint: {1}, tree.KindFloat: {0x3F800000},
	tree.KindInt64: {1, 0}, tree.KindUint64: {1, 0}, tree.KindDouble: {0, 0x3FF00000},
}

// one is 1 in each component of the type of 32 bits that holds t; of a matrix it is a scalar.
func one(r *rewriter, t *tree.Type, at tree.Expr) *tree.Const {
	w := r.wide(t)
	if w.Matrix {
		w = w.Elem.Element()
	}
	c := &tree.Const{Node: node(w, at.Pos())}
	for range w.Width {
		c.Bits = append(c.Bits, ones[w.Kind]...)
	}
	return c
}
