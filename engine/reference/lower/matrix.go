package lower

import (
	"math"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// value is a float, a double or a vector of n of them in consecutive registers.
type value struct {
	reg int32
	n   int
}

// registers computes with floats or doubles in registers: it is the tree.MatrixOps of the lowerer.
type registers struct {
	*lowerer
	double bool
}

func (l registers) kind() tree.Kind {
	if l.double {
		return tree.KindDouble
	}
	return tree.KindFloat
}

func (l registers) words() int { return l.kind().Words() }

func (l registers) Arithmetic(op tree.BinaryOp, a, b value) value {
	return value{l.lanewise(binaryOps[op].of(l.kind()), a.n, vm.None, a.reg, b.reg), a.n}
}

func (l registers) Dot(a, b value) value {
	dst := l.temp(l.words())
	l.emit(byKind{f: vm.OpDot, d: vm.OpDotD}.of(l.kind()), a.n, dst, a.reg, b.reg, 0)
	return value{dst, 1}
}

func (l registers) Splat(a value, width int) value {
	if width == 1 {
		return a
	}
	return value{l.widen(a.reg, l.kind(), width), width}
}

func (l registers) Component(a value, i int) value { return value{a.reg + int32(i*l.words()), 1} }

func (l registers) Compose(parts ...value) value {
	n := 0
	for _, p := range parts {
		n += p.n
	}
	dst := l.temp(n * l.words())
	l.joined(dst, parts)
	return value{dst, n}
}

// joined moves values to consecutive registers.
func (l registers) joined(dst int32, parts []value) {
	for _, p := range parts {
		l.move(dst, p.reg, p.n*l.words())
		dst += int32(p.n * l.words())
	}
}

func (l registers) Neg(a value) value {
	return value{l.lanewise(byKind{f: vm.OpNegF, d: vm.OpNegD}.of(l.kind()), a.n, vm.None, a.reg), a.n}
}

func (l registers) Sqrt(a value) value {
	return value{l.lanewise(builtinOps[tree.FnSqrt].of(l.kind()), 1, vm.None, a.reg), 1}
}

func (l registers) Less(a, b, x, y value) value {
	less := l.lanewise(binaryOps[tree.Less].of(l.kind()), 1, vm.None, a.reg, b.reg)
	n := x.n * l.words()
	return value{l.lanewise(vm.OpSelect, n, vm.None, l.splatted(less, n, vm.None), x.reg, y.reg), x.n}
}

func (l registers) Constant(f float32) value {
	if l.double {
		return value{l.constants(tree.Split(math.Float64bits(float64(f)))...), 1}
	}
	return value{l.constants(math.Float32bits(f)), 1}
}

// columns are the columns of a matrix in consecutive registers; another value is one.
func columns(t *tree.Type, reg int32) []value {
	if !t.Matrix {
		return []value{{reg, t.Width}}
	}
	list := make([]value, t.Len)
	for i := range list {
		list[i] = value{reg + int32(i*t.Elem.Components()), t.Elem.Width}
	}
	return list
}

// whole puts the columns of a result into consecutive registers.
func (l registers) whole(list []value) int32 {
	if len(list) == 1 {
		return list[0].reg
	}
	return l.Compose(list...).reg
}

// matrixBinary lowers an operator on values of which one is a matrix. Where it works on each component of two matrices, it is
// one operation.
func matrixBinary(l *lowerer, op tree.BinaryOp, tx, ty *tree.Type, x, y int32) int32 {
	kind := tx.ComponentKind()
	if tx.Matrix && ty.Matrix && op != tree.Mul {
		return l.lanewise(binaryOps[op].of(kind), tx.Components()/kind.Words(), vm.None, x, y)
	}
	r := registers{l, kind == tree.KindDouble}
	return r.whole(tree.MatrixBinary(r, op, tx, ty, columns(tx, x), columns(ty, y)))
}

func matrixBuiltin(l *lowerer, c *call) int32 {
	args := make([][]value, len(c.args))
	for i, reg := range c.args {
		args[i] = columns(c.Args[i].X.Type(), reg)
	}
	r := registers{l, c.Args[0].X.Type().ComponentKind() == tree.KindDouble}
	return r.whole(tree.MatrixCall(r, c.Builtin.ID, c.T, args))
}

// toMatrix converts to a matrix; components of another kind are converted first.
func toMatrix(l *lowerer, x *tree.Convert) int32 {
	from, reg := x.X.Type(), l.eval(x.X, vm.None)
	kind := x.T.ComponentKind()
	if was := from.ComponentKind(); was != kind {
		op := conversions[[2]tree.Kind{was, kind}]
		reg = l.lanewise(op, from.Components()/was.Words(), vm.None, reg)
		if from.Matrix {
			from = tree.Matrix(kind, from.Len, from.Elem.Width)
		} else {
			from = from.WithKind(kind)
		}
	}
	r := registers{l, kind == tree.KindDouble}
	return r.whole(tree.MatrixConverted(r, x.T, columns(from, reg), from))
}
