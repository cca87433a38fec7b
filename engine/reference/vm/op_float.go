package vm

import (
	"math"

	"vyretop/engine/glsl/floats"
)

// Package floats defines these. The roundings are native here because they are faster and a test of
// that package holds them equal.
var floatOps = []row{
	binaryRow(OpMinF, "min.f", float2(floats.Min)),
	binaryRow(OpMaxF, "max.f", float2(floats.Max)),
	ternaryRow(OpClampF, "clamp.f", float3(floats.Clamp)),
	ternaryRow(OpMixF, "mix.f", float3(floats.Mix)),
	binaryRow(OpStepF, "step.f", float2(floats.Step)),
	ternaryRow(OpSmoothStepF, "smoothstep.f", float3(floats.SmoothStep)),
	ternaryRow(OpFmaF, "fma.f", float3(floats.Fma)),
	unaryRow(OpAbsF, "abs.f", float1(floats.Abs)),
	unaryRow(OpSignF, "sign.f", float1(floats.Sign)),
	unaryRow(OpFloorF, "floor.f", rounded(math.Floor)),
	unaryRow(OpTruncF, "trunc.f", rounded(math.Trunc)),
	unaryRow(OpRoundF, "round.f", rounded(math.RoundToEven)),
	unaryRow(OpRoundEvenF, "roundeven.f", rounded(math.RoundToEven)),
	unaryRow(OpCeilF, "ceil.f", rounded(math.Ceil)),
	unaryRow(OpFractF, "fract.f", float1(floats.Fract)),
	binaryRow(OpModF, "mod.f", float2(floats.Mod)),
	unaryRow(OpIsNaN, "isnan", func(a uint32) uint32 { return truth(floats.IsNaN(float(a))) }),
	unaryRow(OpIsInf, "isinf", func(a uint32) uint32 { return truth(floats.IsInf(float(a))) }),
	unaryRow(OpFrexpSig, "frexp.sig", float1(floats.FrexpSig)),
	unaryRow(OpFrexpExp, "frexp.exp", func(a uint32) uint32 { return uint32(floats.FrexpExp(float(a))) }),
	binaryRow(OpLdexp, "ldexp", func(a, b uint32) uint32 { return bitsOf(floats.Ldexp(float(a), int32(b))) }),
}

// rounded lifts an exact function of float64, whose result is rounded once.
func rounded(f func(float64) float64) func(uint32) uint32 {
	return float1(func(x float32) float32 { return float32(f(float64(x))) })
}
