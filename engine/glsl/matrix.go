package glsl

import (
	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// withMatrix reports whether an operand of a binary operator is a matrix.
func withMatrix(b *tree.Binary) bool { return b.X.Type().Matrix || b.Y.Type().Matrix }

// typeMatrixBinary converts the operands of an arithmetic operator of which one is a matrix, and returns the type of the
// result; nil when they do not fit (GLSL 4.50 section 5.9).
func typeMatrixBinary(b *tree.Binary) *tree.Type {
	if b.Op < tree.Add || b.Op > tree.Div {
		return nil
	}
	var ok bool
	kind := matrixKind(b.X.Type(), b.Y.Type())
	if b.X, ok = floating(b.X, kind); !ok {
		return nil
	}
	if b.Y, ok = floating(b.Y, kind); !ok {
		return nil
	}
	x, y := b.X.Type(), b.Y.Type()
	switch {
	case y.IsScalar():
		return tree.Matrix(kind, x.Len, x.Elem.Width)
	case x.IsScalar():
		return tree.Matrix(kind, y.Len, y.Elem.Width)
	case b.Op == tree.Mul:
		return productType(kind, x, y)
	case x.Equal(y):
		return tree.Matrix(kind, x.Len, x.Elem.Width)
	}
	return nil
}

// matrixKind is the kind of the result of an operator on numbers of which one is a matrix.
func matrixKind(x, y *tree.Type) tree.Kind {
	kx, ky := x.ComponentKind(), y.ComponentKind()
	switch {
	case kx == tree.KindDouble || ky == tree.KindDouble:
		return tree.KindDouble
	case x.Matrix && kx == tree.KindFloat16 && convertible(ky, kx), y.Matrix && ky == tree.KindFloat16 && convertible(kx, ky), kx == tree.KindFloat16 && ky == kx:
		return tree.KindFloat16
	}
	return tree.KindFloat
}

// floating gives a number components of the kind of the matrix beside it; ok is false for what cannot stand there.
func floating(e tree.Expr, k tree.Kind) (x tree.Expr, ok bool) {
	if from := e.Type().ComponentKind(); from == k || convertible(from, k) {
		return convertKind(e, k, true), true
	}
	return e, false
}

// productType is the type of a linear algebraic product; nil when the sizes do not fit.
func productType(k tree.Kind, x, y *tree.Type) *tree.Type {
	switch {
	case x.Matrix && y.Matrix && x.Len == y.Elem.Width:
		return tree.Matrix(k, y.Len, x.Elem.Width)
	case x.Matrix && y.IsVector() && x.Len == y.Width:
		return tree.Vector(k, x.Elem.Width)
	case x.IsVector() && y.Matrix && x.Width == y.Elem.Width:
		return tree.Vector(k, y.Len)
	}
	return nil
}

// constructMatrix builds a matrix (section 5.4.2): of a float, which is on its diagonal, of another matrix, or of components
// column by column.
func constructMatrix(p *parser, t *tree.Type, args []tree.Expr, pos source.Pos) tree.Expr {
	first := args[0].Type()
	if len(args) == 1 && (first.IsScalar() || first.Matrix) {
		x := args[0]
		if first.IsScalar() {
			x = convertKind(x, t.Elem.Kind, false)
		}
		return foldConvert(&tree.Convert{Node: tree.Node{T: t, At: pos}, X: x})
	}
	return constructParts(p, t, args, pos)
}

// unfolded gives the parts in which an argument of a constructor is used: a matrix that is too large for what is needed by
// its columns, anything else as it is.
func unfolded(e tree.Expr, need int) ([]tree.Expr, bool) {
	t := e.Type()
	if !t.Matrix || t.Len*t.Elem.Width <= need {
		return []tree.Expr{e}, true
	}
	columns := (need + t.Elem.Width - 1) / t.Elem.Width
	if columns > 1 && !isPure(e) {
		return nil, false
	}
	var list []tree.Expr
	for i := range columns {
		at := &tree.Const{Node: tree.Node{T: tree.Int, At: e.Pos()}, Bits: []uint32{uint32(i)}}
		list = append(list, foldIndex(&tree.Index{Node: tree.Node{T: t.Elem, At: e.Pos()}, X: e, I: at}))
	}
	return list, true
}

// isPure reports whether e can be evaluated twice.
func isPure(e tree.Expr) bool {
	pure := true
	tree.Inspect(e, func(x tree.Expr) bool {
		switch x.(type) {
		case *tree.Assign, *tree.IncDec, *tree.Call, *tree.Atomic:
			pure = false
		}
		return pure
	})
	return pure
}

// foldMatrix folds an operator on constants of which one is a matrix.
func foldMatrix(b *tree.Binary, v [][]uint32) tree.Expr {
	return &tree.Const{Node: b.Node, Bits: fold.Matrix(b.Op, b.X.Type(), b.Y.Type(), v[0], v[1])}
}
