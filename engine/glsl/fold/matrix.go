package fold

import (
	"math"

	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

// values computes with the components of constants.
type values struct{}

func (values) Arithmetic(op tree.BinaryOp, a, b []uint32) []uint32 {
	out := make([]uint32, len(a))
	for i := range out {
		out[i] = Binary(op, tree.KindFloat, a[i], b[i])
	}
	return out
}

func (values) Dot(a, b []uint32) []uint32 {
	sum := Binary(tree.Mul, tree.KindFloat, a[0], b[0])
	for i := 1; i < len(a); i++ {
		sum = Binary(tree.Add, tree.KindFloat, sum, Binary(tree.Mul, tree.KindFloat, a[i], b[i]))
	}
	return []uint32{sum}
}

func (values) Splat(a []uint32, width int) []uint32 {
	out := make([]uint32, width)
	for i := range out {
		out[i] = a[0]
	}
	return out
}

func (values) Component(a []uint32, i int) []uint32 { return a[i : i+1] }

func (values) Compose(parts ...[]uint32) []uint32 {
	var out []uint32
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func (values) Neg(a []uint32) []uint32 {
	out := make([]uint32, len(a))
	for i := range a {
		out[i] = Unary(tree.Neg, tree.KindFloat, a[i])
	}
	return out
}

func (values) Sqrt(a []uint32) []uint32 {
	return []uint32{fromFloat(floats.Sqrt(toFloat(a[0])))}
}

func (values) Less(a, b, x, y []uint32) []uint32 {
	if Binary(tree.Less, tree.KindFloat, a[0], b[0]) != 0 {
		return x
	}
	return y
}

func (values) Constant(f float32) []uint32 { return []uint32{math.Float32bits(f)} }

// columns cuts the components of a value into the columns of a matrix; another value is one.
func columns(t *tree.Type, bits []uint32) [][]uint32 {
	if !t.Matrix {
		return [][]uint32{bits}
	}
	var list [][]uint32
	for i := range t.Len {
		list = append(list, bits[i*t.Elem.Width:][:t.Elem.Width])
	}
	return list
}

// Matrix applies a binary operator to operands of which one is a matrix.
func Matrix(op tree.BinaryOp, tx, ty *tree.Type, x, y []uint32) []uint32 {
	return values{}.Compose(tree.MatrixBinary(values{}, op, tx, ty, columns(tx, x), columns(ty, y))...)
}

// ToMatrix makes a matrix of type t of a float or another matrix.
func ToMatrix(t, from *tree.Type, x []uint32) []uint32 {
	return values{}.Compose(tree.MatrixConverted(values{}, t, columns(from, x), from)...)
}

// matrixBuiltin applies a function on matrices.
func matrixBuiltin(id tree.BuiltinID, s *tree.Signature, args [][]uint32) []uint32 {
	list := make([][][]uint32, len(args))
	for i := range args {
		list[i] = columns(s.Params[i].Type, args[i])
	}
	return values{}.Compose(tree.MatrixCall(values{}, id, s.Result, list)...)
}
