package tree

// This file says what operations on matrices are: which operations on floats and vectors of floats they consist of,
// and in which order. The checker folds with it, the reference backend lowers with it and the text for drivers is written
// with it, so that all compute the same bits.

// MatrixOps are the operations that matrices are computed with. A V is a float, a double or a vector of them; Arithmetic takes two of equal
// width and work on each component.
type MatrixOps[V any] interface {
	Arithmetic(op BinaryOp, a, b V) V
	Dot(a, b V) V // adds the products from first to last
	Splat(a V, width int) V
	Component(a V, i int) V
	Compose(parts ...V) V // a vector of floats
	Neg(a V) V
	Sqrt(a V) V          // of a float
	Less(a, b, x, y V) V // x if the float a is less than the float b, else y
	Constant(f float32) V
}

// MatrixBinary computes x op y, one of which is a matrix: values are given by their columns, and a float or a vector is a single
// one. So is the result.
//
// The product of a matrix and a vector adds the products with the columns from first to last, that of a vector and a
// matrix is the dot product with each column, and that of two matrices the product with each column of the second. Every
// other operation is one on each component.
func MatrixBinary[V any](o MatrixOps[V], op BinaryOp, tx, ty *Type, x, y []V) []V {
	switch {
	case op == Mul && tx.Matrix && !ty.IsScalar():
		return product(o, tx, x, y)
	case op == Mul && tx.IsVector():
		return []V{transformed(o, x[0], y)}
	}
	height := tx.Elem
	if !tx.Matrix {
		height = ty.Elem
	}
	n := max(len(x), len(y))
	out := make([]V, n)
	for i := range out {
		out[i] = o.Arithmetic(op, column(o, tx, x, i, height.Width), column(o, ty, y, i, height.Width))
	}
	return out
}

// column is a column of a matrix, or a float repeated in place of it.
func column[V any](o MatrixOps[V], t *Type, value []V, i, height int) V {
	if t.Matrix {
		return value[i]
	}
	return o.Splat(value[0], height)
}

// product multiplies a matrix with each vector.
func product[V any](o MatrixOps[V], tx *Type, x, vectors []V) []V {
	out := make([]V, len(vectors))
	for i, v := range vectors {
		for j := range x {
			term := o.Arithmetic(Mul, x[j], o.Splat(o.Component(v, j), tx.Elem.Width))
			if j == 0 {
				out[i] = term
			} else {
				out[i] = o.Arithmetic(Add, out[i], term)
			}
		}
	}
	return out
}

// transformed multiplies a row vector with a matrix.
func transformed[V any](o MatrixOps[V], v V, y []V) V {
	parts := make([]V, len(y))
	for i := range y {
		parts[i] = o.Dot(v, y[i])
	}
	return o.Compose(parts...)
}

// MatrixNegated is -x.
func MatrixNegated[V any](o MatrixOps[V], x []V) []V {
	out := make([]V, len(x))
	for i := range x {
		out[i] = o.Neg(x[i])
	}
	return out
}

// MatrixCall computes a built-in function on matrices, or one of faceforward, reflect and refract. result is the type of its value.
func MatrixCall[V any](o MatrixOps[V], id BuiltinID, result *Type, args [][]V) []V {
	x := args[0]
	switch id {
	case FnMatrixCompMult:
		out := make([]V, len(x))
		for i := range out {
			out[i] = o.Arithmetic(Mul, x[i], args[1][i])
		}
		return out
	case FnOuterProduct:
		out := make([]V, result.Len)
		for i := range out {
			out[i] = o.Arithmetic(Mul, x[0], o.Splat(o.Component(args[1][0], i), result.Elem.Width))
		}
		return out
	case FnTranspose:
		return transposed(o, x, result.Len)
	case FnDeterminant:
		return []V{determinant(o, elements(o, x))}
	case FnInverse:
		return inverse(o, elements(o, x))
	case FnFaceForward:
		zero := o.Constant(0)
		return []V{o.Less(o.Dot(args[2][0], args[1][0]), zero, x[0], o.Neg(x[0]))}
	case FnReflect:
		return []V{reflect(o, result.Width, x[0], args[1][0])}
	case FnRefract:
		return []V{refract(o, result.Width, x[0], args[1][0], args[2][0])}
	}
	panic("BUG: not a function on matrices")
}

