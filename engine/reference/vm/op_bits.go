package vm

import "math/bits"

var bitOps = []row{
	unaryRow(OpAbsI, "abs.i", absInt),
	unaryRow(OpSignI, "sign.i", func(a uint32) uint32 { return uint32(int32(a)>>31) | truth(a != 0) }),
	binaryRow(OpCarry, "carry", func(a, b uint32) uint32 { _, c := bits.Add32(a, b, 0); return c }),
	binaryRow(OpBorrow, "borrow", func(a, b uint32) uint32 { _, c := bits.Sub32(a, b, 0); return c }),
	binaryRow(OpMulHighI, "mulhigh.i", func(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) }),
	binaryRow(OpMulHighU, "mulhigh.u", func(a, b uint32) uint32 { high, _ := bits.Mul32(a, b); return high }),
	ternaryRow(OpExtractI, "extract.i", extractInt),
	ternaryRow(OpExtractU, "extract.u", extractUint),
	{OpInsert, Info{Name: "insert", Kinds: [4]Kind{KindDst, KindSrc, KindSrc, KindSrc2}, run: runInsert}},
	unaryRow(OpReverse, "reverse", bits.Reverse32),
	unaryRow(OpBitCount, "bitcount", func(a uint32) uint32 { return uint32(bits.OnesCount32(a)) }),
	unaryRow(OpFindLSB, "findlsb", findLSB),
	unaryRow(OpFindMSBI, "findmsb.i", func(a uint32) uint32 { return findMSB(a ^ uint32(int32(a)>>31)) }),
	unaryRow(OpFindMSBU, "findmsb.u", findMSB),
}

// absInt leaves the most negative int as it is.
func absInt(a uint32) uint32 {
	if int32(a) < 0 {
		return -a
	}
	return a
}

// field clamps a bit field to the word: an offset outside 0..31 or a count below 1 makes it empty,
// and a count that reaches past bit 31 is cut there. GLSL leaves these undefined.
func field(offset, count uint32) (shift, width uint32) {
	if offset > 31 || int32(count) <= 0 {
		return 0, 0
	}
	return offset, min(count, 32-offset)
}

func extractUint(value, offset, count uint32) uint32 {
	shift, width := field(offset, count)
	return uint32(uint64(value>>shift) & (1<<width - 1))
}

func extractInt(value, offset, count uint32) uint32 {
	shift, width := field(offset, count)
	if width == 0 {
		return 0
	}
	return uint32(int32(value<<(32-shift-width)) >> (32 - width))
}

func insertBits(base, insert, offset, count uint32) uint32 {
	shift, width := field(offset, count)
	mask := uint32(1<<width-1) << shift
	return base&^mask | insert<<shift&mask
}

// runInsert finds offset and count in the registers C and C+1: five operands do not fit an
// instruction.
func runInsert(g *Group, s *step) {
	for at := 0; at < s.span; at += g.lanes {
		dst, base, insert := g.reg(s.d+at), g.reg(s.a+at), g.reg(s.b+at)
		offset, count := g.reg(s.c), g.reg(s.c+g.lanes)
		for _, i := range g.lanesOn() {
			dst[i] = insertBits(base[i], insert[i], offset[i], count[i])
		}
	}
}

func findLSB(a uint32) uint32 {
	if a == 0 {
		return ^uint32(0)
	}
	return uint32(bits.TrailingZeros32(a))
}

// findMSB gives -1, all ones, for 0.
func findMSB(a uint32) uint32 { return uint32(int32(bits.Len32(a)) - 1) }
