package floats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// special holds the operands at which operations change their behavior.
var special = []uint32{
	0, 1, 2, 3, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x1000000, 0x33800000, 0x33800001, 0x34000000,
	0x39800000, 0x3A000000, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F3504F3, 0x3F490FDB, 0x3F7FFFFF, 0x3F800000,
	0x3F800001, 0x3FB504F3, 0x3FC00000, 0x3FC90FDB, 0x40000000, 0x40200000, 0x40490FDB, 0x40600000, 0x42B17217,
	0x42B17218, 0x42FE0000, 0x42FF0000, 0x43000000, 0x43160000, 0x477FFFFF, 0x47800000, 0x4AFFFFFF, 0x4B000000,
	0x4B000001, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF, 0x4F000000, 0x4F7FFFFF, 0x4F800000, 0x5F800000, 0x7EFFFFFF,
	0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FC00001, 0x7FFFFFFF,
}

// operands yields the special values with both signs, then n random ones, half of them near 1.
func operands(n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	var list []float32
	for _, b := range special {
		list = append(list, float(b), float(b|signBit))
	}
	for i := range n {
		b := r.Uint32()
		if i%2 == 0 {
			b = b&0x80FFFFFF | (112+r.Uint32N(32))<<23
		}
		list = append(list, float(b))
	}
	return list
}

// same reports whether two floats have the same bits, or are both NaN.
func same(a, b float32) bool { return bits(a) == bits(b) || a != a && b != b }

func TestExactUnaryFunctionsEqualNative(t *testing.T) {
	double := func(f func(float64) float64) func(float32) float32 {
		return func(x float32) float32 { return float32(f(float64(x))) }
	}
	for name, c := range map[string]struct{ ours, native func(float32) float32 }{
		"sqrt":      {Sqrt, double(math.Sqrt)},
		"floor":     {Floor, double(math.Floor)},
		"ceil":      {Ceil, double(math.Ceil)},
		"trunc":     {Trunc, double(math.Trunc)},
		"roundEven": {RoundEven, double(math.RoundToEven)},
		"frexp":     {FrexpSig, double(func(x float64) float64 { f, _ := math.Frexp(x); return f })},
		"int":       {func(x float32) float32 { return FromInt(int32(bits(x))) }, func(x float32) float32 { return float32(int32(bits(x))) }},
		"uint":      {func(x float32) float32 { return FromUint(bits(x)) }, func(x float32) float32 { return float32(bits(x)) }},
	} {
		t.Run(name, func(t *testing.T) {
			for _, x := range operands(300_000) {
				if got, want := c.ours(x), c.native(x); !same(got, want) {
					t.Fatalf("%s(%x = %g) = %x, want %x", name, bits(x), x, bits(got), bits(want))
				}
			}
		})
	}
}

func TestExactBinaryFunctionsEqualNative(t *testing.T) {
	list := operands(1500)
	r := rand.New(rand.NewPCG(3, 4))
	for _, x := range list {
		for range 150 {
			y := list[r.IntN(len(list))]
			if got, want := Div(x, y), x/y; !same(got, want) {
				t.Fatalf("%x / %x = %x, want %x", bits(x), bits(y), bits(got), bits(want))
			}
			n := int32(bits(y)) >> 22
			if got, want := Ldexp(x, n), float32(math.Ldexp(float64(x), int(n))); !same(got, want) {
				t.Fatalf("ldexp(%x, %d) = %x, want %x", bits(x), n, bits(got), bits(want))
			}
			z := list[r.IntN(len(list))]
			if got, want := Fma(x, y, z), float32(fmaBig(x, y, z)); !same(got, want) {
				t.Fatalf("fma(%x, %x, %x) = %x, want %x", bits(x), bits(y), bits(z), bits(got), bits(want))
			}
		}
	}
}

func TestGuardedOperatorsEqualNative(t *testing.T) {
	list := operands(1500)
	r := rand.New(rand.NewPCG(7, 8))
	for _, x := range list {
		if wideBits(x) != float64(x) && x == x {
			t.Fatalf("wideBits(%x) = %g, want %g", bits(x), wideBits(x), float64(x))
		}
		for range 150 {
			y := list[r.IntN(len(list))]
			for op, pair := range map[string][2]float32{
				"+": {addBits(x, y), x + y}, "-": {subBits(x, y), x - y}, "*": {mulBits(x, y), x * y},
				"narrow": {narrowBits(float64(x) * float64(y) * 0x1p-120), float32(float64(x) * float64(y) * 0x1p-120)},
			} {
				if !same(pair[0], pair[1]) {
					t.Fatalf("%x %s %x = %x, want %x", bits(x), op, bits(y), bits(pair[0]), bits(pair[1]))
				}
			}
			if lessBits(x, y) != (x < y) || lessEqualBits(x, y) != (x <= y) || equalBits(x, y) != (x == y) {
				t.Fatalf("%x and %x compare wrongly", bits(x), bits(y))
			}
		}
	}
}
