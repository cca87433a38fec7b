package tree

import "fmt"

// GLSL 4.50 section 8.1.
var angleBuiltins = []builtinRow{
	{FnRadians, approximate, sigs("genFType radians(genFType degrees)")},
	{FnDegrees, approximate, sigs("genFType degrees(genFType radians)")},
	{FnSin, approximate, sigs("genFType sin(genFType angle)")},
	{FnCos, approximate, sigs("genFType cos(genFType angle)")},
	{FnTan, approximate, sigs("genFType tan(genFType angle)")},
	{FnAsin, approximate, sigs("genFType asin(genFType x)")},
	{FnAcos, approximate, sigs("genFType acos(genFType x)")},
	{FnAtan, approximate, sigs(
		"genFType atan(genFType y, genFType x)",
		"genFType atan(genFType y_over_x)",
	)},
	{FnSinh, approximate, sigs("genFType sinh(genFType x)")},
	{FnCosh, approximate, sigs("genFType cosh(genFType x)")},
	{FnTanh, approximate, sigs("genFType tanh(genFType x)")},
	{FnAsinh, approximate, sigs("genFType asinh(genFType x)")},
	{FnAcosh, approximate, sigs("genFType acosh(genFType x)")},
	{FnAtanh, approximate, sigs("genFType atanh(genFType x)")},
}

// GLSL 4.50 section 8.2.
var exponentialBuiltins = []builtinRow{
	{FnPow, approximate, sigs("genFType pow(genFType x, genFType y)")},
	{FnExp, approximate, sigs("genFType exp(genFType x)")},
	{FnLog, approximate, sigs("genFType log(genFType x)")},
	{FnExp2, approximate, sigs("genFType exp2(genFType x)")},
	{FnLog2, approximate, sigs("genFType log2(genFType x)")},
	{FnSqrt, approximate, sigs("genFType sqrt(genFType x)")},
	{FnInverseSqrt, approximate, sigs("genFType inversesqrt(genFType x)")},
}

// GLSL 4.50 section 8.3.
var commonBuiltins = []builtinRow{
	{FnAbs, exact, sigs(
		"genFType abs(genFType x)",
		"genIType abs(genIType x)",
		"genI64Type abs(genI64Type x)",
	)},
	{FnSign, exact, sigs(
		"genFType sign(genFType x)",
		"genIType sign(genIType x)",
		"genI64Type sign(genI64Type x)",
	)},
	{FnFloor, exact, sigs("genFType floor(genFType x)")},
	{FnTrunc, exact, sigs("genFType trunc(genFType x)")},
	{FnRound, exact, sigs("genFType round(genFType x)")},
	{FnRoundEven, exact, sigs("genFType roundEven(genFType x)")},
	{FnCeil, exact, sigs("genFType ceil(genFType x)")},
	{FnFract, exact, sigs("genFType fract(genFType x)")},
	{FnModFloat, approximate, sigs(
		"genFType mod(genFType x, genFType y)",
		"genFType mod(genFType x, float y)",
	)},
	{FnModf, exact, sigs("genFType modf(genFType x, out genFType i)")},
	{FnMin, exact, sigs(
		"genFType min(genFType x, genFType y)",
		"genFType min(genFType x, float y)",
		"genIType min(genIType x, genIType y)",
		"genIType min(genIType x, int y)",
		"genUType min(genUType x, genUType y)",
		"genUType min(genUType x, uint y)",
		"genI64Type min(genI64Type x, genI64Type y)",
		"genI64Type min(genI64Type x, int64_t y)",
		"genU64Type min(genU64Type x, genU64Type y)",
		"genU64Type min(genU64Type x, uint64_t y)",
	)},
	{FnMax, exact, sigs(
		"genFType max(genFType x, genFType y)",
		"genFType max(genFType x, float y)",
		"genIType max(genIType x, genIType y)",
		"genIType max(genIType x, int y)",
		"genUType max(genUType x, genUType y)",
		"genUType max(genUType x, uint y)",
		"genI64Type max(genI64Type x, genI64Type y)",
		"genI64Type max(genI64Type x, int64_t y)",
		"genU64Type max(genU64Type x, genU64Type y)",
		"genU64Type max(genU64Type x, uint64_t y)",
	)},
	{FnClamp, exact, sigs(
		"genFType clamp(genFType x, genFType minVal, genFType maxVal)",
		"genFType clamp(genFType x, float minVal, float maxVal)",
		"genIType clamp(genIType x, genIType minVal, genIType maxVal)",
		"genIType clamp(genIType x, int minVal, int maxVal)",
		"genUType clamp(genUType x, genUType minVal, genUType maxVal)",
		"genUType clamp(genUType x, uint minVal, uint maxVal)",
		"genI64Type clamp(genI64Type x, genI64Type minVal, genI64Type maxVal)",
		"genI64Type clamp(genI64Type x, int64_t minVal, int64_t maxVal)",
		"genU64Type clamp(genU64Type x, genU64Type minVal, genU64Type maxVal)",
		"genU64Type clamp(genU64Type x, uint64_t minVal, uint64_t maxVal)",
	)},
	{FnMin3, exact, trinary("min3")},
	{FnMid3, exact, trinary("mid3")},
	{FnMax3, exact, trinary("max3")},
	{FnMix, exact, sigs(
		"genFType mix(genFType x, genFType y, genFType a)",
		"genFType mix(genFType x, genFType y, float a)",
		"genFType mix(genFType x, genFType y, genBType a)",
		"genIType mix(genIType x, genIType y, genBType a)",
		"genUType mix(genUType x, genUType y, genBType a)",
		"genBType mix(genBType x, genBType y, genBType a)",
		"genI64Type mix(genI64Type x, genI64Type y, genBType a)",
		"genU64Type mix(genU64Type x, genU64Type y, genBType a)",
	)},
	{FnStep, exact, sigs(
		"genFType step(genFType edge, genFType x)",
		"genFType step(float edge, genFType x)",
	)},
	{FnSmoothStep, approximate, sigs(
		"genFType smoothstep(genFType edge0, genFType edge1, genFType x)",
		"genFType smoothstep(float edge0, float edge1, genFType x)",
	)},
	{FnIsNaN, exact, sigs("genBType isnan(genFType x)")},
	{FnIsInf, exact, sigs("genBType isinf(genFType x)")},
	{FnFloatBitsToInt, exact, sigs("genIType floatBitsToInt(genFType value)")},
	{FnFloatBitsToUint, exact, sigs("genUType floatBitsToUint(genFType value)")},
	{FnIntBitsToFloat, exact, sigs("genFType intBitsToFloat(genIType value)")},
	{FnUintBitsToFloat, exact, sigs("genFType uintBitsToFloat(genUType value)")},
	{FnFma, exact, sigs("genFType fma(genFType a, genFType b, genFType c)")},
	{FnFrexp, exact, sigs("genFType frexp(genFType x, out genIType exp)")},
	{FnLdexp, exact, sigs("genFType ldexp(genFType x, genIType exp)")},
}

