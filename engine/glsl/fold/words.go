package fold

import "vyretop/engine/glsl/tree"

// The functions of this file are on whole scalars, vectors and matrices, in words as tree.Const has them.

// UnaryWords applies op to the components of a value of kind k.
func UnaryWords(op tree.UnaryOp, k tree.Kind, words []uint32) []uint32 {
	x := Join(k, words)
	for i := range x {
		x[i] = Unary64(op, k, x[i])
	}
	return Split(k, x)
}

// BinaryWords applies an operator that is neither == nor != to each component; a scalar may stand on the right of a vector. The kind of
// the result is given.
func BinaryWords(op tree.BinaryOp, result, left, right tree.Kind, a, b []uint32) []uint32 {
	x, y := Join(left, a), Join(right, b)
	for i := range x {
		x[i] = Binary64(op, left, x[i], y[i%len(y)])
	}
	return Split(result, x)
}

// EqualWords reports whether the components of two scalars or vectors are equal.
func EqualWords(k tree.Kind, a, b []uint32) bool {
	x, y := Join(k, a), Join(k, b)
	for i := range x {
		if Binary64(tree.Equal, k, x[i], y[i]) == 0 {
			return false
		}
	}
	return true
}

// ConvertWords converts the components of a value of type from to a value of type to, which is as wide or a matrix.
func ConvertWords(from, to *tree.Type, words []uint32) []uint32 {
	k, into := from.ComponentKind(), to.ComponentKind()
	x := Join(k, words)
	for i := range x {
		x[i] = Convert64(k, into, x[i])
	}
	out := Split(into, x)
	switch {
	case to.Matrix && from.Matrix:
		return ToMatrix(to, tree.Matrix(into, from.Len, from.Elem.Width), out)
	case to.Matrix:
		return ToMatrix(to, from.WithKind(into), out)
	}
	return out
}
