// Package floats owns the value of every float operation of the kernel language that is more than
// one IEEE 754 addition, subtraction, multiplication or comparison. Each function here is the
// definition: the reference backend and the folding of constants call it, and the GLSL prelude that
// drivers get (emit.Prelude) is translated from its source: one definition for both.
//
// # The rule
//
// Floats are IEEE 754 binary32. Every operation rounds once, to nearest, ties to even; nothing is
// fused but fma; denormals are kept, as operands and as results; infinities and signed zeros
// behave as IEEE 754 says. A NaN that an operation produces has the bits 0x7FC00000; one that is
// only copied, selected by ?: or mix with bools, or reinterpreted keeps its bits.
//
// # How it is exact everywhere
//
// A driver may be trusted with integers and with precise additions, subtractions and
// multiplications of doubles, which no device shortens or flushes. So the functions are written in
// float64 with those three operations and integers alone: division and roots start from integer
// estimates, are refined by Newton's method, and get their last bits from an exact remainder;
// integers and floats are converted by their bits. The transcendental functions reduce their
// argument exactly (sin, cos and tan with the 192 leading bits of 2/π, after Payne and Hanek), and
// sum a Taylor series in float64, whose error is far below that of the final rounding: every result
// is within 0.51 units in the last place of the true value.
//
// # The Go that can be translated
//
// Functions and structures over float32, float64, int32, uint32 and bool; declarations,
// assignments, if and return; no loops. A product of floats that is an operand of + or - is
// converted (float64(a*b)), so that no compiler may fuse it; float arithmetic stands neither in a
// call's arguments nor in a condition, because GLSL's precise does not reach there. The generator
// refuses everything else.
package floats

//go:generate go run vyretop/engine/glsl/floats/glslgen -o ../emit/routines.glsl .
