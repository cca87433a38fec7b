package vm

//go:generate go run ./opgen -o ops_gen.go

// The operations; Ops describes each. Suffixes: I int, U uint, F float, and those of 64 bits below; the others work on words.
const (
	OpEnd Op = iota
	OpEnter
	OpIf
	OpElse
	OpTest
	OpJoin
	OpLeave
	OpRejoin
	OpRepeat
	OpMerge
	OpBarrier
	OpGridBarrier
	OpBallot
	OpShuffle
	OpMark

	OpMove
	OpSplat

	OpLoad
	OpStore
	OpOffset
	OpLength
	OpLoadReg
	OpStoreReg

	OpAtomicAdd
	OpAtomicAddF
	OpAtomicMinI
	OpAtomicMinU
	OpAtomicMaxI
	OpAtomicMaxU
	OpAtomicAnd
	OpAtomicOr
	OpAtomicXor
	OpAtomicExchange
	OpAtomicCompSwap

	OpAdd
	OpSub
	OpMul
	OpAnd
	OpOr
	OpXor
	OpShl
	OpShrI
	OpShrU
	OpNeg
	OpNot
	OpEq
	OpNe
	OpLtI
	OpLeI
	OpGtI
	OpGeI
	OpLtU
	OpLeU
	OpGtU
	OpGeU
	OpMinI
	OpMaxI
	OpMinU
	OpMaxU
	OpSelect
	OpAddF
	OpSubF
	OpMulF
	OpDivF
	OpNegF
	OpEqF
	OpNeF
	OpLtF
	OpLeF
	OpGtF
	OpGeF

	OpDivI
	OpDivU
	OpModI
	OpModU

	OpMinF
	OpMaxF
	OpClampF
	OpMixF
	OpStepF
	OpSmoothStepF
	OpFmaF
	OpAbsF
	OpSignF
	OpFloorF
	OpTruncF
	OpRoundF
	OpRoundEvenF
	OpCeilF
	OpFractF
	OpModF
	OpIsNaN
	OpIsInf
	OpFrexpSig
	OpFrexpExp
	OpLdexp

	OpIntToFloat
	OpUintToFloat
	OpFloatToInt
	OpFloatToUint
	OpToBool
	OpFloatToBool
	OpBoolToFloat

	OpAbsI
	OpSignI
	OpCarry
	OpBorrow
	OpMulHighI
	OpMulHighU
	OpExtractI
	OpExtractU
	OpInsert
	OpReverse
	OpBitCount
	OpFindLSB
	OpFindMSBI
	OpFindMSBU

	OpPackUnorm2x16
	OpPackSnorm2x16
	OpPackUnorm4x8
	OpPackSnorm4x8
	OpPackHalf2x16
	OpUnpackUnorm2x16
	OpUnpackSnorm2x16
	OpUnpackUnorm4x8
	OpUnpackSnorm4x8
	OpUnpackHalf2x16

	OpAny
	OpAll
	OpDot

	OpSqrt
	OpInverseSqrt
	OpRadians
	OpDegrees
	OpSin
	OpCos
	OpTan
	OpAsin
	OpAcos
	OpAtan
	OpAtan2
	OpSinh
	OpCosh
	OpTanh
	OpAsinh
	OpAcosh
	OpAtanh
	OpPow
	OpExp
	OpLog
	OpExp2
	OpLog2

	// L is a signed integer of 64 bits, UL an unsigned one.

	OpAddL
	OpSubL
	OpMulL
	OpDivL
	OpDivUL
	OpModL
	OpModUL
	OpShlL
	OpShrL
	OpShrUL
	OpNegL
	OpEqL
	OpNeL
	OpLtL
	OpLeL
	OpGtL
	OpGeL
	OpLtUL
	OpLeUL
	OpGtUL
	OpGeUL
	OpAbsL
	OpSignL
	OpMinL
	OpMaxL
	OpMinUL
	OpMaxUL
	OpIntToLong
	OpUintToLong
	OpLongToUint
	OpLongToBool

	// D is a double.

	OpAddD
	OpSubD
	OpMulD
	OpDivD
	OpNegD
	OpEqD
	OpNeD
	OpLtD
	OpLeD
	OpGtD
	OpGeD
	OpMinD
	OpMaxD
	OpClampD
	OpMixD
	OpStepD
	OpSmoothStepD
	OpFmaD
	OpAbsD
	OpSignD
	OpFloorD
	OpTruncD
	OpRoundD
	OpCeilD
	OpFractD
	OpModD
	OpSqrtD
	OpInverseSqrtD
	OpIsNaND
	OpIsInfD
	OpFrexpSigD
	OpFrexpExpD
	OpLdexpD
	OpDotD
	OpFloatToDouble
	OpDoubleToFloat
	OpIntToDouble
	OpUintToDouble
	OpDoubleToInt
	OpDoubleToUint
	OpDoubleToBool
	OpLongToDouble
	OpUlongToDouble
	OpDoubleToLong
	OpDoubleToUlong
	OpLongToFloat
	OpUlongToFloat

	opCount
)
