package reference

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vyretop/engine"
)

// narrowCase is an expression over a and b, of the types In, whose value of type Out lies in memory. Values are the bits in memory.
type narrowCase struct {
	In, Out, Expr string
	Want          func(a, b uint32) uint32
}

// narrowBits are operands of 16 bits; those of 8 are their low bits. As float16_t there are zeros, denormals, ties, the largest, infinities, a NaN.
var narrowBits = []uint32{0, 1, 2, 7, 0x7F, 0x80, 0xFF, 0x100, 0x3C00, 0xBC00, 0x3C01, 0x3555, 0xC0F3, 0x03FF, 0x0400, 0x8001, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00,
	0x7E00, 0x5640, 0x4248, 0x7FFF, 0x8000, 0xFFFF, 0x6C01}

// half is the value of a float16_t, by its definition.
func half(n uint32) float64 {
	sign, e, m := 1-2*float64(n>>15&1), int(n>>10&31), float64(n&0x3FF)
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		return math.Inf(int(sign))
	case e == 0:
		return sign * m * math.Pow(2, -24)
	}
	return sign * (1024 + m) * math.Pow(2, float64(e-25))
}

// toHalf finds the nearest float16_t, ties to even, by looking at all of one sign.
func toHalf(f float64) uint32 {
	if f != f {
		return 0x7E00
	}
	sign := uint32(0)
	if math.Signbit(f) {
		sign = 0x8000
	}
	f = math.Abs(f)
	if f >= 65520 {
		return sign | 0x7C00
	}
	low, high := uint32(0), uint32(0x7C00)
	for high-low > 1 {
		if mid := (low + high) / 2; half(mid) <= f {
			low = mid
		} else {
			high = mid
		}
	}
	above := 65536.0
	if high < 0x7C00 {
		above = half(high)
	}
	if below, over := f-half(low), above-f; over < below || over == below && low&1 == 1 {
		low = high
	}
	return sign | low
}

func narrowCases() []narrowCase {
	var list []narrowCase
	add := func(in, out, expr string, want func(a, b uint32) uint32) {
		list = append(list, narrowCase{in, out, expr, want})
	}
	halves := func(f func(a, b float64) float64) func(a, b uint32) uint32 {
		return func(a, b uint32) uint32 { return toHalf(f(half(a), half(b))) }
	}
	add("float16_t", "float16_t", "a + b", halves(func(a, b float64) float64 { return a + b }))
	add("float16_t", "float16_t", "a - b", halves(func(a, b float64) float64 { return a - b }))
	add("float16_t", "float16_t", "a * b", halves(func(a, b float64) float64 { return a * b }))
	add("float16_t", "float16_t", "a / b", halves(func(a, b float64) float64 { return a / b }))
	add("float16_t", "float16_t", "sqrt(a)", halves(func(a, _ float64) float64 { return math.Sqrt(a) }))
	add("float16_t", "float16_t", "-a", func(a, _ uint32) uint32 { return toHalf(-half(a)) })
	add("float16_t", "uint8_t", "uint8_t(a < b)", func(a, b uint32) uint32 { return uint32(truth64(half(a) < half(b))) })
	add("float16_t", "uint16_t", "float16BitsToUint16(a)", func(a, _ uint32) uint32 { return toHalf(half(a)) })
	add("uint16_t", "float16_t", "uint16BitsToFloat16(a)", func(a, _ uint32) uint32 { return toHalf(half(a)) })
	add("int16_t", "float16_t", "float16_t(a)", func(a, _ uint32) uint32 { return toHalf(float64(int16(a))) })
	add("uint16_t", "float16_t", "float16_t(a)", func(a, _ uint32) uint32 { return toHalf(float64(a)) })
	add("int8_t", "float16_t", "a", func(a, _ uint32) uint32 { return toHalf(float64(int8(a))) })

	add("int8_t", "int8_t", "a + b", func(a, b uint32) uint32 { return uint32(uint8(int8(a) + int8(b))) })
	add("int8_t", "int8_t", "a * b", func(a, b uint32) uint32 { return uint32(uint8(int8(a) * int8(b))) })
	add("int8_t", "int8_t", "a / b", func(a, b uint32) uint32 {
		if uint8(b) == 0 {
			return 0
		}
		return uint32(uint8(int8(a) / int8(b)))
	})
	add("int8_t", "int16_t", "int16_t(a) * int16_t(b)", func(a, b uint32) uint32 { return uint32(uint16(int16(int8(a)) * int16(int8(b)))) })
	add("int8_t", "int8_t", "a >> b", func(a, b uint32) uint32 { return uint32(uint8(int8(a) >> (b & 7))) })
	add("uint8_t", "uint8_t", "a - b", func(a, b uint32) uint32 { return uint32(uint8(a) - uint8(b)) })
	add("uint8_t", "uint8_t", "a << b", func(a, b uint32) uint32 { return uint32(uint8(a) << (b & 7)) })
	add("uint8_t", "uint8_t", "~a", func(a, _ uint32) uint32 { return uint32(^uint8(a)) })
	add("int16_t", "int16_t", "a * b + a", func(a, b uint32) uint32 { return uint32(uint16(int16(a)*int16(b) + int16(a))) })
	add("int16_t", "int16_t", "abs(a)", func(a, _ uint32) uint32 {
		if int16(a) < 0 {
			return uint32(uint16(-int16(a)))
		}
		return a
	})
	add("int16_t", "uint8_t", "uint8_t(a)", func(a, _ uint32) uint32 { return a & 0xFF })
	add("uint16_t", "uint16_t", "a % b", func(a, b uint32) uint32 {
		if uint16(b) == 0 {
			return 0
		}
		return uint32(uint16(a) % uint16(b))
	})
	add("uint16_t", "uint16_t", "max(a, b) - min(a, b)", func(a, b uint32) uint32 { return max(a, b) - min(a, b) })
	return list
}

