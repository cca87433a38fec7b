package floats

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// fmaBig is x*y+z with one rounding to float32, by exact arithmetic.
func fmaBig(x, y, z float32) float32 {
	p := float64(x) * float64(y)
	sum := p + float64(z)
	if math.IsNaN(sum) || math.IsInf(sum, 0) || p == 0 || z == 0 || sum == 0 {
		return float32(sum) // exact, or not a matter of rounding
	}
	exact := new(big.Float).SetPrec(1200).Add(big.NewFloat(p).SetPrec(1200), big.NewFloat(float64(z)).SetPrec(1200))
	f, _ := exact.Float32()
	return f
}

// maxError is what the transcendental functions promise, in units in the last place.
const maxError = 0.51

// ulps is the distance of got from the true value, in units in the last place of a float near it.
func ulps(got float32, want float64) float64 {
	near := float32(want)
	switch {
	case math.IsNaN(want) || math.IsInf(float64(near), 0) || want == 0:
		if same(got, near) {
			return 0
		}
		return math.Inf(1)
	case math.IsInf(float64(got), 0) || got != got:
		return math.Inf(1)
	}
	unit := math.Float64frombits(max(math.Float64bits(math.Abs(float64(near)))>>52, 1023-126) << 52)
	return math.Abs(float64(got)-want) / (unit / (1 << 23))
}

// float64 has 29 bits more than float32, so that the standard library is good enough to measure by.
var unaryFunctions = map[string]struct {
	ours func(float32) float32
	true func(float64) float64
}{
	"inversesqrt": {InverseSqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }},
	"radians":     {Radians, func(x float64) float64 { return x * (math.Pi / 180) }},
	"degrees":     {Degrees, func(x float64) float64 { return x * (180 / math.Pi) }},
	"exp":         {Exp, math.Exp}, "exp2": {Exp2, math.Exp2}, "log": {Log, math.Log}, "log2": {Log2, log2},
	"sin": {Sin, math.Sin}, "cos": {Cos, math.Cos}, "tan": {Tan, math.Tan},
	"asin": {Asin, math.Asin}, "acos": {Acos, math.Acos}, "atan": {Atan, math.Atan},
	"sinh": {Sinh, sinh}, "cosh": {Cosh, math.Cosh}, "tanh": {Tanh, math.Tanh},
	"asinh": {Asinh, math.Asinh}, "acosh": {Acosh, math.Acosh}, "atanh": {Atanh, math.Atanh},
}

func log2(x float64) float64 {
	if x > 0.5 && x < 2 {
		return math.Log1p(x-1) / math.Ln2 // math.Log2 loses bits near 1
	}
	return math.Log2(x)
}

func sinh(x float64) float64 {
	if math.Abs(x) < 1e-3 {
		return x + x*x*x/6 // math.Sinh takes differences there
	}
	return math.Sinh(x)
}

// stride is the distance of the arguments that TestUnaryAccuracy tries besides the special and the random
// ones: 1 is all of them, and takes an hour on two cores.
var stride = flag.Uint("floats.stride", 16_381, "distance of the bit patterns tried by TestUnaryAccuracy")

func TestUnaryAccuracy(t *testing.T) {
	for name, c := range unaryFunctions {
		t.Run(name, func(t *testing.T) {
			worst, at := 0.0, float32(0)
			try := func(x float32) {
				if e := ulps(c.ours(x), c.true(float64(x))); e > worst {
					worst, at = e, x
				}
			}
			for _, x := range operands(50_000) {
				try(x)
			}
			for b := uint64(0); b < 1<<32; b += uint64(*stride) {
				try(float(uint32(b)))
			}
			t.Logf("at most %.6f ulp, at %g", worst, at)
			if !(worst <= maxError) {
				t.Errorf("%s(%g = %x) = %g, want %g: %g ulp", name, at, bits(at), c.ours(at), c.true(float64(at)), worst)
			}
		})
	}
}

func TestBinaryAccuracy(t *testing.T) {
	list := operands(2000)
	r := rand.New(rand.NewPCG(5, 6))
	for name, c := range map[string]struct {
		ours func(x, y float32) float32
		true func(x, y float64) float64
	}{"pow": {Pow, math.Pow}, "atan2": {Atan2, math.Atan2}} {
		t.Run(name, func(t *testing.T) {
			worst := 0.0
			for _, x := range list {
				for range 150 {
					y := list[r.IntN(len(list))]
					got, want := c.ours(x, y), c.true(float64(x), float64(y))
					if e := ulps(got, want); e > worst {
						worst = e
						if e > maxError {
							t.Fatalf("%s(%x = %g, %x = %g) = %g, want %g: %g ulp", name, bits(x), x, bits(y), y, got, want, e)
						}
					}
				}
			}
			t.Logf("at most %.5f ulp", worst)
		})
	}
}
