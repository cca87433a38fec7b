package vm

import (
	"math"

	"vyretop/engine/glsl/floats"
)

// wideNaN is the only NaN of 64 bits that arithmetic produces.
const wideNaN = 0x7FF8000000000000

func double(bits uint64) float64 { return math.Float64frombits(bits) }

// wideBits gives the bits of a result, with NaN made canonical.
func wideBits(d float64) uint64 {
	if d != d {
		return wideNaN
	}
	return math.Float64bits(d)
}

func double1(f func(a float64) float64) func(uint64) uint64 {
	return func(a uint64) uint64 { return wideBits(f(double(a))) }
}

func double2(f func(a, b float64) float64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 { return wideBits(f(double(a), double(b))) }
}

func double3(f func(a, b, c float64) float64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 { return wideBits(f(double(a), double(b), double(c))) }
}

func comparing(f func(a, b float64) bool) func(a, b uint64) bool {
	return func(a, b uint64) bool { return f(double(a), double(b)) }
}

// Package floats defines these. What the processor has as one exact operation is called directly, and a test of that package
// holds them equal.
var doubleOps = []row{
	wideBinaryRow(OpAddD, "add.d", double2(func(a, b float64) float64 { return a + b })),
	wideBinaryRow(OpSubD, "sub.d", double2(func(a, b float64) float64 { return a - b })),
	wideBinaryRow(OpMulD, "mul.d", double2(func(a, b float64) float64 { return a * b })),
	wideBinaryRow(OpDivD, "div.d", double2(func(a, b float64) float64 { return a / b })),
	wideUnaryRow(OpNegD, "neg.d", double1(func(a float64) float64 { return -a })),
	wideCompareRow(OpEqD, "eq.d", comparing(func(a, b float64) bool { return a == b })),
	wideCompareRow(OpNeD, "ne.d", comparing(func(a, b float64) bool { return a != b })),
	wideCompareRow(OpLtD, "lt.d", comparing(func(a, b float64) bool { return a < b })),
	wideCompareRow(OpLeD, "le.d", comparing(func(a, b float64) bool { return a <= b })),
	wideCompareRow(OpGtD, "gt.d", comparing(func(a, b float64) bool { return a > b })),
	wideCompareRow(OpGeD, "ge.d", comparing(func(a, b float64) bool { return a >= b })),

	wideBinaryRow(OpMinD, "min.d", double2(floats.MinD)),
	wideBinaryRow(OpMaxD, "max.d", double2(floats.MaxD)),
	wideTernaryRow(OpClampD, "clamp.d", double3(floats.ClampD)),
	wideTernaryRow(OpMixD, "mix.d", double3(floats.MixD)),
	wideBinaryRow(OpStepD, "step.d", double2(floats.StepD)),
	wideTernaryRow(OpSmoothStepD, "smoothstep.d", double3(floats.SmoothStepD)),
	wideTernaryRow(OpFmaD, "fma.d", double3(math.FMA)),
	wideUnaryRow(OpAbsD, "abs.d", double1(math.Abs)),
	wideUnaryRow(OpSignD, "sign.d", double1(floats.SignD)),
	wideUnaryRow(OpFloorD, "floor.d", double1(math.Floor)),
	wideUnaryRow(OpTruncD, "trunc.d", double1(math.Trunc)),
	wideUnaryRow(OpRoundD, "round.d", double1(math.RoundToEven)),
	wideUnaryRow(OpCeilD, "ceil.d", double1(math.Ceil)),
	wideUnaryRow(OpFractD, "fract.d", double1(floats.FractD)),
	wideBinaryRow(OpModD, "mod.d", double2(floats.ModD)),
	wideUnaryRow(OpSqrtD, "sqrt.d", double1(math.Sqrt)),
	wideUnaryRow(OpInverseSqrtD, "inversesqrt.d", double1(floats.InverseSqrtD)),
	narrowingRow(OpIsNaND, "isnan.d", func(a uint64) uint32 { return truth(floats.IsNaND(double(a))) }),
	narrowingRow(OpIsInfD, "isinf.d", func(a uint64) uint32 { return truth(floats.IsInfD(double(a))) }),
	wideUnaryRow(OpFrexpSigD, "frexp.sig.d", double1(floats.FrexpSigD)),
	narrowingRow(OpFrexpExpD, "frexp.exp.d", func(a uint64) uint32 { return uint32(floats.FrexpExpD(double(a))) }),
	wideBy32Row(OpLdexpD, "ldexp.d", func(a uint64, b uint32) uint64 { return wideBits(floats.LdexpD(double(a), int32(b))) }),
	{OpDotD, Info{Name: "dot.d", Kinds: [4]Kind{KindDst1x64, KindSrc64, KindSrc64}, run: runWideDot}},

	wideningRow(OpFloatToDouble, "float.to.double", func(a uint32) uint64 { return wideBits(float64(float(a))) }),
	narrowingRow(OpDoubleToFloat, "double.to.float", func(a uint64) uint32 { return bitsOf(float32(double(a))) }),
	wideningRow(OpIntToDouble, "int.to.double", func(a uint32) uint64 { return math.Float64bits(float64(int32(a))) }),
	wideningRow(OpUintToDouble, "uint.to.double", func(a uint32) uint64 { return math.Float64bits(float64(a)) }),
	narrowingRow(OpDoubleToInt, "double.to.int", func(a uint64) uint32 { return uint32(floats.ToIntD(double(a))) }),
	narrowingRow(OpDoubleToUint, "double.to.uint", func(a uint64) uint32 { return floats.ToUintD(double(a)) }),
	narrowingRow(OpDoubleToBool, "double.to.bool", func(a uint64) uint32 { return truth(double(a) != 0) }),
	wideUnaryRow(OpLongToDouble, "long.to.double", func(a uint64) uint64 { return math.Float64bits(float64(int64(a))) }),
	wideUnaryRow(OpUlongToDouble, "ulong.to.double", func(a uint64) uint64 { return math.Float64bits(float64(a)) }),
	wideUnaryRow(OpDoubleToLong, "double.to.long", func(a uint64) uint64 { return uint64(floats.ToInt64(double(a))) }),
	wideUnaryRow(OpDoubleToUlong, "double.to.ulong", func(a uint64) uint64 { return floats.ToUint64(double(a)) }),
	narrowingRow(OpLongToFloat, "long.to.float", func(a uint64) uint32 { return math.Float32bits(float32(int64(a))) }),
	narrowingRow(OpUlongToFloat, "ulong.to.float", func(a uint64) uint32 { return math.Float32bits(float32(a)) }),
}

// runWideDot adds the products first to last and rounds after each step.
func runWideDot(g *Group, s *step) {
	for _, i := range g.lanesOn() {
		a, b := s.a+int(i), s.b+int(i)
		sum := float64(double(wideAt(g, a)) * double(wideAt(g, b)))
		for k := 1; k < s.n; k++ {
			at := 2 * k * g.lanes
			sum += float64(double(wideAt(g, a+at)) * double(wideAt(g, b+at)))
		}
		setWide(g, s.d+int(i), wideBits(sum))
	}
}
