package reference

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// exprCases lists every scalar operator and built-in function with what it must give, written against
// the specification and not against package vm.
func exprCases() []exprCase {
	return slices.Concat(intCases(), uintCases(), floatCases(), convertCases(), bitCases(), packCases(), commonCases(), mathCases())
}

func i1(f func(a int32) int32) func(a, b, c uint32) uint32 {
	return func(a, _, _ uint32) uint32 { return uint32(f(int32(a))) }
}

func i2(f func(a, b int32) int32) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 { return uint32(f(int32(a), int32(b))) }
}

func u2(f func(a, b uint32) uint32) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 { return f(a, b) }
}

func is(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func ib(f func(a, b int32) bool) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 { return is(f(int32(a), int32(b))) }
}

func ub(f func(a, b uint32) bool) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 { return is(f(a, b)) }
}

func fb(f func(a, b float32) bool) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 { return is(f(math.Float32frombits(a), math.Float32frombits(b))) }
}

// word gives the bits of a result with the one NaN.
func word(f float32) uint32 {
	if f != f {
		return 0x7FC00000
	}
	return math.Float32bits(f)
}

func f1(f func(a float32) float32) func(a, b, c uint32) uint32 {
	return func(a, _, _ uint32) uint32 { return word(f(math.Float32frombits(a))) }
}

func f2(f func(a, b float32) float32) func(a, b, c uint32) uint32 {
	return func(a, b, _ uint32) uint32 {
		return word(f(math.Float32frombits(a), math.Float32frombits(b)))
	}
}

func f3(f func(a, b, c float32) float32) func(a, b, c uint32) uint32 {
	return func(a, b, c uint32) uint32 {
		return word(f(math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)))
	}
}

// d1 is a function of float64, rounded once.
func d1(f func(float64) float64) func(a, b, c uint32) uint32 {
	return f1(func(a float32) float32 { return float32(f(float64(a))) })
}

func intCases() []exprCase {
	return []exprCase{
		{"ii", "int", "a + b", i2(func(a, b int32) int32 { return a + b }), ""},
		{"ii", "int", "a - b", i2(func(a, b int32) int32 { return a - b }), ""},
		{"ii", "int", "a * b", i2(func(a, b int32) int32 { return a * b }), ""},
		{"ii", "int", "a / b", i2(divide), ""},
		{"ii", "int", "a % b", i2(remainder), ""},
		{"ii", "int", "a << b", i2(func(a, b int32) int32 { return a << (b & 31) }), ""},
		{"ii", "int", "a >> b", i2(func(a, b int32) int32 { return a >> (b & 31) }), ""},
		{"iu", "int", "a >> b", func(a, b, _ uint32) uint32 { return uint32(int32(a) >> (b % 32)) }, ""},
		{"i", "int", "a >> 3", i1(func(a int32) int32 { return a >> 3 }), ""},
		{"i", "bool", "a >= 5", ib(func(a, _ int32) bool { return a >= 5 }), ""},
		{"i", "bool", "5 <= a ^^ a <= 31", ib(func(a, _ int32) bool { return (5 <= a) != (a <= 31) }), ""},
		{"ii", "int", "a ^ (b | 1)", i2(func(a, b int32) int32 { return a ^ (b | 1) }), ""},
		{"i", "int", "-a", i1(func(a int32) int32 { return -a }), ""},
		{"i", "int", "+a", i1(func(a int32) int32 { return a }), ""},
		{"i", "int", "~a", i1(func(a int32) int32 { return ^a }), ""},
		{"i", "int", "7 - a", i1(func(a int32) int32 { return 7 - a }), ""},
		{"ii", "bool", "a < b", ib(func(a, b int32) bool { return a < b }), ""},
		{"ii", "bool", "a <= b", ib(func(a, b int32) bool { return a <= b }), ""},
		{"ii", "bool", "a > b", ib(func(a, b int32) bool { return a > b }), ""},
		{"ii", "bool", "a >= b", ib(func(a, b int32) bool { return a >= b }), ""},
		{"i", "bool", "a < 5 ^^ a > -3", ib(func(a, _ int32) bool { return (a < 5) != (a > -3) }), ""},
		{"ii", "bool", "a <= 2 || b / a >= 3", ib(func(a, b int32) bool { return a <= 2 || b/a >= 3 }), ""},
		{"ii", "bool", "a != 0 && b / a > 1", ib(func(a, b int32) bool { return a != 0 && divide(b, a) > 1 }), ""},
		{"ii", "bool", "!(a == b)", ib(func(a, b int32) bool { return a != b }), ""},
		{"ii", "int", "a > b ? a - b : b", i2(func(a, b int32) int32 { return pick(a > b, a-b, b) }), ""},
		{"ii", "int", "b != 0 ? a / b : a % 3", i2(func(a, b int32) int32 {
			if b != 0 {
				return divide(a, b)
			}
			return a % 3
		}), ""},
		{"ii", "int", "(a += b, a *= 3, a -= b, a /= b, a)", i2(func(a, b int32) int32 { return divide((a+b)*3-b, b) }), ""},
		{"i", "int", "a++ + a", i1(func(a int32) int32 { return a + a + 1 }), ""},
		{"i", "int", "a + a++", i1(func(a int32) int32 { return a + a }), ""},
		{"i", "int", "--a * a--", i1(func(a int32) int32 { return (a - 1) * (a - 1) }), ""},
	}
}

