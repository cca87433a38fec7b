package vm

import (
	"sync/atomic"

	"vyretop/engine/glsl/floats"
)

// Operand A is the index as in load, B the value; a compare-and-swap finds the word to compare with
// in register B and the value in B+1. D receives the word before.
var atomicOps = []row{
	atomicRow(OpAtomicAdd, "atomic.add", func(old, v uint32) uint32 { return old + v }, func(p *uint32, v uint32) uint32 { return atomic.AddUint32(p, v) - v }),
	atomicRow(OpAtomicAddF, "atomic.add.f", func(old, v uint32) uint32 { return bitsOf(float(old) + float(v)) }, nil),
	atomicRow(OpAtomicMinF, "atomic.min.f", float2(floats.Min), nil),
	atomicRow(OpAtomicMaxF, "atomic.max.f", float2(floats.Max), nil),
	atomicRow(OpAtomicMinI, "atomic.min.i", func(old, v uint32) uint32 { return uint32(min(int32(old), int32(v))) }, nil),
	atomicRow(OpAtomicMinU, "atomic.min.u", func(old, v uint32) uint32 { return min(old, v) }, nil),
	atomicRow(OpAtomicMaxI, "atomic.max.i", func(old, v uint32) uint32 { return uint32(max(int32(old), int32(v))) }, nil),
	atomicRow(OpAtomicMaxU, "atomic.max.u", func(old, v uint32) uint32 { return max(old, v) }, nil),
	atomicRow(OpAtomicAnd, "atomic.and", func(old, v uint32) uint32 { return old & v }, atomic.AndUint32),
	atomicRow(OpAtomicOr, "atomic.or", func(old, v uint32) uint32 { return old | v }, atomic.OrUint32),
	atomicRow(OpAtomicXor, "atomic.xor", func(old, v uint32) uint32 { return old ^ v }, nil),
	atomicRow(OpAtomicExchange, "atomic.exchange", func(_, v uint32) uint32 { return v }, atomic.SwapUint32),
	{OpAtomicCompSwap, Info{Name: "atomic.compswap", Kinds: [4]Kind{KindDst1, KindSrc1Opt, KindSrc2, KindAccess}, run: runCompSwap}},
}

// atomicRow makes an operation from the change it makes to a word and, where the processor has it
// as one instruction, that instruction; it returns the word before.
func atomicRow(op Op, name string, change func(old, v uint32) uint32, direct func(p *uint32, v uint32) uint32) row {
	if direct == nil {
		direct = compareAndSwapLoop(change)
	}
	run := func(g *Group, s *step) {
		for _, i := range g.lanesOn() {
			word := g.target(s, int(i))
			v := g.regs[s.b+int(i)]
			switch {
			case word == nil:
				g.regs[s.d+int(i)] = 0
			case s.acc.contended:
				g.regs[s.d+int(i)] = direct(word, v)
			default:
				old := *word
				*word = change(old, v)
				g.regs[s.d+int(i)] = old
			}
		}
	}
	return row{op, Info{Name: name, Kinds: [4]Kind{KindDst1, KindSrc1Opt, KindSrc1, KindAccess}, run: run}}
}

func compareAndSwapLoop(change func(old, v uint32) uint32) func(p *uint32, v uint32) uint32 {
	return func(p *uint32, v uint32) uint32 {
		for {
			old := atomic.LoadUint32(p)
			if atomic.CompareAndSwapUint32(p, old, change(old, v)) {
				return old
			}
		}
	}
}

// target finds the word of an atomic access, or reports it and returns nil.
func (g *Group) target(s *step, lane int) *uint32 {
	at, ok := g.locate(OutOfRangeAtomic, s, lane)
	if !ok {
		return nil
	}
	return &g.mem[s.acc.space][at]
}

func runCompSwap(g *Group, s *step) {
	for _, i := range g.lanesOn() {
		word := g.target(s, int(i))
		if word == nil {
			g.regs[s.d+int(i)] = 0
			continue
		}
		compare, v := g.regs[s.b+int(i)], g.regs[s.b+g.lanes+int(i)]
		if s.acc.contended {
			g.regs[s.d+int(i)] = compareAndSwap(word, compare, v)
			continue
		}
		old := *word
		if old == compare {
			*word = v
		}
		g.regs[s.d+int(i)] = old
	}
}

// compareAndSwap returns the word it found, which is not compare exactly when it changed nothing.
func compareAndSwap(p *uint32, compare, v uint32) uint32 {
	for {
		if atomic.CompareAndSwapUint32(p, compare, v) {
			return compare
		}
		if old := atomic.LoadUint32(p); old != compare {
			return old
		}
	}
}
