package lsp

import "vyretop/engine/glsl/tree"

// builtinDoc says what a built-in function does.
func builtinDoc(b *tree.Builtin) string {
	text := builtinDocs[b.Name]
	if b.Approximate {
		text += " GLSL leaves the last bits of the result open; the kernel language defines them."
	}
	return text
}

// builtinDocs say what the built-in functions do, as GLSL 4.50, section 8, defines them.
var builtinDocs = map[string]string{
	"radians": "Degrees in radians.", "degrees": "Radians in degrees.",
	"sin": "Sine of an angle in radians.", "cos": "Cosine of an angle in radians.", "tan": "Tangent of an angle in radians.",
	"asin": "Angle in radians whose sine is x, in -π/2 to π/2. Undefined where |x| > 1.",
	"acos": "Angle in radians whose cosine is x, in 0 to π. Undefined where |x| > 1.",
	"atan": "Angle in radians whose tangent is y_over_x; with two arguments y/x, in -π to π by their signs.",
	"sinh": "Hyperbolic sine.", "cosh": "Hyperbolic cosine.", "tanh": "Hyperbolic tangent.",
	"asinh": "Inverse of sinh.", "acosh": "Inverse of cosh, not negative. Undefined where x < 1.", "atanh": "Inverse of tanh. Undefined where |x| >= 1.",
	"pow": "x to the power of y. Undefined where x < 0, or x = 0 and y <= 0.", "exp": "e to the power of x.", "log": "Natural logarithm. Undefined where x <= 0.",
	"exp2": "2 to the power of x.", "log2": "Logarithm to base 2. Undefined where x <= 0.", "sqrt": "Square root. Undefined where x < 0.", "inversesqrt": "1 / sqrt(x). Undefined where x <= 0.",
	"abs": "x without its sign.", "sign": "-1, 0 or 1: the sign of x.", "floor": "Nearest integer that is not greater than x.", "trunc": "Nearest integer whose magnitude is not greater than that of x.",
	"round": "Nearest integer; halves are rounded to the even one.", "roundEven": "Nearest integer; halves are rounded to the even one.", "ceil": "Nearest integer that is not less than x.",
	"fract": "x - floor(x).", "mod": "x - y * floor(x / y).", "modf": "Fractional part of x; i receives the integer part. Both have the sign of x.",
	"min": "The smaller of both, component by component.", "max": "The greater of both, component by component.", "clamp": "min(max(x, minVal), maxVal). Undefined where minVal > maxVal.",
	"min3": "The smallest of three, component by component. Needs GL_AMD_shader_trinary_minmax.",
	"mid3": "The median of three, component by component. Needs GL_AMD_shader_trinary_minmax.",
	"max3": "The greatest of three, component by component. Needs GL_AMD_shader_trinary_minmax.",
	"mix":  "x * (1 - a) + y * a; with a of bool, y where a is true and x elsewhere.", "step": "0 where x < edge, else 1.",
	"smoothstep": "Smooth step from 0 at edge0 to 1 at edge1. Undefined where edge0 >= edge1.", "isnan": "Whether x is not a number.", "isinf": "Whether x is infinite.",
	"floatBitsToInt": "The bits of a float as an int.", "floatBitsToUint": "The bits of a float as a uint.", "intBitsToFloat": "The float that has these bits.", "uintBitsToFloat": "The float that has these bits.",
	"fma": "a * b + c.", "frexp": "Mantissa of x in 0.5 to 1; exp receives the exponent: x = mantissa * 2^exp.", "ldexp": "x * 2^exp.",
	"packUnorm2x16": "Two floats of 0 to 1 as two 16-bit numbers; the first is in the low bits.", "packSnorm2x16": "Two floats of -1 to 1 as two signed 16-bit numbers; the first is in the low bits.",
	"packUnorm4x8": "Four floats of 0 to 1 as four bytes; the first is in the low bits.", "packSnorm4x8": "Four floats of -1 to 1 as four signed bytes; the first is in the low bits.",
	"unpackUnorm2x16": "Two floats of 0 to 1 of two 16-bit numbers.", "unpackSnorm2x16": "Two floats of -1 to 1 of two signed 16-bit numbers.",
	"unpackUnorm4x8": "Four floats of 0 to 1 of four bytes.", "unpackSnorm4x8": "Four floats of -1 to 1 of four signed bytes.",
	"packHalf2x16": "Two floats as two 16-bit floats; the first is in the low bits.", "unpackHalf2x16": "Two floats of two 16-bit floats.",
	"packDouble2x32": "The double with the bits of two uints; the first has the less significant ones.", "unpackDouble2x32": "The bits of a double as two uints.",
	"packInt2x32": "The int64_t with the bits of two ints; the first has the less significant ones.", "unpackInt2x32": "The bits of an int64_t as two ints.",
	"packUint2x32": "The uint64_t with the bits of two uints; the first has the less significant ones.", "unpackUint2x32": "The bits of a uint64_t as two uints.",
	"doubleBitsToInt64": "The bits of a double as an int64_t.", "doubleBitsToUint64": "The bits of a double as a uint64_t.",
	"int64BitsToDouble": "The double with the bits of an int64_t.", "uint64BitsToDouble": "The double with the bits of a uint64_t.",
	"length": "Length of a vector.", "distance": "Length of p0 - p1.", "dot": "Sum of the products of the components.", "cross": "Cross product of two vectors of three components.",
	"normalize": "The vector of length 1 with the direction of x.", "faceforward": "N where dot(Nref, I) < 0, else -N.", "reflect": "I reflected at a surface with the normal N, which has length 1.",
	"refract":        "I refracted at a surface with the normal N; eta is the ratio of the indices of refraction.",
	"matrixCompMult": "Product component by component; * multiplies matrices.", "outerProduct": "Matrix of the products of all components of c and r.", "transpose": "Rows and columns exchanged.",
	"determinant": "Determinant of a matrix.", "inverse": "Inverse of a matrix. Undefined where there is none.",
	"lessThan": "x < y, component by component.", "lessThanEqual": "x <= y, component by component.", "greaterThan": "x > y, component by component.", "greaterThanEqual": "x >= y, component by component.",
	"equal": "x == y, component by component; == gives one bool.", "notEqual": "x != y, component by component; != gives one bool.", "any": "Whether a component is true.", "all": "Whether all components are true.", "not": "The complement of each component.",
	"uaddCarry": "x + y; carry receives 1 where it does not fit 32 bits, else 0.", "usubBorrow": "x - y; borrow receives 1 where x < y, else 0.",
	"umulExtended": "64-bit product: msb receives the upper 32 bits, lsb the lower.", "imulExtended": "Signed 64-bit product: msb receives the upper 32 bits, lsb the lower.",
	"bitfieldExtract": "bits bits of value from bit offset on; of an int with the sign of the uppermost.", "bitfieldInsert": "base with bits bits from bit offset on replaced by the lowest of insert.",
	"bitfieldReverse": "The bits in reverse order.", "bitCount": "Number of bits that are 1.", "findLSB": "Number of the lowest bit that is 1; -1 for 0.", "findMSB": "Number of the highest bit that is 1, of a negative int 0; -1 for none.",
	"atomicAdd": "Adds data to mem in one step and gives the value before.", "atomicMin": "Makes mem the smaller of it and data in one step and gives the value before.",
	"atomicMax": "Makes mem the greater of it and data in one step and gives the value before.", "atomicAnd": "Makes mem mem & data in one step and gives the value before.",
	"atomicOr": "Makes mem mem | data in one step and gives the value before.", "atomicXor": "Makes mem mem ^ data in one step and gives the value before.",
	"atomicExchange": "Makes mem data in one step and gives the value before.", "atomicCompSwap": "Makes mem data if it is compare, in one step, and gives the value before.",
	"barrier":       "Waits until all invocations of the workgroup have come here. All must reach it, or none.",
	"memoryBarrier": "Orders the accesses of this invocation to memory before it and behind it, as others see them.", "memoryBarrierBuffer": "As memoryBarrier, for buffers.",
	"memoryBarrierShared": "As memoryBarrier, for shared variables.", "groupMemoryBarrier": "As memoryBarrier, as other invocations of the workgroup see it.",
	"subgroupBallot":  "Which active invocations of the subgroup have true, a bit each. Needs GL_KHR_shader_subgroup_ballot.",
	"subgroupShuffle": "The value of another invocation of the subgroup; 0 of one that is not active. Needs GL_KHR_shader_subgroup_shuffle.",
	"subgroupBarrier": "Waits until all active invocations of the subgroup have come here. Needs GL_KHR_shader_subgroup_basic.",
	"gridBarrier":     "Waits until all workgroups have come here. Only a statement of main itself may be one.",
}

