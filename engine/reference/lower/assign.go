package lower

import (
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// assign lowers = and the compound assignments and returns the registers of the value stored.
func (l *lowerer) assign(x *tree.Assign) int32 {
	p := l.locate(x.Target, changes(x.Value))
	if x.Op == tree.OpNone {
		value := l.eval(x.Value, l.direct(p, x.Value))
		l.at(x.At)
		l.store(p, value)
		return value
	}
	old := l.load(p, vm.None)
	if changes(x.Value) {
		old = l.copied(old, p.t.Components())
	}
	operand := l.eval(x.Value, vm.None)
	l.at(x.At)
	var value int32
	if p.t.Matrix || x.Value.Type().Matrix {
		value = matrixBinary(l, x.Op, p.t, x.Value.Type(), old, operand)
	} else {
		value = l.apply(x.Op, p.t, old, operand, l.direct(p, nil))
	}
	l.store(p, value)
	return value
}

// direct gives the registers of a place that an operation may write without a copy, or None. A value
// that is built in several steps must not be built where the steps may still read, so only values
// made by one instruction qualify.
func (l *lowerer) direct(p place, value tree.Expr) int32 {
	if p.space != vm.SpaceRegs || p.index != vm.None || p.lanes != nil || l.isConst(p.base) {
		return vm.None
	}
	switch value.(type) {
	case nil, *tree.Binary, *tree.Unary, *tree.Convert, *tree.Index, *tree.Atomic, *tree.BuiltinCall, *tree.Compose:
		return p.base
	default:
		return vm.None
	}
}

// incDec lowers ++ and -- as a value.
func (l *lowerer) incDec(x *tree.IncDec) int32 {
	if x.Prefix {
		return l.step(x)
	}
	p := l.locate(x.X, true)
	before := l.copied(l.load(p, vm.None), p.t.Components())
	l.store(p, l.stepped(x, p, before))
	return before
}

// step adds or subtracts one and returns the new value.
func (l *lowerer) step(x *tree.IncDec) int32 {
	p := l.locate(x.X, false)
	value := l.stepped(x, p, l.load(p, vm.None))
	l.store(p, value)
	return value
}

func (l *lowerer) stepped(x *tree.IncDec, p place, from int32) int32 {
	kind := p.t.ComponentKind()
	one := l.constants(slices.Repeat(ones[kind], p.t.Components()/kind.Words())...)
	op := tree.Add
	if x.Dec {
		op = tree.Sub
	}
	l.at(x.At)
	return l.apply(op, p.t, from, one, l.direct(p, nil))
}

// ones are the words of 1.
var ones = map[tree.Kind][]uint32{
	tree.KindInt: {1}, tree.KindUint: {1}, tree.KindFloat: {0x3F800000},
	tree.KindInt64: {1, 0}, tree.KindUint64: {1, 0}, tree.KindDouble: {0, 0x3FF00000},
}

// atomicOps maps atomic operations on numbers.
var atomicOps = [...]byKind{
	tree.AtomicAdd:      words(vm.OpAtomicAdd, vm.OpAtomicAddF).wide(vm.OpAtomicAddD, vm.OpAtomicAddL),
	tree.AtomicMin:      {i: vm.OpAtomicMinI, u: vm.OpAtomicMinU, f: vm.OpAtomicMinF, l: vm.OpAtomicMinL, ul: vm.OpAtomicMinUL},
	tree.AtomicMax:      {i: vm.OpAtomicMaxI, u: vm.OpAtomicMaxU, f: vm.OpAtomicMaxF, l: vm.OpAtomicMaxL, ul: vm.OpAtomicMaxUL},
	tree.AtomicAnd:      words(vm.OpAtomicAnd, 0).wide(0, vm.OpAtomicAndL),
	tree.AtomicOr:       words(vm.OpAtomicOr, 0).wide(0, vm.OpAtomicOrL),
	tree.AtomicXor:      words(vm.OpAtomicXor, 0).wide(0, vm.OpAtomicXorL),
	tree.AtomicExchange: words(vm.OpAtomicExchange, vm.OpAtomicExchange).wide(vm.OpAtomicExchangeL, vm.OpAtomicExchangeL),
	tree.AtomicCompSwap: words(vm.OpAtomicCompSwap, 0).wide(0, vm.OpAtomicCompSwapL),
}

func (l *lowerer) atomic(x *tree.Atomic, hint int32) int32 {
	p := l.locate(x.Target, changes(x.Value) || x.Compare != nil && changes(x.Compare))
	n := x.T.Components()
	var value int32
	if x.Compare != nil {
		value = l.temp(2 * n)
		l.evalTo(x.Compare, value)
		l.evalTo(x.Value, value+int32(n))
	} else {
		value = l.eval(x.Value, vm.None)
	}
	l.at(x.At)
	dst := l.orTemp(hint, n)
	l.emit(atomicOps[x.Op].of(x.T.Kind), 1, dst, p.index, value, l.accessOf(p, n))
	return dst
}
