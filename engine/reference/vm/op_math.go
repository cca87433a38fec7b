package vm

import "math"

// Functions that GLSL does not define to the last bit, GLSL 4.50 sections 8.1 and 8.2: computed in
// float64 and rounded once. The square root is exact.
var mathOps = []row{
	unaryRow(OpSqrt, "sqrt", approximate(math.Sqrt)),
	unaryRow(OpInverseSqrt, "inversesqrt", approximate(func(x float64) float64 { return 1 / math.Sqrt(x) })),
	unaryRow(OpRadians, "radians", approximate(func(x float64) float64 { return x * (math.Pi / 180) })),
	unaryRow(OpDegrees, "degrees", approximate(func(x float64) float64 { return x * (180 / math.Pi) })),
	unaryRow(OpSin, "sin", approximate(math.Sin)),
	unaryRow(OpCos, "cos", approximate(math.Cos)),
	unaryRow(OpTan, "tan", approximate(math.Tan)),
	unaryRow(OpAsin, "asin", approximate(math.Asin)),
	unaryRow(OpAcos, "acos", approximate(math.Acos)),
	unaryRow(OpAtan, "atan", approximate(math.Atan)),
	binaryRow(OpAtan2, "atan2", approximate2(math.Atan2)),
	unaryRow(OpSinh, "sinh", approximate(math.Sinh)),
	unaryRow(OpCosh, "cosh", approximate(math.Cosh)),
	unaryRow(OpTanh, "tanh", approximate(math.Tanh)),
	unaryRow(OpAsinh, "asinh", approximate(math.Asinh)),
	unaryRow(OpAcosh, "acosh", approximate(math.Acosh)),
	unaryRow(OpAtanh, "atanh", approximate(math.Atanh)),
	binaryRow(OpPow, "pow", approximate2(math.Pow)),
	unaryRow(OpExp, "exp", approximate(math.Exp)),
	unaryRow(OpLog, "log", approximate(math.Log)),
	unaryRow(OpExp2, "exp2", approximate(math.Exp2)),
	unaryRow(OpLog2, "log2", approximate(math.Log2)),
}

func approximate(f func(float64) float64) func(uint32) uint32 {
	return float1(func(x float32) float32 { return float32(f(float64(x))) })
}

func approximate2(f func(x, y float64) float64) func(a, b uint32) uint32 {
	return float2(func(x, y float32) float32 { return float32(f(float64(x), float64(y))) })
}
