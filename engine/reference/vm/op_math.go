package vm

import (
	"math"

	"vyretop/engine/glsl/floats"
)

// GLSL 4.50 sections 8.1 and 8.2, as package floats defines them.
var mathOps = []row{
	unaryRow(OpSqrt, "sqrt", rounded(math.Sqrt)),
	unaryRow(OpInverseSqrt, "inversesqrt", float1(floats.InverseSqrt)),
	unaryRow(OpRadians, "radians", float1(floats.Radians)),
	unaryRow(OpDegrees, "degrees", float1(floats.Degrees)),
	unaryRow(OpSin, "sin", float1(floats.Sin)),
	unaryRow(OpCos, "cos", float1(floats.Cos)),
	unaryRow(OpTan, "tan", float1(floats.Tan)),
	unaryRow(OpAsin, "asin", float1(floats.Asin)),
	unaryRow(OpAcos, "acos", float1(floats.Acos)),
	unaryRow(OpAtan, "atan", float1(floats.Atan)),
	binaryRow(OpAtan2, "atan2", float2(floats.Atan2)),
	unaryRow(OpSinh, "sinh", float1(floats.Sinh)),
	unaryRow(OpCosh, "cosh", float1(floats.Cosh)),
	unaryRow(OpTanh, "tanh", float1(floats.Tanh)),
	unaryRow(OpAsinh, "asinh", float1(floats.Asinh)),
	unaryRow(OpAcosh, "acosh", float1(floats.Acosh)),
	unaryRow(OpAtanh, "atanh", float1(floats.Atanh)),
	binaryRow(OpPow, "pow", float2(floats.Pow)),
	unaryRow(OpExp, "exp", float1(floats.Exp)),
	unaryRow(OpLog, "log", float1(floats.Log)),
	unaryRow(OpExp2, "exp2", float1(floats.Exp2)),
	unaryRow(OpLog2, "log2", float1(floats.Log2)),
}
