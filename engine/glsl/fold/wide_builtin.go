package fold

import (
	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

// wideFunc is componentFunc for components of which some have 64 bits.
type wideFunc = func(k tree.Kind, a []uint64) uint64

// wideBuiltin applies a function that works componentwise to arguments of which some have components of 64 bits.
func wideBuiltin(id tree.BuiltinID, s *tree.Signature, args [][]uint32) ([]uint32, bool) {
	f := wideTable[id]
	if f == nil {
		return nil, false
	}
	components := make([][]uint64, len(args))
	for i, words := range args {
		components[i] = Join(s.Params[i].Type.Kind, words)
	}
	result := make([]uint64, s.Result.Width)
	lane := make([]uint64, len(args))
	for i := range result {
		for j, c := range components {
			lane[j] = c[min(i, len(c)-1)]
		}
		result[i] = f(s.Params[0].Type.Kind, lane)
	}
	return Split(s.Result.Kind, result), true
}

func double1(f func(x float64) float64) wideFunc {
	return func(_ tree.Kind, a []uint64) uint64 { return fromDouble(f(toDouble(a[0]))) }
}

func double2(f func(x, y float64) float64) wideFunc {
	return func(_ tree.Kind, a []uint64) uint64 { return fromDouble(f(toDouble(a[0]), toDouble(a[1]))) }
}

func double3(f func(x, y, z float64) float64) wideFunc {
	return func(_ tree.Kind, a []uint64) uint64 {
		return fromDouble(f(toDouble(a[0]), toDouble(a[1]), toDouble(a[2])))
	}
}

func compare64(op tree.BinaryOp) wideFunc {
	return func(k tree.Kind, a []uint64) uint64 { return Binary64(op, k, a[0], a[1]) }
}

// packed64 splits or joins words: the components of a vector of two become one, and the other way round.
var packed64 = map[tree.BuiltinID]bool{
	tree.FnPackDouble2x32: true, tree.FnUnpackDouble2x32: true, tree.FnPackInt2x32: true, tree.FnUnpackInt2x32: true,
	tree.FnPackUint2x32: true, tree.FnUnpackUint2x32: true, tree.FnDoubleBitsToInt64: true, tree.FnDoubleBitsToUint64: true,
	tree.FnInt64BitsToDouble: true, tree.FnUint64BitsToDouble: true,
}

var wideTable = map[tree.BuiltinID]wideFunc{
	tree.FnAbs: abs64, tree.FnSign: sign64, tree.FnMin: minimum64, tree.FnMax: maximum64, tree.FnClamp: clamp64,
	tree.FnFloor: double1(floats.FloorD), tree.FnCeil: double1(floats.CeilD), tree.FnTrunc: double1(floats.TruncD),
	tree.FnRound: double1(floats.RoundEvenD), tree.FnRoundEven: double1(floats.RoundEvenD), tree.FnFract: double1(floats.FractD),
	tree.FnModFloat: double2(floats.ModD), tree.FnFma: double3(floats.FmaD), tree.FnStep: double2(floats.StepD),
	tree.FnSmoothStep: double3(floats.SmoothStepD), tree.FnSqrt: double1(floats.SqrtD), tree.FnInverseSqrt: double1(floats.InverseSqrtD),
	tree.FnLdexp:    func(_ tree.Kind, a []uint64) uint64 { return fromDouble(floats.LdexpD(toDouble(a[0]), int32(a[1]))) },
	tree.FnIsNaN:    func(_ tree.Kind, a []uint64) uint64 { return uint64(fromBool(floats.IsNaND(toDouble(a[0])))) },
	tree.FnIsInf:    func(_ tree.Kind, a []uint64) uint64 { return uint64(fromBool(floats.IsInfD(toDouble(a[0])))) },
	tree.FnLessThan: compare64(tree.Less), tree.FnLessThanEqual: compare64(tree.LessEqual),
	tree.FnGreaterThan: compare64(tree.Greater), tree.FnGreaterThanEqual: compare64(tree.GreaterEqual),
	tree.FnEqualVec: compare64(tree.Equal), tree.FnNotEqualVec: compare64(tree.NotEqual),
}

func abs64(k tree.Kind, a []uint64) uint64 {
	switch {
	case k == tree.KindDouble:
		return fromDouble(floats.AbsD(toDouble(a[0])))
	case int64(a[0]) < 0:
		return -a[0]
	}
	return a[0]
}

func sign64(k tree.Kind, a []uint64) uint64 {
	if k == tree.KindDouble {
		return fromDouble(floats.SignD(toDouble(a[0])))
	}
	return Binary64(tree.Greater, k, a[0], 0) - Binary64(tree.Less, k, a[0], 0)
}

func minimum64(k tree.Kind, a []uint64) uint64 {
	return extreme64(k, a[0], a[1], a[1], a[0], floats.MinD)
}

func maximum64(k tree.Kind, a []uint64) uint64 {
	return extreme64(k, a[0], a[1], a[0], a[1], floats.MaxD)
}

// extreme64 is b where less is below more, else a; of doubles it is what double says of a and b.
func extreme64(k tree.Kind, a, b, less, more uint64, double func(x, y float64) float64) uint64 {
	if k == tree.KindDouble {
		return fromDouble(double(toDouble(a), toDouble(b)))
	}
	if Binary64(tree.Less, k, less, more) != 0 {
		return b
	}
	return a
}

func clamp64(k tree.Kind, a []uint64) uint64 {
	return minimum64(k, []uint64{maximum64(k, a[:2]), a[2]})
}
