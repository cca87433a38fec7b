package vm

// Integers of 64 bits; an L is signed, a UL is not. Operators that look at no other bit than their own work on the words.
var int64Ops = []row{
	wideBinaryRow(OpAddL, "add.l", func(a, b uint64) uint64 { return a + b }),
	wideBinaryRow(OpSubL, "sub.l", func(a, b uint64) uint64 { return a - b }),
	wideBinaryRow(OpMulL, "mul.l", func(a, b uint64) uint64 { return a * b }),
	wideDivisionRow(OpDivL, "div.l", func(a, b uint64) uint64 { return uint64(int64(a) / int64(b)) }),
	wideDivisionRow(OpDivUL, "div.ul", func(a, b uint64) uint64 { return a / b }),
	wideDivisionRow(OpModL, "mod.l", func(a, b uint64) uint64 { return uint64(int64(a) % int64(b)) }),
	wideDivisionRow(OpModUL, "mod.ul", func(a, b uint64) uint64 { return a % b }),
	wideBy32Row(OpShlL, "shl.l", func(a uint64, b uint32) uint64 { return a << (b & 63) }),
	wideBy32Row(OpShrL, "shr.l", func(a uint64, b uint32) uint64 { return uint64(int64(a) >> (b & 63)) }),
	wideBy32Row(OpShrUL, "shr.ul", func(a uint64, b uint32) uint64 { return a >> (b & 63) }),
	wideUnaryRow(OpNegL, "neg.l", func(a uint64) uint64 { return -a }),

	wideCompareRow(OpEqL, "eq.l", func(a, b uint64) bool { return a == b }),
	wideCompareRow(OpNeL, "ne.l", func(a, b uint64) bool { return a != b }),
	wideCompareRow(OpLtL, "lt.l", func(a, b uint64) bool { return int64(a) < int64(b) }),
	wideCompareRow(OpLeL, "le.l", func(a, b uint64) bool { return int64(a) <= int64(b) }),
	wideCompareRow(OpGtL, "gt.l", func(a, b uint64) bool { return int64(a) > int64(b) }),
	wideCompareRow(OpGeL, "ge.l", func(a, b uint64) bool { return int64(a) >= int64(b) }),
	wideCompareRow(OpLtUL, "lt.ul", func(a, b uint64) bool { return a < b }),
	wideCompareRow(OpLeUL, "le.ul", func(a, b uint64) bool { return a <= b }),
	wideCompareRow(OpGtUL, "gt.ul", func(a, b uint64) bool { return a > b }),
	wideCompareRow(OpGeUL, "ge.ul", func(a, b uint64) bool { return a >= b }),

	wideUnaryRow(OpAbsL, "abs.l", func(a uint64) uint64 { return uint64(max(int64(a), -int64(a))) }),
	wideUnaryRow(OpSignL, "sign.l", func(a uint64) uint64 { return uint64(int64(a)>>63) | uint64(truth(a != 0)) }),
	wideBinaryRow(OpMinL, "min.l", func(a, b uint64) uint64 { return uint64(min(int64(a), int64(b))) }),
	wideBinaryRow(OpMaxL, "max.l", func(a, b uint64) uint64 { return uint64(max(int64(a), int64(b))) }),
	wideBinaryRow(OpMinUL, "min.ul", func(a, b uint64) uint64 { return min(a, b) }),
	wideBinaryRow(OpMaxUL, "max.ul", func(a, b uint64) uint64 { return max(a, b) }),

	wideningRow(OpIntToLong, "int.to.long", func(a uint32) uint64 { return uint64(int32(a)) }),
	wideningRow(OpUintToLong, "uint.to.long", func(a uint32) uint64 { return uint64(a) }),
	narrowingRow(OpLongToUint, "long.to.uint", func(a uint64) uint32 { return uint32(a) }),
	narrowingRow(OpLongToBool, "long.to.bool", func(a uint64) uint32 { return truth(a != 0) }),
}