func divide(a, b int32) int32 {
	switch {
	case b == 0:
		return 0
	case a == math.MinInt32 && b == -1:
		return a
	}
	return a / b
}

func remainder(a, b int32) int32 {
	if b == 0 || b == -1 {
		return 0
	}
	return a % b
}

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func uintCases() []exprCase {
	return []exprCase{
		{"uu", "uint", "a + b", u2(func(a, b uint32) uint32 { return a + b }), ""},
		{"uu", "uint", "a - b", u2(func(a, b uint32) uint32 { return a - b }), ""},
		{"uu", "uint", "a * b", u2(func(a, b uint32) uint32 { return a * b }), ""},
		{"uu", "uint", "a / b", u2(func(a, b uint32) uint32 {
			if b == 0 {
				return 0
			}
			return a / b
		}), ""},
		{"uu", "uint", "a % b", u2(func(a, b uint32) uint32 {
			if b == 0 {
				return 0
			}
			return a % b
		}), ""},
		{"uu", "uint", "a << b", u2(func(a, b uint32) uint32 { return a << (b % 32) }), ""},
		{"uu", "uint", "a >> b", u2(func(a, b uint32) uint32 { return a >> (b % 32) }), ""},
		{"uu", "uint", "a & b | 16u", u2(func(a, b uint32) uint32 { return a&b | 16 }), ""},
		{"u", "uint", "(a >> 4) - (a << 33) + ~a", func(a, _, _ uint32) uint32 { return a>>4 - a<<1 + ^a }, ""},
		{"u", "bool", "a >= 32u ^^ a < 2u", ub(func(a, _ uint32) bool { return (a >= 32) != (a < 2) }), ""},
		{"uu", "uint", "(a & 15u) ^ b", u2(func(a, b uint32) uint32 { return a&15 ^ b }), ""},
		{"uu", "bool", "a < b", ub(func(a, b uint32) bool { return a < b }), ""},
		{"uu", "bool", "a <= b", ub(func(a, b uint32) bool { return a <= b }), ""},
		{"uu", "bool", "a > b", ub(func(a, b uint32) bool { return a > b }), ""},
		{"uu", "bool", "a >= b", ub(func(a, b uint32) bool { return a >= b }), ""},
		{"uu", "bool", "a == b", ub(func(a, b uint32) bool { return a == b }), ""},
		{"uu", "bool", "a != b", ub(func(a, b uint32) bool { return a != b }), ""},
		{"u", "bool", "a > 5u != (a <= 33u)", ub(func(a, _ uint32) bool { return (a > 5) != (a <= 33) }), ""},
		{"uu", "uint", "(a <<= 3, a |= b, a >>= 1, a ^= b, a &= 0xFFFFu, a %= 1000u, a)", u2(func(a, b uint32) uint32 {
			return ((a<<3|b)>>1 ^ b) & 0xFFFF % 1000
		}), ""},
	}
}

func floatCases() []exprCase {
	return []exprCase{
		{"ff", "float", "a + b", f2(func(a, b float32) float32 { return a + b }), ""},
		{"ff", "float", "a - b", f2(func(a, b float32) float32 { return a - b }), ""},
		{"ff", "float", "a * b", f2(func(a, b float32) float32 { return a * b }), ""},
		{"ff", "float", "a / b", f2(func(a, b float32) float32 { return a / b }), ""},
		{"f", "float", "-a", f1(func(a float32) float32 { return -a }), ""},
		{"ff", "float", "a * b + a", f2(func(a, b float32) float32 { return float32(a*b) + a }), ""},
		{"f", "float", "(++a, a--, a)", f1(func(a float32) float32 { return float32(a+1) - 1 }), ""},
		{"ff", "bool", "a < b", fb(func(a, b float32) bool { return a < b }), ""},
		{"ff", "bool", "a <= b", fb(func(a, b float32) bool { return a <= b }), ""},
		{"ff", "bool", "a > b", fb(func(a, b float32) bool { return a > b }), ""},
		{"ff", "bool", "a >= b", fb(func(a, b float32) bool { return a >= b }), ""},
		{"ff", "bool", "a == b", fb(func(a, b float32) bool { return a == b }), ""},
		{"ff", "bool", "a != b", fb(func(a, b float32) bool { return a != b }), ""},
		{"ff", "bool", "vec2(a, b) == vec2(b, a)", fb(func(a, b float32) bool { return a == b }), ""},
		{"ff", "bool", "vec2(a, b) != vec2(b, a)", fb(func(a, b float32) bool { return a != b }), ""},
	}
}

