package lower

import (
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// byKind is one operation for each component kind: int, uint, float, bool, double, int64_t and uint64_t.
type byKind struct{ i, u, f, b, d, l, ul vm.Op }

func (k byKind) of(kind tree.Kind) vm.Op {
	switch kind {
	case tree.KindInt:
		return k.i
	case tree.KindUint:
		return k.u
	case tree.KindFloat:
		return k.f
	case tree.KindDouble:
		return k.d
	case tree.KindInt64:
		return k.l
	case tree.KindUint64:
		return k.ul
	default:
		return k.b
	}
}

func words(op, float vm.Op) byKind { return byKind{i: op, u: op, f: float, b: op} }

// wide adds operations on doubles and on integers of 64 bits, whose sign does not matter.
func (k byKind) wide(double, long vm.Op) byKind {
	k.d, k.l, k.ul = double, long, long
	return k
}

// binaryOps maps operators to operations, but for == and != on more than one component.
var binaryOps = [...]byKind{
	tree.Add:          words(vm.OpAdd, vm.OpAddF).wide(vm.OpAddD, vm.OpAddL),
	tree.Sub:          words(vm.OpSub, vm.OpSubF).wide(vm.OpSubD, vm.OpSubL),
	tree.Mul:          words(vm.OpMul, vm.OpMulF).wide(vm.OpMulD, vm.OpMulL),
	tree.Div:          {i: vm.OpDivI, u: vm.OpDivU, f: vm.OpDivF, d: vm.OpDivD, l: vm.OpDivL, ul: vm.OpDivUL},
	tree.Mod:          {i: vm.OpModI, u: vm.OpModU, l: vm.OpModL, ul: vm.OpModUL},
	tree.ShiftLeft:    words(vm.OpShl, 0).wide(0, vm.OpShlL),
	tree.ShiftRight:   {i: vm.OpShrI, u: vm.OpShrU, l: vm.OpShrL, ul: vm.OpShrUL},
	tree.BitAnd:       words(vm.OpAnd, 0),
	tree.BitOr:        words(vm.OpOr, 0),
	tree.BitXor:       words(vm.OpXor, 0),
	tree.Less:         {i: vm.OpLtI, u: vm.OpLtU, f: vm.OpLtF, d: vm.OpLtD, l: vm.OpLtL, ul: vm.OpLtUL},
	tree.Greater:      {i: vm.OpGtI, u: vm.OpGtU, f: vm.OpGtF, d: vm.OpGtD, l: vm.OpGtL, ul: vm.OpGtUL},
	tree.LessEqual:    {i: vm.OpLeI, u: vm.OpLeU, f: vm.OpLeF, d: vm.OpLeD, l: vm.OpLeL, ul: vm.OpLeUL},
	tree.GreaterEqual: {i: vm.OpGeI, u: vm.OpGeU, f: vm.OpGeF, d: vm.OpGeD, l: vm.OpGeL, ul: vm.OpGeUL},
	tree.Equal:        words(vm.OpEq, vm.OpEqF).wide(vm.OpEqD, vm.OpEqL),
	tree.NotEqual:     words(vm.OpNe, vm.OpNeF).wide(vm.OpNeD, vm.OpNeL),
	tree.LogicalXor:   words(vm.OpXor, 0),
}

// commutes says that the operands may be swapped, to have a constant on the right.
var commutes = map[tree.BinaryOp]bool{
	tree.Add: true, tree.Mul: true, tree.BitAnd: true, tree.BitOr: true, tree.BitXor: true,
	tree.Equal: true, tree.NotEqual: true, tree.LogicalXor: true,
}

func (l *lowerer) binary(op tree.BinaryOp, x, y tree.Expr, hint int32) int32 {
	regs := l.operands(x, y)
	l.at(x.Pos())
	if op.IsEquality() && !x.Type().IsScalar() {
		return l.equality(op, x.Type(), regs[0], regs[1], hint)
	}
	if x.Type().Matrix || y.Type().Matrix {
		return matrixBinary(l, op, x.Type(), y.Type(), regs[0], regs[1])
	}
	return l.apply(op, x.Type(), regs[0], regs[1], hint)
}

// apply emits an operator on values of type t.
func (l *lowerer) apply(op tree.BinaryOp, t *tree.Type, a, b, hint int32) int32 {
	if commutes[op] && l.isConst(a) {
		a, b = b, a
	}
	kind := t.ComponentKind()
	if op.IsBitwise() {
		return l.lanewise(binaryOps[op].i, t.Components(), hint, a, b)
	}
	return l.lanewise(binaryOps[op].of(kind), t.Components()/kind.Words(), hint, a, b)
}

// equality compares whole values: all components must be equal.
func (l *lowerer) equality(op tree.BinaryOp, t *tree.Type, a, b, hint int32) int32 {
	n := t.Components()
	same := l.temp(n)
	l.compare(t, same, a, b)
	dst := l.orTemp(hint, 1)
	l.emit(vm.OpAll, n, dst, same, 0, 0)
	if op == tree.NotEqual {
		l.emit(vm.OpXor, 1, dst, dst, l.constants(1), 0)
	}
	return dst
}

// compare puts 1 in same for each pair of equal components.
func (l *lowerer) compare(t *tree.Type, same, a, b int32) {
	if t.IsScalar() || t.IsVector() {
		l.emit(binaryOps[tree.Equal].of(t.Kind), t.Width, same, a, b, 0)
		if rest := t.Components() - t.Width; rest > 0 {
			l.emit(vm.OpSplat, rest, same+int32(t.Width), l.constants(1), 0, 0)
		}
		return
	}
	dense := place{dense: true}
	dense.eachPart(t, func(part place, offset int32) {
		l.compare(part.t, same+offset, a+offset, b+offset)
	})
}

func (l *lowerer) unary(x *tree.Unary, hint int32) int32 {
	a := l.eval(x.X, vm.None)
	n := x.T.Components()
	l.at(x.At)
	switch x.Op {
	case tree.Neg:
		kind := x.T.ComponentKind()
		return l.lanewise(words(vm.OpNeg, vm.OpNegF).wide(vm.OpNegD, vm.OpNegL).of(kind), n/kind.Words(), hint, a)
	case tree.Not:
		return l.lanewise(vm.OpXor, n, hint, a, l.filled(1, n))
	case tree.Complement:
		return l.lanewise(vm.OpNot, n, hint, a)
	default:
		return a
	}
}

// conversions holds the operations between kinds; where there is none the bits stay.
var conversions = map[[2]tree.Kind]vm.Op{
	{tree.KindFloat, tree.KindDouble}:  vm.OpFloatToDouble,
	{tree.KindInt, tree.KindDouble}:    vm.OpIntToDouble,
	{tree.KindUint, tree.KindDouble}:   vm.OpUintToDouble,
	{tree.KindBool, tree.KindDouble}:   vm.OpUintToDouble,
	{tree.KindInt64, tree.KindDouble}:  vm.OpLongToDouble,
	{tree.KindUint64, tree.KindDouble}: vm.OpUlongToDouble,
	{tree.KindDouble, tree.KindFloat}:  vm.OpDoubleToFloat,
	{tree.KindDouble, tree.KindInt}:    vm.OpDoubleToInt,
	{tree.KindDouble, tree.KindUint}:   vm.OpDoubleToUint,
	{tree.KindDouble, tree.KindBool}:   vm.OpDoubleToBool,
	{tree.KindDouble, tree.KindInt64}:  vm.OpDoubleToLong,
	{tree.KindDouble, tree.KindUint64}: vm.OpDoubleToUlong,

	{tree.KindInt, tree.KindInt64}:    vm.OpIntToLong,
	{tree.KindInt, tree.KindUint64}:   vm.OpIntToLong,
	{tree.KindUint, tree.KindInt64}:   vm.OpUintToLong,
	{tree.KindUint, tree.KindUint64}:  vm.OpUintToLong,
	{tree.KindBool, tree.KindInt64}:   vm.OpUintToLong,
	{tree.KindBool, tree.KindUint64}:  vm.OpUintToLong,
	{tree.KindInt64, tree.KindInt}:    vm.OpLongToUint,
	{tree.KindUint64, tree.KindInt}:   vm.OpLongToUint,
	{tree.KindInt64, tree.KindUint}:   vm.OpLongToUint,
	{tree.KindUint64, tree.KindUint}:  vm.OpLongToUint,
	{tree.KindInt64, tree.KindBool}:   vm.OpLongToBool,
	{tree.KindUint64, tree.KindBool}:  vm.OpLongToBool,
	{tree.KindInt64, tree.KindFloat}:  vm.OpLongToFloat,
	{tree.KindUint64, tree.KindFloat}: vm.OpUlongToFloat,

	{tree.KindInt, tree.KindFloat}:  vm.OpIntToFloat,
	{tree.KindUint, tree.KindFloat}: vm.OpUintToFloat,
	{tree.KindBool, tree.KindFloat}: vm.OpBoolToFloat,
	{tree.KindFloat, tree.KindInt}:  vm.OpFloatToInt,
	{tree.KindFloat, tree.KindUint}: vm.OpFloatToUint,
	{tree.KindFloat, tree.KindBool}: vm.OpFloatToBool,
	{tree.KindInt, tree.KindBool}:   vm.OpToBool,
	{tree.KindUint, tree.KindBool}:  vm.OpToBool,
}

func (l *lowerer) convert(x *tree.Convert, hint int32) int32 {
	if x.T.Matrix {
		return toMatrix(l, x)
	}
	return l.converted(l.eval(x.X, vm.None), x.X.Type(), x.T, hint)
}

// converted converts the components of a value.
func (l *lowerer) converted(reg int32, from, to *tree.Type, hint int32) int32 {
	if from.Kind == tree.KindFloat && (to.Kind == tree.KindInt64 || to.Kind == tree.KindUint64) {
		double := tree.Vector(tree.KindDouble, from.Width)
		reg, from = l.converted(reg, from, double, vm.None), double
	}
	op, ok := conversions[[2]tree.Kind{from.Kind, to.Kind}]
	if !ok {
		return reg
	}
	return l.lanewise(op, to.Width, hint, reg)
}
