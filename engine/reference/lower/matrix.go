package lower

import (
	"math"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// value is a float or a vector of floats in consecutive registers.
type value struct {
	reg int32
	n   int
}

// registers computes with values in registers: it is the tree.MatrixOps of the lowerer.
type registers struct{ *lowerer }

func (l registers) Arithmetic(op tree.BinaryOp, a, b value) value {
	return value{l.lanewise(binaryOps[op].f, a.n, vm.None, a.reg, b.reg), a.n}
}

func (l registers) Dot(a, b value) value {
	dst := l.temp(1)
	l.emit(vm.OpDot, a.n, dst, a.reg, b.reg, 0)
	return value{dst, 1}
}

func (l registers) Splat(a value, width int) value {
	if l.isConst(a.reg) {
		return value{l.filled(l.code.Consts[a.reg-constMark], width), width}
	}
	return value{l.splatted(a.reg, width, vm.None), width}
}

func (registers) Component(a value, i int) value { return value{a.reg + int32(i), 1} }

func (l registers) Compose(parts ...value) value {
	n := 0
	for _, p := range parts {
		n += p.n
	}
	dst := l.temp(n)
	l.joined(dst, parts)
	return value{dst, n}
}

// joined moves values to consecutive registers.
func (l registers) joined(dst int32, parts []value) {
	for _, p := range parts {
		l.move(dst, p.reg, p.n)
		dst += int32(p.n)
	}
}

func (l registers) Neg(a value) value { return value{l.lanewise(vm.OpNegF, a.n, vm.None, a.reg), a.n} }

func (l registers) Sqrt(a value) value { return value{l.lanewise(vm.OpSqrt, 1, vm.None, a.reg), 1} }

func (l registers) Less(a, b, x, y value) value {
	less := l.lanewise(vm.OpLtF, 1, vm.None, a.reg, b.reg)
	return value{l.lanewise(vm.OpSelect, x.n, vm.None, l.splatted(less, x.n, vm.None), x.reg, y.reg), x.n}
}

func (l registers) Constant(f float32) value { return value{l.constants(math.Float32bits(f)), 1} }

// columns are the columns of a matrix in consecutive registers; another value is one.
func columns(t *tree.Type, reg int32) []value {
	if !t.Matrix {
		return []value{{reg, t.Width}}
	}
	list := make([]value, t.Len)
	for i := range list {
		list[i] = value{reg + int32(i*t.Elem.Width), t.Elem.Width}
	}
	return list
}

// whole puts the columns of a result into consecutive registers.
func whole(l *lowerer, list []value) int32 {
	if len(list) == 1 {
		return list[0].reg
	}
	return registers{l}.Compose(list...).reg
}

// matrixBinary lowers an operator on values of which one is a matrix. Where it works on each component of two matrices, it is
// one operation.
func matrixBinary(l *lowerer, op tree.BinaryOp, tx, ty *tree.Type, x, y int32) int32 {
	if tx.Matrix && ty.Matrix && op != tree.Mul {
		return l.lanewise(binaryOps[op].f, tx.Components(), vm.None, x, y)
	}
	return whole(l, tree.MatrixBinary(registers{l}, op, tx, ty, columns(tx, x), columns(ty, y)))
}

func matrixBuiltin(l *lowerer, c *call) int32 {
	args := make([][]value, len(c.args))
	for i, reg := range c.args {
		args[i] = columns(c.Args[i].X.Type(), reg)
	}
	return whole(l, tree.MatrixCall(registers{l}, c.Builtin.ID, c.T, args))
}

func toMatrix(l *lowerer, x *tree.Convert) int32 {
	from := x.X.Type()
	return whole(l, tree.MatrixConverted(registers{l}, x.T, columns(from, l.eval(x.X, vm.None)), from))
}
