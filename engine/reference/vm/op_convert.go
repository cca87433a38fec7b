package vm

import (
	"math"

	"vyretop/engine/glsl/floats"
)

var convertOps = []row{
	unaryRow(OpIntToFloat, "int.to.float", func(a uint32) uint32 { return math.Float32bits(float32(int32(a))) }),
	unaryRow(OpUintToFloat, "uint.to.float", func(a uint32) uint32 { return math.Float32bits(float32(a)) }),
	unaryRow(OpFloatToInt, "float.to.int", func(a uint32) uint32 { return uint32(floats.ToInt(float(a))) }),
	unaryRow(OpFloatToUint, "float.to.uint", func(a uint32) uint32 { return floats.ToUint(float(a)) }),
	unaryRow(OpToBool, "to.bool", func(a uint32) uint32 { return truth(a != 0) }),
	unaryRow(OpFloatToBool, "float.to.bool", func(a uint32) uint32 { return truth(float(a) != 0) }),
	unaryRow(OpBoolToFloat, "bool.to.float", func(a uint32) uint32 { return math.Float32bits(float32(a)) }),
}