// inputDocs say what the variables are that GLSL gives a kernel.
var inputDocs = map[string]string{
	"gl_NumWorkGroups":        "Number of workgroups of the dispatch.",
	"gl_WorkGroupSize":        "Number of invocations of a workgroup, as the layout declares it.",
	"gl_LocalGroupSizeARB":    "Number of invocations of a workgroup, as the dispatch gives it. Needs GL_ARB_compute_variable_group_size.",
	"gl_WorkGroupID":          "Number of this workgroup, from 0.",
	"gl_LocalInvocationID":    "Number of this invocation in its workgroup, from 0.",
	"gl_GlobalInvocationID":   "gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID.",
	"gl_LocalInvocationIndex": "gl_LocalInvocationID as one number, x first.",
}

// wordDocs say what other words mean in a kernel.
var wordDocs = map[string]string{
	"debugf":     "debugf(\"text %u\", a): writes a record to the debug log, with up to four values. %u, %d, %x and %f take a uint, an int, either and a float.",
	"breakpoint": "breakpoint(CONDITION); stops a debugger where the condition holds. Drivers get nothing of it.",
	"shared":     "One variable for all invocations of a workgroup.",
	"buffer":     "A block of memory that the host gives the kernel.",
	"uniform":    "What the host sets before the kernel runs, and the kernel only reads.",
	"coherent":   "Writes are seen by other invocations, in the order that barriers and atomics make.",
	"volatile":   "Each access reads or writes the memory, which others may change at any time.",
	"restrict":   "No other block reaches the same memory.",
	"readonly":   "The kernel does not write it.",
	"writeonly":  "The kernel does not read it.",
	"std430":     "The layout of buffer blocks: members at multiples of their alignment, arrays without padding between scalars.",
	"std140":     "The layout of uniform blocks: as std430, with arrays and structures at multiples of 16 bytes.",
}
