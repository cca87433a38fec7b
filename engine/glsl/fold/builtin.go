package fold

import (
	"math"
	"math/bits"
	"slices"

	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

// Builtin applies a built-in function to constant arguments, one slice of components each. It
// folds the functions that work componentwise, those on matrices, and any and all; ok is false for the others, which
// are left to run time.
func Builtin(b *tree.Builtin, s *tree.Signature, args [][]uint32) (result []uint32, ok bool) {
	switch b.ID {
	case tree.FnAny:
		return []uint32{reduce(args[0], false)}, true
	case tree.FnAll:
		return []uint32{reduce(args[0], true)}, true
	}
	if b.Family == tree.FamilySubgroup {
		return nil, false // of other invocations
	}
	if hasNarrow(s) {
		result, ok = Builtin(b, wideSignature(s), args)
		return NarrowWords(s.Result.ComponentKind(), result), ok
	}
	if b.Family == tree.FamilyMatrix || b.ID == tree.FnFaceForward || b.ID == tree.FnReflect || b.ID == tree.FnRefract {
		return matrixBuiltin(b.ID, s, args), true
	}
	switch {
	case packed64[b.ID]:
		return slices.Clone(args[0]), true
	case hasWide(s):
		return wideBuiltin(b.ID, s, args)
	}
	f := componentTable[b.ID]
	if f == nil {
		return nil, false
	}
	result = make([]uint32, s.Result.Width)
	lane := make([]uint32, len(args))
	for i := range result {
		for j, a := range args {
			lane[j] = a[min(i, len(a)-1)]
		}
		result[i] = f(s.Params[0].Type.Kind, lane)
	}
	return result, true
}

// hasWide reports whether a component of the result or an argument has 64 bits.
func hasWide(s *tree.Signature) bool {
	return s.Result.ComponentKind().Words() == 2 || slices.ContainsFunc(s.Params, func(q tree.Param) bool { return q.Type.ComponentKind().Words() == 2 })
}

// reduce is the conjunction of all bools when every is set, else their disjunction.
func reduce(x []uint32, every bool) uint32 {
	for _, b := range x {
		if (b != 0) != every {
			return fromBool(!every)
		}
	}
	return fromBool(every)
}

// componentFunc computes one component from the same component of each argument; k is the kind of
// the first parameter.
type componentFunc = func(k tree.Kind, a []uint32) uint32

func compare(op tree.BinaryOp) componentFunc {
	return func(k tree.Kind, a []uint32) uint32 { return Binary(op, k, a[0], a[1]) }
}

func float1(f func(x float32) float32) componentFunc {
	return func(_ tree.Kind, a []uint32) uint32 { return fromFloat(f(toFloat(a[0]))) }
}

func float2(f func(x, y float32) float32) componentFunc {
	return func(_ tree.Kind, a []uint32) uint32 { return fromFloat(f(toFloat(a[0]), toFloat(a[1]))) }
}

func float3(f func(x, y, z float32) float32) componentFunc {
	return func(_ tree.Kind, a []uint32) uint32 { return fromFloat(f(toFloat(a[0]), toFloat(a[1]), toFloat(a[2]))) }
}

// arcTangent has one argument or two.
func arcTangent(_ tree.Kind, a []uint32) uint32 {
	if len(a) == 2 {
		return fromFloat(floats.Atan2(toFloat(a[0]), toFloat(a[1])))
	}
	return fromFloat(floats.Atan(toFloat(a[0])))
}

func same(_ tree.Kind, a []uint32) uint32 { return a[0] }

var componentTable = map[tree.BuiltinID]componentFunc{
	tree.FnAbs:              abs,
	tree.FnSign:             sign,
	tree.FnFloor:            float1(floats.Floor),
	tree.FnCeil:             float1(floats.Ceil),
	tree.FnTrunc:            float1(floats.Trunc),
	tree.FnRound:            float1(floats.RoundEven),
	tree.FnRoundEven:        float1(floats.RoundEven),
	tree.FnFract:            float1(floats.Fract),
	tree.FnModFloat:         float2(floats.Mod),
	tree.FnFma:              float3(floats.Fma),
	tree.FnSmoothStep:       float3(floats.SmoothStep),
	tree.FnLdexp:            func(_ tree.Kind, a []uint32) uint32 { return fromFloat(floats.Ldexp(toFloat(a[0]), int32(a[1]))) },
	tree.FnMin:              minimum,
	tree.FnMax:              maximum,
	tree.FnClamp:            clamp,
	tree.FnMin3:             ofThree(floats.Min3, func(k tree.Kind, a []uint32) uint32 { return minimum(k, []uint32{minimum(k, a[:2]), a[2]}) }),
	tree.FnMid3:             ofThree(floats.Mid3, middle),
	tree.FnMax3:             ofThree(floats.Max3, func(k tree.Kind, a []uint32) uint32 { return maximum(k, []uint32{maximum(k, a[:2]), a[2]}) }),
	tree.FnStep:             float2(floats.Step),
	tree.FnIsNaN:            func(_ tree.Kind, a []uint32) uint32 { return fromBool(floats.IsNaN(toFloat(a[0]))) },
	tree.FnIsInf:            func(_ tree.Kind, a []uint32) uint32 { return fromBool(floats.IsInf(toFloat(a[0]))) },
	tree.FnFloatBitsToInt:   same,
	tree.FnFloatBitsToUint:  same,
	tree.FnIntBitsToFloat:   same,
	tree.FnUintBitsToFloat:  same,
	tree.FnLessThan:         compare(tree.Less),
	tree.FnLessThanEqual:    compare(tree.LessEqual),
	tree.FnGreaterThan:      compare(tree.Greater),
	tree.FnGreaterThanEqual: compare(tree.GreaterEqual),
	tree.FnEqualVec:         compare(tree.Equal),
	tree.FnNotEqualVec:      compare(tree.NotEqual),
	tree.FnNotVec:           func(_ tree.Kind, a []uint32) uint32 { return a[0] ^ 1 },
	tree.FnBitfieldReverse:  func(_ tree.Kind, a []uint32) uint32 { return bits.Reverse32(a[0]) },
	tree.FnBitCount:         func(_ tree.Kind, a []uint32) uint32 { return uint32(bits.OnesCount32(a[0])) },
	tree.FnFindLSB:          findLSB,
	tree.FnFindMSB:          findMSB,
	tree.FnBitfieldExtract:  func(k tree.Kind, a []uint32) uint32 { return extract(k, a[0], a[1], a[2]) },
	tree.FnBitfieldInsert:   func(_ tree.Kind, a []uint32) uint32 { return insert(a[0], a[1], a[2], a[3]) },

	tree.FnRadians: float1(floats.Radians), tree.FnDegrees: float1(floats.Degrees),
	tree.FnSin: float1(floats.Sin), tree.FnCos: float1(floats.Cos), tree.FnTan: float1(floats.Tan),
	tree.FnAsin: float1(floats.Asin), tree.FnAcos: float1(floats.Acos), tree.FnAtan: arcTangent,
	tree.FnSinh: float1(floats.Sinh), tree.FnCosh: float1(floats.Cosh), tree.FnTanh: float1(floats.Tanh),
	tree.FnAsinh: float1(floats.Asinh), tree.FnAcosh: float1(floats.Acosh), tree.FnAtanh: float1(floats.Atanh),
	tree.FnPow: float2(floats.Pow), tree.FnExp: float1(floats.Exp), tree.FnLog: float1(floats.Log),
	tree.FnExp2: float1(floats.Exp2), tree.FnLog2: float1(floats.Log2),
	tree.FnSqrt: float1(floats.Sqrt), tree.FnInverseSqrt: float1(floats.InverseSqrt),
}

func abs(k tree.Kind, a []uint32) uint32 {
	switch {
	case k == tree.KindFloat:
		return computed(k, a[0]&^(1<<31))
	case int32(a[0]) < 0:
		return -a[0]
	default:
		return a[0]
	}
}

// sign of NaN is NaN.
func sign(k tree.Kind, a []uint32) uint32 {
	if k == tree.KindFloat && a[0]&0x7FFFFFFF > 0x7F800000 {
		return canonicalNaN
	}
	above := Binary(tree.Greater, k, a[0], 0)
	below := Binary(tree.Less, k, a[0], 0)
	return Convert(tree.KindInt, k, above-below)
}

// minimum follows section 8.3: y if y < x, otherwise x.
func minimum(k tree.Kind, a []uint32) uint32 {
	if Binary(tree.Less, k, a[1], a[0]) != 0 {
		return computed(k, a[1])
	}
	return computed(k, a[0])
}

// maximum follows section 8.3: y if x < y, otherwise x.
func maximum(k tree.Kind, a []uint32) uint32 {
	if Binary(tree.Less, k, a[0], a[1]) != 0 {
		return computed(k, a[1])
	}
	return computed(k, a[0])
}

func clamp(k tree.Kind, a []uint32) uint32 {
	return minimum(k, []uint32{maximum(k, a[:2]), a[2]})
}

// ofThree is a function of floats and one of integers.
func ofThree(ofFloats func(x, y, z float32) float32, ofIntegers componentFunc) componentFunc {
	return func(k tree.Kind, a []uint32) uint32 {
		if k == tree.KindFloat {
			return float3(ofFloats)(k, a)
		}
		return ofIntegers(k, a)
	}
}

// middle is the median of three integers.
func middle(k tree.Kind, a []uint32) uint32 {
	least, greatest := minimum(k, a[:2]), maximum(k, a[:2])
	return maximum(k, []uint32{least, minimum(k, []uint32{greatest, a[2]})})
}

func findLSB(_ tree.Kind, a []uint32) uint32 {
	if a[0] == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros32(a[0]))
}

// findMSB of a negative int finds its highest zero bit.
func findMSB(k tree.Kind, a []uint32) uint32 {
	x := a[0]
	if k == tree.KindInt && int32(x) < 0 {
		x = ^x
	}
	return uint32(bits.Len32(x) - 1)
}

// extract takes n bits from offset on; a range that leaves the word is cut off at its end.
func extract(k tree.Kind, x, offset, n uint32) uint32 {
	offset, n = bitRange(offset, n)
	if n == 0 {
		return 0
	}
	up := 32 - n
	x = x >> offset << up
	if k == tree.KindInt {
		return uint32(int32(x) >> up)
	}
	return x >> up
}

func insert(base, x, offset, n uint32) uint32 {
	offset, n = bitRange(offset, n)
	mask := uint32(1<<uint64(n)-1) << offset
	return base&^mask | x<<offset&mask
}

// bitRange makes a bit range lie within a word: one that begins outside bits 0 to 31, or is shorter
// than one bit, is empty.
func bitRange(offset, n uint32) (from, length uint32) {
	if offset > 31 || int32(n) < 1 {
		return 0, 0
	}
	return offset, min(n, 32-offset)
}
