package lower

import (
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// eval lowers an expression and returns the first register of its value. With a hint the value is
// made there if it must be made at all; no operand is overwritten before it has been read. The
// registers of a variable come back as they are.
func (l *lowerer) eval(e tree.Expr, hint int32) int32 {
	if l.err != nil {
		return vm.InputRegs
	}
	l.at(e.Pos())
	switch x := e.(type) {
	case *tree.Const:
		return l.constants(x.Bits...)
	case *tree.VarRef, *tree.BufferRef, *tree.Field, *tree.Swizzle, *tree.Index:
		return l.load(l.locate(e, false), hint)
	case *tree.Length:
		return l.runtimeLength(x, hint)
	case *tree.Unary:
		return l.unary(x, hint)
	case *tree.Binary:
		return l.binary(x.Op, x.X, x.Y, hint)
	case *tree.Logical:
		return l.logical(x, hint)
	case *tree.Conditional:
		return l.conditional(x, hint)
	case *tree.Assign:
		return l.assign(x)
	case *tree.IncDec:
		return l.incDec(x)
	case *tree.Comma:
		l.discard(x.X)
		return l.eval(x.Y, hint)
	case *tree.Call:
		return l.callFunction(x, vm.None)
	case *tree.BuiltinCall:
		return l.builtin(x, hint)
	case *tree.Atomic:
		return l.atomic(x, hint)
	case *tree.Convert:
		return l.convert(x, hint)
	case *tree.Splat:
		return l.splat(x, hint)
	case *tree.Compose:
		return l.compose(x, hint)
	default:
		panic("BUG: unknown expression in the typed tree")
	}
}

// evalTo lowers an expression and puts its value in dst.
func (l *lowerer) evalTo(e tree.Expr, dst int32) {
	reg := l.eval(e, dst)
	l.at(e.Pos())
	l.move(dst, reg, e.Type().Components())
}

// evalFresh is evalTo for registers that nothing else knows yet.
func (l *lowerer) evalFresh(e tree.Expr, dst int32) {
	if call, ok := e.(*tree.Call); ok {
		l.callFunction(call, dst)
		return
	}
	l.evalTo(e, dst)
}

// discard lowers an expression for its effects.
func (l *lowerer) discard(e tree.Expr) {
	mark := l.next
	if x, ok := e.(*tree.IncDec); ok {
		l.step(x)
	} else {
		l.eval(e, vm.None)
	}
	l.release(mark)
}

// operands lowers expressions left to right, so that each keeps the value it had when its turn came.
func (l *lowerer) operands(list ...tree.Expr) []int32 {
	regs := make([]int32, len(list))
	for i, e := range list {
		regs[i] = l.eval(e, vm.None)
		for _, later := range list[i+1:] {
			if !l.isConst(regs[i]) && changes(later) {
				regs[i] = l.copied(regs[i], e.Type().Components())
				break
			}
		}
	}
	return regs
}

// lanewise emits an operation on vectors of n components into hint or a temporary; a hint that would
// overwrite components of an operand that are still to be read is not used.
func (l *lowerer) lanewise(op vm.Op, n int, hint int32, src ...int32) int32 {
	kinds := &vm.Ops[op].Kinds
	written := kinds[0].Registers(n)
	for i, s := range src {
		read := kinds[i+1].Registers(n)
		if hint != vm.None && (overlaps(hint, s, max(written, read)) || hint == s && written != read) {
			hint = vm.None
		}
	}
	dst := l.orTemp(hint, written)
	var in [3]int32
	copy(in[:], src)
	l.emit(op, n, dst, in[0], in[1], in[2])
	return dst
}

func (l *lowerer) runtimeLength(x *tree.Length, hint int32) int32 {
	p := l.locate(x.X, false)
	stride := p.strideOf(x.X.Type())
	a := l.access(vm.Access{Space: p.space, Stride: stride, Len: 1, Runtime: true, Origin: p.base})
	dst := l.orTemp(hint, 1)
	l.emit(vm.OpLength, 1, dst, 0, 0, a)
	return dst
}

func (l *lowerer) splat(x *tree.Splat, hint int32) int32 {
	if c, ok := x.X.(*tree.Const); ok {
		return l.constants(slices.Repeat(c.Bits, x.T.Width)...)
	}
	reg := l.eval(x.X, vm.None)
	if x.T.Kind.Words() == 2 {
		return splatted64(l, reg, x.T.Width)
	}
	return l.splatted(reg, x.T.Width, hint)
}

// splatted64 repeats a component of 64 bits n times.
func splatted64(l *lowerer, reg int32, n int) int32 {
	if n == 1 {
		return reg
	}
	dst := l.temp(2 * n)
	for i := range int32(n) {
		l.move(dst+2*i, reg, 2)
	}
	return dst
}

// splatted repeats one register n times.
func (l *lowerer) splatted(reg int32, n int, hint int32) int32 {
	if n == 1 {
		return reg
	}
	if hint != vm.None && reg >= hint && reg < hint+int32(n) {
		hint = vm.None
	}
	dst := l.orTemp(hint, n)
	l.emit(vm.OpSplat, n, dst, reg, 0, 0)
	return dst
}

// compose builds a value from parts, which are all evaluated before the first is put in place.
func (l *lowerer) compose(x *tree.Compose, hint int32) int32 {
	n := x.T.Components()
	if l.err != nil {
		return vm.InputRegs
	}
	var dst int32
	if hint == vm.None {
		dst = l.temp(n)
	} else {
		dst = hint
	}
	regs := l.operands(x.Parts...)
	if hint != vm.None && l.anyWithin(regs, x.Parts, hint, n) {
		dst = l.temp(n)
	}
	at := dst
	for i, part := range x.Parts {
		width := part.Type().Components()
		l.move(at, regs[i], width)
		at += int32(width)
	}
	return dst
}

// anyWithin reports whether a value lies in the n registers from low on.
func (l *lowerer) anyWithin(regs []int32, parts []tree.Expr, low int32, n int) bool {
	for i, r := range regs {
		if r < low+int32(n) && low < r+int32(parts[i].Type().Components()) {
			return true
		}
	}
	return false
}

// logical evaluates the right operand only where the left one does not decide.
func (l *lowerer) logical(x *tree.Logical, hint int32) int32 {
	if isSimple(l, x.Y) {
		op := vm.OpOr
		if x.And {
			op = vm.OpAnd
		}
		regs := l.operands(x.X, x.Y)
		dst := l.lanewise(op, 1, hint, regs...)
		guard(l, x.X)
		return dst
	}
	dst := l.temp(1)
	l.evalTo(x.X, dst)
	guard(l, x.X)
	cond := dst
	if !x.And {
		cond = l.lanewise(vm.OpXor, 1, vm.None, dst, l.constants(1))
	}
	l.branch(branch{cond: cond, then: func() {
		guard(l, x.X)
		reg := l.eval(x.Y, dst)
		l.at(x.Y.Pos())
		if l.move(dst, reg, 1); reg != dst {
			guard(l, x.X)
		}
	}, middle: x.At, end: x.At})
	guard(l, x.X)
	return dst
}

// guard notes that the last instruction is there only because x is an inserted guard; other expressions are none.
func guard(l *lowerer, x tree.Expr) {
	if call, ok := x.(*tree.Call); ok && call.Inserted {
		l.guards[len(l.code.Instrs)-1] = true
	}
}

func (l *lowerer) conditional(x *tree.Conditional, hint int32) int32 {
	n := x.T.Components()
	if n <= 4 && isSimple(l, x.Then) && isSimple(l, x.Else) {
		regs := l.operands(x.Cond, x.Then, x.Else)
		cond := l.splatted(regs[0], n, vm.None)
		return l.lanewise(vm.OpSelect, n, hint, cond, regs[1], regs[2])
	}
	dst := l.temp(n)
	cond := l.eval(x.Cond, vm.None)
	l.branch(branch{
		cond: cond, then: func() { l.evalTo(x.Then, dst) }, otherwise: func() { l.evalTo(x.Else, dst) },
		middle: x.At, end: x.At,
	})
	return dst
}

// simpleSize is how many nodes an expression may have to be evaluated where it is not needed.
const simpleSize = 8

// isSimple reports whether an expression is short, changes nothing and cannot go wrong, so that
// evaluating it for too many lanes costs less than a branch and cannot be seen. Checkers see reads of shared memory and of variables without a value.
func isSimple(l *lowerer, e tree.Expr) bool {
	size, ok := 0, true
	tree.Inspect(e, func(x tree.Expr) bool {
		size++
		switch y := x.(type) {
		case *tree.Const, *tree.Field, *tree.Swizzle, *tree.Unary, *tree.Convert, *tree.Splat:
		case *tree.Binary:
			ok = ok && (y.Op != tree.Div && y.Op != tree.Mod || y.OperandKind().IsFloat())
		case *tree.Logical:
		case *tree.VarRef:
			ok = ok && y.Var.Kind != tree.VarShared && !slices.ContainsFunc(l.unset, func(u Unset) bool { return u.Variable == y.Var })
		default:
			ok = false
		}
		return ok
	})
	return ok && size <= simpleSize
}
