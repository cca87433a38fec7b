package fold

import (
	"math"
	"slices"

	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

// values computes with the components of constants of one kind, float or double.
type values struct{ kind tree.Kind }

func (o values) Arithmetic(op tree.BinaryOp, a, b []uint32) []uint32 {
	x, y := Join(o.kind, a), Join(o.kind, b)
	for i := range x {
		x[i] = Binary64(op, o.kind, x[i], y[i])
	}
	return Split(o.kind, x)
}

func (o values) Dot(a, b []uint32) []uint32 {
	products := o.Arithmetic(tree.Mul, a, b)
	sum := o.Component(products, 0)
	for i := 1; i < len(products)/o.kind.Words(); i++ {
		sum = o.Arithmetic(tree.Add, sum, o.Component(products, i))
	}
	return sum
}

func (values) Splat(a []uint32, width int) []uint32 { return slices.Repeat(a, width) }

func (o values) Component(a []uint32, i int) []uint32 {
	n := o.kind.Words()
	return a[i*n : (i+1)*n]
}

func (values) Compose(parts ...[]uint32) []uint32 { return slices.Concat(parts...) }

func (o values) Neg(a []uint32) []uint32 {
	x := Join(o.kind, a)
	for i := range x {
		x[i] = Unary64(tree.Neg, o.kind, x[i])
	}
	return Split(o.kind, x)
}

func (o values) Sqrt(a []uint32) []uint32 {
	if o.kind == tree.KindDouble {
		return tree.Split(fromDouble(floats.SqrtD(toDouble(tree.Join(a)))))
	}
	return []uint32{fromFloat(floats.Sqrt(toFloat(a[0])))}
}

func (o values) Less(a, b, x, y []uint32) []uint32 {
	if Binary64(tree.Less, o.kind, Join(o.kind, a)[0], Join(o.kind, b)[0]) != 0 {
		return x
	}
	return y
}

func (o values) Constant(f float32) []uint32 {
	return Split(o.kind, []uint64{Convert64(tree.KindFloat, o.kind, uint64(math.Float32bits(f)))})
}

// columns cuts the components of a value into the columns of a matrix; another value is one.
func columns(t *tree.Type, bits []uint32) [][]uint32 {
	if !t.Matrix {
		return [][]uint32{bits}
	}
	return slices.Collect(slices.Chunk(bits, t.Elem.Components()))
}

// Matrix applies a binary operator to operands of which one is a matrix.
func Matrix(op tree.BinaryOp, tx, ty *tree.Type, x, y []uint32) []uint32 {
	k := tx.ComponentKind()
	o := values{k.Wide()}
	return NarrowWords(k, o.Compose(tree.MatrixBinary(o, op, tx.Widened(), ty.Widened(), columns(tx, x), columns(ty, y))...))
}

// ToMatrix makes a matrix of type t of a component of its kind, or of those of another matrix.
func ToMatrix(t, from *tree.Type, x []uint32) []uint32 {
	o := values{t.ComponentKind().Wide()}
	return o.Compose(tree.MatrixConverted(o, t, columns(from, x), from)...)
}

// matrixBuiltin applies a function on matrices.
func matrixBuiltin(id tree.BuiltinID, s *tree.Signature, args [][]uint32) []uint32 {
	list := make([][][]uint32, len(args))
	for i := range args {
		list[i] = columns(s.Params[i].Type, args[i])
	}
	o := values{s.Params[0].Type.ComponentKind()}
	return o.Compose(tree.MatrixCall(o, id, s.Result, list)...)
}
