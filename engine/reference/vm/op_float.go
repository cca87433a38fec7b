package vm

import "math"

var floatOps = []row{
	binaryRow(OpMinF, "min.f", float2(minFloat)),
	binaryRow(OpMaxF, "max.f", float2(maxFloat)),
	ternaryRow(OpClampF, "clamp.f", float3(func(x, low, high float32) float32 { return minFloat(maxFloat(x, low), high) })),
	ternaryRow(OpMixF, "mix.f", float3(mixFloat)),
	binaryRow(OpStepF, "step.f", float2(stepFloat)),
	ternaryRow(OpSmoothStepF, "smoothstep.f", float3(smoothStep)),
	ternaryRow(OpFmaF, "fma.f", float3(fusedMultiplyAdd)),
	unaryRow(OpAbsF, "abs.f", func(a uint32) uint32 { return bitsOf(float(a &^ (1 << 31))) }),
	unaryRow(OpSignF, "sign.f", float1(signFloat)),
	unaryRow(OpFloorF, "floor.f", float1(floorFloat)),
	unaryRow(OpTruncF, "trunc.f", rounded(math.Trunc)),
	unaryRow(OpRoundF, "round.f", rounded(math.RoundToEven)),
	unaryRow(OpRoundEvenF, "roundeven.f", rounded(math.RoundToEven)),
	unaryRow(OpCeilF, "ceil.f", rounded(math.Ceil)),
	unaryRow(OpFractF, "fract.f", float1(func(x float32) float32 { return x - floorFloat(x) })),
	binaryRow(OpModF, "mod.f", float2(modFloat)),
	unaryRow(OpIsNaN, "isnan", func(a uint32) uint32 { return truth(a&0x7FFFFFFF > 0x7F800000) }),
	unaryRow(OpIsInf, "isinf", func(a uint32) uint32 { return truth(a&0x7FFFFFFF == 0x7F800000) }),
	unaryRow(OpFrexpSig, "frexp.sig", float1(func(x float32) float32 { f, _ := math.Frexp(float64(x)); return float32(f) })),
	unaryRow(OpFrexpExp, "frexp.exp", func(a uint32) uint32 { _, e := math.Frexp(float64(float(a))); return uint32(int32(e)) }),
	binaryRow(OpLdexp, "ldexp", ldexp),
}

// rounded lifts an exact rounding function of float64.
func rounded(f func(float64) float64) func(uint32) uint32 {
	return float1(func(x float32) float32 { return float32(f(float64(x))) })
}

func floorFloat(x float32) float32 { return float32(math.Floor(float64(x))) }

// minFloat is y when y < x and else x, as GLSL 4.50 section 8.3 defines it; so a NaN in y is dropped
// and a NaN in x stays.
func minFloat(x, y float32) float32 {
	if y < x {
		return y
	}
	return x
}

// maxFloat is y when x < y and else x.
func maxFloat(x, y float32) float32 {
	if x < y {
		return y
	}
	return x
}

// The conversions to float32 round each step, so that no compiler may fuse it with the next.
func mixFloat(x, y, a float32) float32 { return float32(x*float32(1-a)) + float32(y*a) }

func stepFloat(edge, x float32) float32 {
	if x < edge {
		return 0
	}
	return 1
}

func smoothStep(low, high, x float32) float32 {
	t := minFloat(maxFloat(float32(x-low)/float32(high-low), 0), 1)
	return float32(float32(t*t) * float32(3-float32(2*t)))
}

func signFloat(x float32) float32 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x == 0:
		return 0
	default:
		return x
	}
}

// modFloat is x - y*floor(x/y), each step rounded.
func modFloat(x, y float32) float32 { return x - float32(y*floorFloat(x/y)) }

// fusedMultiplyAdd rounds x*y+z once. The product is exact in float64; the sum is rounded to odd
// there, which makes the second rounding to float32 the right one.
func fusedMultiplyAdd(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	sum := p + c
	bb := sum - p
	lost := (p - (sum - bb)) + (c - bb)
	bits := math.Float64bits(sum)
	if lost != 0 && bits&1 == 0 && !math.IsInf(sum, 0) {
		if (lost > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
	}
	return float32(math.Float64frombits(bits))
}

func ldexp(a, b uint32) uint32 {
	return bitsOf(float32(math.Ldexp(float64(float(a)), int(int32(b)))))
}
