package lower

import (
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Only the last operation of each of these may write to the hint: until then the arguments are
// still to be read.

func (l *lowerer) atan(c *call) int32 {
	if len(c.args) == 2 {
		return l.lanewise(vm.OpAtan2, c.width(), c.hint, c.args...)
	}
	return l.lanewise(vm.OpAtan, c.width(), c.hint, c.args...)
}

func (l *lowerer) clamp(c *call) int32 {
	args := l.widened(c)
	switch c.kind() {
	case tree.KindFloat:
		return l.lanewise(vm.OpClampF, c.width(), c.hint, args...)
	case tree.KindDouble:
		return l.lanewise(vm.OpClampD, c.width(), c.hint, args...)
	default:
		low := l.lanewise(builtinOps[tree.FnMax].of(c.kind()), c.width(), vm.None, args[0], args[1])
		return l.lanewise(builtinOps[tree.FnMin].of(c.kind()), c.width(), c.hint, low, args[2])
	}
}

// trinary computes the least, the median or the greatest of three values.
func trinary(l *lowerer, c *call) int32 {
	pair := func(id tree.BuiltinID, hint, x, y int32) int32 {
		return l.lanewise(builtinOps[id].of(c.kind()), c.width(), hint, x, y)
	}
	x, y, z := c.args[0], c.args[1], c.args[2]
	switch c.Builtin.ID {
	case tree.FnMin3:
		return pair(tree.FnMin, c.hint, pair(tree.FnMin, vm.None, x, y), z)
	case tree.FnMax3:
		return pair(tree.FnMax, c.hint, pair(tree.FnMax, vm.None, x, y), z)
	}
	least, greatest := pair(tree.FnMin, vm.None, x, y), pair(tree.FnMax, vm.None, x, y)
	return pair(tree.FnMax, c.hint, least, pair(tree.FnMin, vm.None, greatest, z))
}

// mix selects when its last argument is a bool, and interpolates otherwise.
func (l *lowerer) mix(c *call) int32 {
	args := l.widened(c)
	if c.Args[2].X.Type().Kind == tree.KindBool {
		return selected(l, args[2], args[1], args[0], c.T, c.hint)
	}
	return l.lanewise(byKind{f: vm.OpMixF, d: vm.OpMixD}.of(c.kind()), c.width(), c.hint, args...)
}

// selected chooses between the components of two values of type t by a bool each.
func selected(l *lowerer, by, yes, no int32, t *tree.Type, hint int32) int32 {
	if t.Kind.Words() == 2 {
		by = eachTwice(l, by, t.Width)
	}
	return l.lanewise(vm.OpSelect, t.Components(), hint, by, yes, no)
}

// eachTwice repeats each of n registers, for the words of components of 64 bits.
func eachTwice(l *lowerer, reg int32, n int) int32 {
	dst := l.temp(2 * n)
	for i := range int32(n) {
		l.emit(vm.OpSplat, 2, dst+2*i, reg+i, 0, 0)
	}
	return dst
}

func (l *lowerer) modf(c *call) int32 {
	n := c.width()
	whole := l.lanewise(builtinOps[tree.FnTrunc].of(c.kind()), n, vm.None, c.args[0])
	fraction := l.lanewise(binaryOps[tree.Sub].of(c.kind()), n, vm.None, c.args[0], whole)
	l.store(c.outs[0], whole)
	return fraction
}

func (l *lowerer) frexp(c *call) int32 {
	n := c.width()
	exponent := l.lanewise(byKind{f: vm.OpFrexpExp, d: vm.OpFrexpExpD}.of(c.kind()), n, vm.None, c.args[0])
	significand := l.lanewise(byKind{f: vm.OpFrexpSig, d: vm.OpFrexpSigD}.of(c.kind()), n, vm.None, c.args[0])
	l.store(c.outs[0], exponent)
	return significand
}

func (l *lowerer) length(c *call) int32 { return floats(l, c).norm(c.vector(0), c.hint).reg }

func floats(l *lowerer, c *call) registers { return registers{l, c.kind() == tree.KindDouble} }

// vector is an argument of a function on floats or doubles.
func (c *call) vector(i int) value { return value{c.args[i], c.Args[i].X.Type().Width} }

// norm is the square root of the sum of the squares; for one component its absolute value.
func (l registers) norm(v value, hint int32) value {
	if v.n == 1 {
		return value{l.lanewise(builtinOps[tree.FnAbs].of(l.kind()), 1, hint, v.reg), 1}
	}
	return value{l.lanewise(builtinOps[tree.FnSqrt].of(l.kind()), 1, hint, l.Dot(v, v).reg), 1}
}

func (l *lowerer) distance(c *call) int32 {
	r := floats(l, c)
	return r.norm(r.Arithmetic(tree.Sub, c.vector(0), c.vector(1)), c.hint).reg
}

func (l *lowerer) normalize(c *call) int32 {
	r, v := floats(l, c), c.vector(0)
	norm := r.Splat(r.norm(v, vm.None), v.n)
	return l.lanewise(binaryOps[tree.Div].of(c.kind()), v.n, c.hint, v.reg, norm.reg)
}

// cross is (a.yzx * b.zxy) - (a.zxy * b.yzx).
func (l *lowerer) cross(c *call) int32 {
	r := floats(l, c)
	a, b := c.vector(0), c.vector(1)
	left := r.Arithmetic(tree.Mul, r.rotated(a, 1), r.rotated(b, 2))
	right := r.Arithmetic(tree.Mul, r.rotated(a, 2), r.rotated(b, 1))
	return l.lanewise(binaryOps[tree.Sub].of(c.kind()), left.n, c.hint, left.reg, right.reg)
}

// rotated is a vector of three with its components moved down by n.
func (l registers) rotated(v value, n int) value {
	return l.Compose(l.Component(v, n%3), l.Component(v, (n+1)%3), l.Component(v, (n+2)%3))
}

func (l *lowerer) notVector(c *call) int32 {
	return l.lanewise(vm.OpXor, c.width(), c.hint, c.args[0], l.filled(1, c.width()))
}

func sumWithCarry(sum, carry vm.Op) func(*lowerer, *call) int32 {
	return func(l *lowerer, c *call) int32 {
		over := l.lanewise(carry, c.width(), vm.None, c.args...)
		total := l.lanewise(sum, c.width(), vm.None, c.args...)
		l.store(c.outs[0], over)
		return total
	}
}

func fullProduct(high vm.Op) func(*lowerer, *call) int32 {
	return func(l *lowerer, c *call) int32 {
		msb := l.lanewise(high, c.width(), vm.None, c.args...)
		lsb := l.lanewise(vm.OpMul, c.width(), vm.None, c.args...)
		l.store(c.outs[0], msb)
		l.store(c.outs[1], lsb)
		return vm.None
	}
}

func (l *lowerer) bitfieldInsert(c *call) int32 {
	n := c.width()
	field := l.temp(2)
	l.move(field, c.args[2], 1)
	l.move(field+1, c.args[3], 1)
	hint := c.hint
	for _, arg := range c.args[:2] {
		if hint != vm.None && overlaps(hint, arg, n) {
			hint = vm.None
		}
	}
	dst := l.orTemp(hint, n)
	l.emit(vm.OpInsert, n, dst, c.args[0], c.args[1], field)
	return dst
}

// barrier compares the active lanes with those that have not returned from main.
func (l *lowerer) barrier(*call) int32 {
	l.emit(vm.OpBarrier, 0, l.mainReturned, 0, 0, 0)
	return vm.None
}

// gridBarrier is barrier, and the workgroup waits there for the others.
func (l *lowerer) gridBarrier(*call) int32 {
	l.emit(vm.OpGridBarrier, 0, l.mainReturned, 0, 0, 0)
	return vm.None
}

// ballotWords is how many words a ballot has.
const ballotWords = 4

func ballot(l *lowerer, c *call) int32 {
	dst := l.temp(ballotWords)
	l.emit(vm.OpBallot, ballotWords, dst, c.args[0], l.constants(uint32(l.prog.Subgroup)), 0)
	return dst
}

// shuffle has registers of its own for the result, as every lane may read those of the others.
func shuffle(l *lowerer, c *call) int32 {
	dst := l.temp(c.T.Width)
	l.emit(vm.OpShuffle, c.T.Width, dst, c.args[0], c.args[1], l.constants(uint32(l.prog.Subgroup)))
	return dst
}