// reflect is i - (2 dot(n, i)) n.
func reflect[V any](o MatrixOps[V], width int, i, n V) V {
	twice := o.Arithmetic(Mul, o.Constant(2), o.Dot(n, i))
	return o.Arithmetic(Sub, i, o.Arithmetic(Mul, o.Splat(twice, width), n))
}

// refract is eta i - (eta d + sqrt(k)) n with d = dot(n, i) and k = 1 - eta eta (1 - d d), and 0 if k is below 0.
func refract[V any](o MatrixOps[V], width int, i, n, eta V) V {
	one, zero := o.Constant(1), o.Constant(0)
	mul := func(a, b V) V { return o.Arithmetic(Mul, a, b) }
	d := o.Dot(n, i)
	k := o.Arithmetic(Sub, one, mul(mul(eta, eta), o.Arithmetic(Sub, one, mul(d, d))))
	along := o.Arithmetic(Add, mul(eta, d), o.Sqrt(k))
	bent := o.Arithmetic(Sub, mul(o.Splat(eta, width), i), mul(o.Splat(along, width), n))
	return o.Less(k, zero, o.Splat(zero, width), bent)
}

func transposed[V any](o MatrixOps[V], x []V, columns int) []V {
	out := make([]V, columns)
	for i := range out {
		parts := make([]V, len(x))
		for j := range x {
			parts[j] = o.Component(x[j], i)
		}
		out[i] = o.Compose(parts...)
	}
	return out
}

// elements are the components of a square matrix, column by column.
func elements[V any](o MatrixOps[V], x []V) [][]V {
	m := make([][]V, len(x))
	for i := range x {
		for j := range x {
			m[i] = append(m[i], o.Component(x[i], j))
		}
	}
	return m
}

// determinant expands by the first row: from first to last, each element times the determinant of what remains without
// its row and column, with alternating signs. That of two by two is ad - bc.
func determinant[V any](o MatrixOps[V], m [][]V) V {
	if len(m) == 1 {
		return m[0][0]
	}
	var sum V
	for i := range m {
		term := o.Arithmetic(Mul, m[i][0], determinant(o, without(m, i, 0)))
		switch {
		case i == 0:
			sum = term
		case i%2 == 1:
			sum = o.Arithmetic(Sub, sum, term)
		default:
			sum = o.Arithmetic(Add, sum, term)
		}
	}
	return sum
}

// without leaves out a column and a row.
func without[V any](m [][]V, column, row int) [][]V {
	var out [][]V
	for i := range m {
		if i == column {
			continue
		}
		var rest []V
		for j := range m[i] {
			if j != row {
				rest = append(rest, m[i][j])
			}
		}
		out = append(out, rest)
	}
	return out
}

// inverse divides the cofactors, transposed, by the determinant.
func inverse[V any](o MatrixOps[V], m [][]V) []V {
	whole := o.Splat(determinant(o, m), len(m))
	out := make([]V, len(m))
	for i := range m {
		parts := make([]V, len(m))
		for j := range m {
			minor := determinant(o, without(m, j, i))
			if (i+j)%2 == 1 {
				minor = o.Neg(minor)
			}
			parts[j] = minor
		}
		out[i] = o.Arithmetic(Div, o.Compose(parts...), whole)
	}
	return out
}

// MatrixConverted is a matrix of type t made of a float, which is on the diagonal, or of another matrix: what that does not have is
// that of the identity.
func MatrixConverted[V any](o MatrixOps[V], t *Type, x []V, from *Type) []V {
	out := make([]V, t.Len)
	for i := range out {
		parts := make([]V, t.Elem.Width)
		for j := range parts {
			switch {
			case from.Matrix && i < from.Len && j < from.Elem.Width:
				parts[j] = o.Component(x[i], j)
			case i != j:
				parts[j] = o.Constant(0)
			case from.Matrix:
				parts[j] = o.Constant(1)
			default:
				parts[j] = x[0]
			}
		}
		out[i] = o.Compose(parts...)
	}
	return out
}