func convertCases() []exprCase {
	return []exprCase{
		{"i", "float", "float(a)", func(a, _, _ uint32) uint32 { return nearest(big.NewFloat(float64(int32(a)))) }, ""},
		{"u", "float", "float(a)", func(a, _, _ uint32) uint32 { return nearest(big.NewFloat(float64(a))) }, ""},
		{"f", "int", "int(a)", func(a, _, _ uint32) uint32 { return uint32(saturate(a, math.MinInt32, math.MaxInt32)) }, ""},
		{"f", "uint", "uint(a)", func(a, _, _ uint32) uint32 { return uint32(saturate(a, 0, math.MaxUint32)) }, ""},
		{"i", "bool", "bool(a)", ub(func(a, _ uint32) bool { return a != 0 }), ""},
		{"u", "bool", "bool(a)", ub(func(a, _ uint32) bool { return a != 0 }), ""},
		{"f", "bool", "bool(a)", fb(func(a, _ float32) bool { return a != 0 }), ""},
		{"i", "float", "float(a > 1)", func(a, _, _ uint32) uint32 { return pick(int32(a) > 1, f32(1), 0) }, ""},
		{"i", "int", "floatBitsToInt(intBitsToFloat(a))", func(a, _, _ uint32) uint32 { return a }, ""},
		{"u", "uint", "floatBitsToUint(uintBitsToFloat(a))", func(a, _, _ uint32) uint32 { return a }, ""},
	}
}

func nearest(x *big.Float) uint32 {
	f, _ := x.Float32()
	return math.Float32bits(f)
}

func saturate(a uint32, low, high float64) int64 {
	f := math.Trunc(float64(math.Float32frombits(a)))
	if f != f {
		return 0
	}
	return int64(math.Max(low, math.Min(high, f)))
}

func bitCases() []exprCase {
	return []exprCase{
		{"i", "int", "bitCount(a)", func(a, _, _ uint32) uint32 { return uint32(bits.OnesCount32(a)) }, ""},
		{"u", "int", "bitCount(a)", func(a, _, _ uint32) uint32 { return uint32(bits.OnesCount32(a)) }, ""},
		{"u", "uint", "bitfieldReverse(a)", func(a, _, _ uint32) uint32 { return bits.Reverse32(a) }, ""},
		{"u", "int", "findLSB(a)", func(a, _, _ uint32) uint32 { return lowest(a) }, ""},
		{"u", "int", "findMSB(a)", func(a, _, _ uint32) uint32 { return highest(a) }, ""},
		{"i", "int", "findMSB(a)", func(a, _, _ uint32) uint32 { return highest(pick(int32(a) < 0, ^a, a)) }, ""},
		{"uii", "uint", "bitfieldExtract(a, b, c)", func(a, b, c uint32) uint32 { v, _ := bitField(a, b, c); return v }, ""},
		{"iii", "int", "bitfieldExtract(a, b, c)", func(a, b, c uint32) uint32 {
			v, n := bitField(a, b, c)
			if n > 0 && v>>(n-1)&1 == 1 {
				v |= ^uint32(0) << n
			}
			return v
		}, ""},
		{"uii", "uint", "bitfieldInsert(a, 0x5A5A5A5Au, b, c)", insertBits, ""},
		{"iii", "int", "bitfieldInsert(a, 0x5A5A5A5A, b, c)", insertBits, ""},
		{"uu", "uint", "uaddCarry(a, b, o) ^ (o << 7)", u2(func(a, b uint32) uint32 { return a + b ^ uint32((uint64(a)+uint64(b))>>32)<<7 }), "uint o;"},
		{"uu", "uint", "usubBorrow(a, b, o) ^ (o << 7)", u2(func(a, b uint32) uint32 { return a - b ^ is(a < b)<<7 }), "uint o;"},
		{"uu", "uint", "hi ^ (lo * 3u)", u2(func(a, b uint32) uint32 {
			p := uint64(a) * uint64(b)
			return uint32(p>>32) ^ uint32(p)*3
		}), "uint hi, lo; umulExtended(a, b, hi, lo);"},
		{"ii", "int", "hi ^ (lo * 3)", func(a, b, _ uint32) uint32 {
			p := int64(int32(a)) * int64(int32(b))
			return uint32(p>>32) ^ uint32(p)*3
		}, "int hi, lo; imulExtended(a, b, hi, lo);"},
	}
}

func lowest(a uint32) uint32 {
	for i := range uint32(32) {
		if a>>i&1 == 1 {
			return i
		}
	}
	return 0xFFFFFFFF
}

func highest(a uint32) uint32 {
	for i := int32(31); i >= 0; i-- {
		if a>>i&1 == 1 {
			return uint32(i)
		}
	}
	return 0xFFFFFFFF
}

// bitField reads the field bit by bit and says how many bits of it lie inside the word.
func bitField(a, offset, count uint32) (v, n uint32) {
	for k := int64(0); k < int64(int32(count)) && int64(int32(offset))+k < 32 && int32(offset) >= 0; k++ {
		v |= a >> (offset + uint32(k)) & 1 << uint32(k)
		n++
	}
	return v, n
}

func insertBits(a, offset, count uint32) uint32 {
	_, n := bitField(a, offset, count)
	for k := range n {
		bit := uint32(1) << (offset + k)
		a = a&^bit | (0x5A5A5A5A>>k&1)<<(offset+k)
	}
	return a
}
