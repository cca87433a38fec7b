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
	case tree.KindInt:
		low := l.lanewise(vm.OpMaxI, c.width(), vm.None, args[0], args[1])
		return l.lanewise(vm.OpMinI, c.width(), c.hint, low, args[2])
	default:
		low := l.lanewise(vm.OpMaxU, c.width(), vm.None, args[0], args[1])
		return l.lanewise(vm.OpMinU, c.width(), c.hint, low, args[2])
	}
}

// mix selects when its last argument is a bool, and interpolates otherwise.
func (l *lowerer) mix(c *call) int32 {
	args := l.widened(c)
	if c.Args[2].X.Type().Kind == tree.KindBool {
		return l.lanewise(vm.OpSelect, c.width(), c.hint, args[2], args[1], args[0])
	}
	return l.lanewise(vm.OpMixF, c.width(), c.hint, args...)
}

func (l *lowerer) modf(c *call) int32 {
	n := c.width()
	whole := l.lanewise(vm.OpTruncF, n, vm.None, c.args[0])
	fraction := l.lanewise(vm.OpSubF, n, vm.None, c.args[0], whole)
	l.store(c.outs[0], whole)
	return fraction
}

func (l *lowerer) frexp(c *call) int32 {
	n := c.width()
	exponent := l.lanewise(vm.OpFrexpExp, n, vm.None, c.args[0])
	significand := l.lanewise(vm.OpFrexpSig, n, vm.None, c.args[0])
	l.store(c.outs[0], exponent)
	return significand
}

func (l *lowerer) length(c *call) int32 { return l.norm(c.args[0], c.width(), c.hint) }

// norm is the square root of the sum of the squares; for one component its absolute value.
func (l *lowerer) norm(reg int32, n int, hint int32) int32 {
	if n == 1 {
		return l.lanewise(vm.OpAbsF, 1, hint, reg)
	}
	square := l.temp(1)
	l.emit(vm.OpDot, n, square, reg, reg, 0)
	return l.lanewise(vm.OpSqrt, 1, hint, square)
}

func (l *lowerer) distance(c *call) int32 {
	difference := l.lanewise(vm.OpSubF, c.width(), vm.None, c.args...)
	return l.norm(difference, c.width(), c.hint)
}

func (l *lowerer) normalize(c *call) int32 {
	n := c.width()
	norm := l.splatted(l.norm(c.args[0], n, vm.None), n, vm.None)
	return l.lanewise(vm.OpDivF, n, c.hint, c.args[0], norm)
}

// cross is (a.yzx * b.zxy) - (a.zxy * b.yzx).
func (l *lowerer) cross(c *call) int32 {
	a, b := c.args[0], c.args[1]
	left := l.lanewise(vm.OpMulF, 3, vm.None, l.rotated(a, 1), l.rotated(b, 2))
	right := l.lanewise(vm.OpMulF, 3, vm.None, l.rotated(a, 2), l.rotated(b, 1))
	return l.lanewise(vm.OpSubF, 3, c.hint, left, right)
}

// rotated copies a vector of three with its components moved down by n.
func (l *lowerer) rotated(v int32, n int32) int32 {
	dst := l.temp(3)
	for i := range int32(3) {
		l.move(dst+i, v+(i+n)%3, 1)
	}
	return dst
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