var narrowSizes = map[string]uint32{"int8_t": 8, "uint8_t": 8, "int16_t": 16, "uint16_t": 16, "float16_t": 16}

func (c narrowCase) kernel() string {
	return fmt.Sprintf(`#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 27) in;
layout(std430, binding = 0) readonly buffer In { uint16_t given[]; };
layout(std430, binding = 1) buffer Out { %[2]s result[]; };
%[1]s of(uint16_t n) { return %[3]s; }
void main() {
  %[1]s a = of(given[gl_LocalInvocationIndex]), b = of(given[gl_WorkGroupID.x]);
  result[gl_GlobalInvocationID.x] = %[4]s;
}
`, c.In, c.Out, map[bool]string{true: "uint16BitsToFloat16(n)", false: c.In + "(n)"}[c.In == "float16_t"], c.Expr)
}

// TestNarrowExpressions: values of 8 and 16 bits, read from and written to memory in which they share words.
func TestNarrowExpressions(t *testing.T) {
	b := openBackend(t, Options{})
	n := len(narrowBits)
	given := make([]uint32, (n+1)/2)
	for i, v := range narrowBits {
		given[i/2] |= v << (i % 2 * 16)
	}
	for _, c := range narrowCases() {
		t.Run(strings.ReplaceAll(c.In+" "+c.Expr, "/", "div"), func(t *testing.T) {
			size := narrowSizes[c.Out]
			out, _, err := dispatch(t, compileText(t, b, "narrow.comp", c.kernel()), engine.DispatchConfig{Grid: [3]uint32{uint32(n), 1, 1}}, given, make([]uint32, n*n))
			if err != nil {
				t.Fatal(err)
			}
			for i := range n * n {
				x, y := narrowBits[i%n]&(1<<narrowSizes[c.In]-1), narrowBits[i/n]&(1<<narrowSizes[c.In]-1)
				at := uint32(i) * size
				if got := out[1][at/32] >> (at % 32) & (1<<size - 1); got != c.Want(x, y) {
					t.Fatalf("%s of %#x and %#x is %#x, want %#x", c.Expr, x, y, got, c.Want(x, y))
				}
			}
		})
	}
}

// TestFoldedNarrowExpressions: what the front end folds is what the same expression gives at run time.
func TestFoldedNarrowExpressions(t *testing.T) {
	b := openBackend(t, Options{})
	for _, c := range narrowCases() {
		if strings.Contains(c.Expr, "Bits") {
			continue
		}
		var text strings.Builder
		for i, x := range narrowBits {
			y := narrowBits[(i*7+3)%len(narrowBits)]
			of := func(v uint32) string {
				if c.In != "float16_t" {
					return fmt.Sprintf("%s(%d)", c.In, v)
				}
				return fmt.Sprintf("float16_t(uintBitsToFloat(%du))", math.Float32bits(float32(half(v))))
			}
			fmt.Fprintf(&text, "  { const %[1]s a = %[2]s, b = %[3]s; const %[4]s r = %[5]s; result[%[6]d] = r; }\n", c.In, of(x), of(y), c.Out, c.Expr, i)
		}
		kernel := fmt.Sprintf("#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Out { %s result[]; };\nvoid main() {\n%s}\n", c.Out, &text)
		out, _, err := dispatch(t, compileText(t, b, "folded.comp", kernel), engine.DispatchConfig{}, make([]uint32, len(narrowBits)))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range narrowBits {
			y := narrowBits[(i*7+3)%len(narrowBits)]
			in, size := uint32(1<<narrowSizes[c.In]-1), narrowSizes[c.Out]
			at := uint32(i) * size
			if got, want := out[0][at/32]>>(at%32)&(1<<size-1), c.Want(x&in, y&in); got != want {
				t.Errorf("%s of %#x and %#x is folded to %#x, want %#x", c.Expr, x&in, y&in, got, want)
			}
		}
	}
}
