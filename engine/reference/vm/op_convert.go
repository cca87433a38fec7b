package vm

import "math"

var convertOps = []row{
	unaryRow(OpIntToFloat, "int.to.float", func(a uint32) uint32 { return math.Float32bits(float32(int32(a))) }),
	unaryRow(OpUintToFloat, "uint.to.float", func(a uint32) uint32 { return math.Float32bits(float32(a)) }),
	unaryRow(OpFloatToInt, "float.to.int", floatToInt),
	unaryRow(OpFloatToUint, "float.to.uint", floatToUint),
	unaryRow(OpToBool, "to.bool", func(a uint32) uint32 { return truth(a != 0) }),
	unaryRow(OpFloatToBool, "float.to.bool", func(a uint32) uint32 { return truth(float(a) != 0) }),
	unaryRow(OpBoolToFloat, "bool.to.float", func(a uint32) uint32 { return math.Float32bits(float32(a)) }),
}

// floatToInt drops the fraction; a value out of range becomes the nearest int, NaN becomes 0.
func floatToInt(a uint32) uint32 {
	switch f := float(a); {
	case f != f:
		return 0
	case f >= 1<<31:
		return math.MaxInt32
	case f < -(1 << 31):
		return 1 << 31
	default:
		return uint32(int32(f))
	}
}

// floatToUint drops the fraction; a value out of range becomes the nearest uint, NaN becomes 0.
func floatToUint(a uint32) uint32 {
	switch f := float(a); {
	case !(f > 0):
		return 0
	case f >= 1<<32:
		return math.MaxUint32
	default:
		return uint32(f)
	}
}
