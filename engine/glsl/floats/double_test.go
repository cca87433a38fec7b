package floats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// doubles yields the doubles at which operations change their behavior, with both signs, then n random ones: of all exponents, of
// those near 1, near the ends of the range, and with few bits.
func doubles(n int) []float64 {
	var list []float64
	for _, top := range []uint32{0, 1, 0x7FFFF, 0xFFFFF, 0x100000, 0x100001, 0x3FE00000, 0x3FF00000, 0x3FF80000, 0x40000000, 0x41DFFFFF,
		0x41E00000, 0x41EFFFFF, 0x43300000, 0x433FFFFF, 0x43400000, 0x43DFFFFF, 0x43E00000, 0x43EFFFFF, 0x43F00000, 0x7FEFFFFF, topOfInfinity, topOfNaN} {
		for _, bottom := range []uint32{0, 1, 0x80000000, 0xFFFFFFFF, 0xFFC00000} {
			list = append(list, join(top, bottom), join(top|signBit, bottom))
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		d := math.Float64frombits(r.Uint64())
		exponent := [...]uint32{r.Uint32N(2048), 1013 + r.Uint32N(20), r.Uint32N(60), 2046 - r.Uint32N(10), 1023 + r.Uint32N(70)}[i%5]
		bottom := low(d)
		if i%3 == 0 {
			bottom &= 0xFE000000
		}
		list = append(list, join(high(d)&0x800FFFFF|exponent<<20, bottom))
	}
	return list
}

func sameD(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }

func TestDoubleFunctionsOfOneEqualNative(t *testing.T) {
	for name, c := range map[string]struct{ ours, native func(float64) float64 }{
		"sqrt":      {SqrtD, math.Sqrt},
		"floor":     {FloorD, math.Floor},
		"ceil":      {CeilD, math.Ceil},
		"trunc":     {TruncD, math.Trunc},
		"roundEven": {RoundEvenD, math.RoundToEven},
		"abs":       {AbsD, math.Abs},
		"frexp":     {FrexpSigD, func(x float64) float64 { f, _ := math.Frexp(x); return f }},
		"frexp exponent": {func(x float64) float64 { return float64(FrexpExpD(x)) },
			func(x float64) float64 { _, e := math.Frexp(x); return float64(e) }},
		"int":   {func(x float64) float64 { return FromIntD(int32(high(x))) }, func(x float64) float64 { return float64(int32(high(x))) }},
		"uint":  {func(x float64) float64 { return FromUintD(low(x)) }, func(x float64) float64 { return float64(low(x)) }},
		"int64": {func(x float64) float64 { return FromHalvesD(high(x), low(x), true) }, func(x float64) float64 { return float64(int64(math.Float64bits(x))) }},
		"uint64": {func(x float64) float64 { return FromHalvesD(high(x), low(x), false) },
			func(x float64) float64 { return float64(math.Float64bits(x)) }},
		"int64 to float": {func(x float64) float64 { return float64(FromHalves(high(x), low(x), true)) },
			func(x float64) float64 { return float64(float32(int64(math.Float64bits(x)))) }},
		"uint64 to float": {func(x float64) float64 { return float64(FromHalves(high(x), low(x), false)) },
			func(x float64) float64 { return float64(float32(math.Float64bits(x))) }},
	} {
		t.Run(name, func(t *testing.T) {
			for _, x := range doubles(200_000) {
				if got, want := c.ours(x), c.native(x); !sameD(got, want) {
					t.Fatalf("%s(%x = %g) = %x = %g, want %x = %g", name, math.Float64bits(x), x, math.Float64bits(got), got, math.Float64bits(want), want)
				}
			}
		})
	}
}

func TestDoubleDivisionAndLdexpEqualNative(t *testing.T) {
	list := doubles(400_000)
	r := rand.New(rand.NewPCG(5, 6))
	for i, x := range list {
		y := list[r.IntN(len(list))]
		if i%4 == 0 && math.Abs(x) < 1e300 {
			y = math.Nextafter(x, 2*x)
		}
		if got, want := DivD(x, y), x/y; !sameD(got, want) {
			t.Fatalf("%x / %x = %x, want %x", math.Float64bits(x), math.Float64bits(y), math.Float64bits(got), math.Float64bits(want))
		}
		n := int32(r.IntN(4400) - 2200)
		if got, want := LdexpD(x, n), math.Ldexp(x, int(n)); !sameD(got, want) {
			t.Fatalf("ldexp(%x, %d) = %x, want %x", math.Float64bits(x), n, math.Float64bits(got), math.Float64bits(want))
		}
		if LessD(x, y) != (x < y) || EqualD(x, y) != (x == y) || LessEqualD(x, y) != (x <= y) {
			t.Fatalf("%g and %g compare otherwise", x, y)
		}
	}
}

// TestDoubleFmaIsFused also takes a summand that nearly cancels the product, and results that are denormal.
func TestDoubleFmaIsFused(t *testing.T) {
	list := doubles(500_000)
	r := rand.New(rand.NewPCG(7, 8))
	for i, x := range list {
		y, z := list[r.IntN(len(list))], list[r.IntN(len(list))]
		switch i % 4 {
		case 0:
			z = -x * y
		case 1:
			z = math.Nextafter(-x*y, 1)
		case 2:
			y = math.Ldexp(math.Abs(y)/math.Ldexp(1, int(FrexpExpD(y))), -1060-int(FrexpExpD(x)))
			z = math.Ldexp(float64(r.IntN(1<<20)), -1074)
		}
		if got, want := FmaD(x, y, z), math.FMA(x, y, z); !sameD(got, want) {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", math.Float64bits(x), math.Float64bits(y), math.Float64bits(z), math.Float64bits(got), math.Float64bits(want))
		}
	}
}

func TestDoublesBecomeTheNearestIntegers(t *testing.T) {
	for _, x := range doubles(200_000) {
		if got, want := ToInt64(x), saturated(x, math.MinInt64, math.MaxInt64); x == x && got != want {
			t.Fatalf("int64_t(%g) = %d, want %d", x, got, want)
		}
		if got, want := int64(ToIntD(x)), saturated(x, math.MinInt32, math.MaxInt32); x == x && got != want {
			t.Fatalf("int(%g) = %d, want %d", x, got, want)
		}
		if got, want := int64(ToUintD(x)), saturated(x, 0, math.MaxUint32); x == x && got != want {
			t.Fatalf("uint(%g) = %d, want %d", x, got, want)
		}
		if x >= 1<<63 && x < 1<<64 && ToUint64(x) != uint64(x) {
			t.Fatalf("uint64_t(%g) = %d", x, ToUint64(x))
		}
	}
}

func saturated(x float64, least, greatest int64) int64 {
	switch {
	case x <= float64(least):
		return least
	case x >= float64(greatest):
		return greatest
	}
	return int64(x)
}