// trinary writes the overloads of a function of GL_AMD_shader_trinary_minmax, which has none on doubles.
func trinary(name string) []string {
	var list []string
	for _, t := range []string{"genFType", "genIType", "genUType"} {
		list = append(list, fmt.Sprintf("%[1]s %[2]s(%[1]s x, %[1]s y, %[1]s z)", t, name))
	}
	return list
}

// GLSL 4.50 section 8.5.
var geometricBuiltins = []builtinRow{
	{FnLength, approximate, sigs("float length(genFType x)")},
	{FnDistance, approximate, sigs("float distance(genFType p0, genFType p1)")},
	{FnDot, exact, sigs("float dot(genFType x, genFType y)")},
	{FnCross, exact, sigs("vec3 cross(vec3 x, vec3 y)")},
	{FnNormalize, approximate, sigs("genFType normalize(genFType x)")},
	{FnFaceForward, exact, sigs("genFType faceforward(genFType N, genFType I, genFType Nref)")},
	{FnReflect, exact, sigs("genFType reflect(genFType I, genFType N)")},
	{FnRefract, approximate, sigs("genFType refract(genFType I, genFType N, float eta)")},
}

// GLSL 4.50 section 8.6.
var matrixBuiltins = []builtinRow{
	{FnMatrixCompMult, exact, eachMatrix("mat%[1]dx%[2]d matrixCompMult(mat%[1]dx%[2]d x, mat%[1]dx%[2]d y)")},
	{FnOuterProduct, exact, eachMatrix("mat%[1]dx%[2]d outerProduct(vec%[2]d c, vec%[1]d r)")},
	{FnTranspose, exact, eachMatrix("mat%[1]dx%[2]d transpose(mat%[2]dx%[1]d m)")},
	{FnDeterminant, exact, sigs("float determinant(mat2x2 m)", "float determinant(mat3x3 m)", "float determinant(mat4x4 m)")},
	{FnInverse, approximate, sigs("mat2x2 inverse(mat2x2 m)", "mat3x3 inverse(mat3x3 m)", "mat4x4 inverse(mat4x4 m)")},
}

// eachMatrix writes a signature for every number of columns and rows.
func eachMatrix(format string) []string {
	var list []string
	for columns := 2; columns <= 4; columns++ {
		for rows := 2; rows <= 4; rows++ {
			list = append(list, fmt.Sprintf(format, columns, rows))
		}
	}
	return list
}
