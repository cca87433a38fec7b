package tree

// BuiltinID identifies a built-in function; it indexes Builtins.
type BuiltinID uint8

// The built-in functions; Builtins gives their GLSL names and signatures.
const (
	// Angle functions.
	FnRadians BuiltinID = iota
	FnDegrees
	FnSin
	FnCos
	FnTan
	FnAsin
	FnAcos
	FnAtan
	FnSinh
	FnCosh
	FnTanh
	FnAsinh
	FnAcosh
	FnAtanh

	// Exponential functions.
	FnPow
	FnExp
	FnLog
	FnExp2
	FnLog2
	FnSqrt
	FnInverseSqrt

	// Common functions.
	FnAbs
	FnSign
	FnFloor
	FnTrunc
	FnRound
	FnRoundEven
	FnCeil
	FnFract
	FnModFloat
	FnModf
	FnMin
	FnMax
	FnClamp
	FnMin3
	FnMid3
	FnMax3
	FnMix
	FnStep
	FnSmoothStep
	FnIsNaN
	FnIsInf
	FnFloatBitsToInt
	FnFloatBitsToUint
	FnIntBitsToFloat
	FnUintBitsToFloat
	FnFma
	FnFrexp
	FnLdexp

	// Packing functions.
	FnPackUnorm2x16
	FnPackSnorm2x16
	FnPackUnorm4x8
	FnPackSnorm4x8
	FnUnpackUnorm2x16
	FnUnpackSnorm2x16
	FnUnpackUnorm4x8
	FnUnpackSnorm4x8
	FnPackHalf2x16
	FnUnpackHalf2x16
	FnPackDouble2x32
	FnUnpackDouble2x32
	FnPackInt2x32
	FnUnpackInt2x32
	FnPackUint2x32
	FnUnpackUint2x32
	FnDoubleBitsToInt64
	FnDoubleBitsToUint64
	FnInt64BitsToDouble
	FnUint64BitsToDouble

	// Geometric functions.
	FnLength
	FnDistance
	FnDot
	FnCross
	FnNormalize

	// Vector and matrix functions.
	FnFaceForward
	FnReflect
	FnRefract
	FnMatrixCompMult
	FnOuterProduct
	FnTranspose
	FnDeterminant
	FnInverse

	// Relational functions.
	FnLessThan
	FnLessThanEqual
	FnGreaterThan
	FnGreaterThanEqual
	FnEqualVec
	FnNotEqualVec
	FnAny
	FnAll
	FnNotVec

	// Integer functions.
	FnUaddCarry
	FnUsubBorrow
	FnUmulExtended
	FnImulExtended
	FnBitfieldExtract
	FnBitfieldInsert
	FnBitfieldReverse
	FnBitCount
	FnFindLSB
	FnFindMSB

	// Atomics functions.
	FnAtomicAdd
	FnAtomicMin
	FnAtomicMax
	FnAtomicAnd
	FnAtomicOr
	FnAtomicXor
	FnAtomicExchange
	FnAtomicCompSwap

	// Barriers functions.
	FnBarrier
	FnMemoryBarrier
	FnMemoryBarrierBuffer
	FnMemoryBarrierShared
	FnGroupMemoryBarrier
	FnGridBarrier

	// What the functions of subgroups are made of.
	FnSubgroupBallot
	FnSubgroupShuffle
	FnSubgroupBarrier

	builtinCount
)
