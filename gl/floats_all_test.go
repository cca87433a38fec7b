//go:build cgo && egl

package gl

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl/floats"
)

// floatStride is the distance of the arguments that TestFunctionsOverAllFloats tries: 1 is all of them, and
// takes an hour on two cores.
var floatStride = flag.Uint("floats.stride", 65_521, "distance of the bit patterns tried by TestFunctionsOverAllFloats")

var unaryFloats = map[string]func(x float32) float32{
	"sqrt": floats.Sqrt, "inversesqrt": floats.InverseSqrt, "exp": floats.Exp, "exp2": floats.Exp2, "log": floats.Log, "log2": floats.Log2,
	"sin": floats.Sin, "cos": floats.Cos, "tan": floats.Tan, "asin": floats.Asin, "acos": floats.Acos, "atan": floats.Atan,
	"sinh": floats.Sinh, "cosh": floats.Cosh, "tanh": floats.Tanh, "asinh": floats.Asinh, "acosh": floats.Acosh, "atanh": floats.Atanh,
	"radians": floats.Radians, "degrees": floats.Degrees, "floor": floats.Floor, "ceil": floats.Ceil, "trunc": floats.Trunc,
	"roundEven": floats.RoundEven, "fract": floats.Fract, "sign": floats.Sign, "abs": floats.Abs,
}

// allChunk is how many arguments one dispatch takes.
const allChunk = 1 << 16

// TestFunctionsOverAllFloats compares the functions of one argument with package floats over the whole
// range of bit patterns, evenly.
func TestFunctionsOverAllFloats(t *testing.T) {
	names := make([]string, 0, len(unaryFloats))
	for name := range unaryFloats {
		names = append(names, name)
	}
	slices.Sort(names)
	b := testBackend(t)
	p, err := engine.CompileText("all", allText(names))
	check(t, err)
	pl := compile(t, b, p)
	in, out := allocate(t, b, 2, engine.HostVisible), allocate(t, b, allChunk*len(names), engine.HostVisible)
	stride := uint64(*floatStride)
	for first := uint64(0); first < 1<<32; first += allChunk * stride {
		in.Words().CopyFrom(0, []uint32{uint32(first), uint32(stride)})
		_, err := start(t, pl, allChunk/64, in, out).Wait(within(t))
		check(t, err)
		for k, name := range names {
			compareAll(t, name, first, stride, out.Words()[k*allChunk:][:allChunk])
		}
		if t.Failed() {
			return
		}
	}
}

func allText(names []string) string {
	var t strings.Builder
	t.WriteString(`#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint first, stride; };
layout(std430, binding = 1) buffer Out { float result[]; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  float x = uintBitsToFloat(first + at * stride);
`)
	for k, name := range names {
		fmt.Fprintf(&t, "  result[%du + at] = %s(x);\n", k*allChunk, name)
	}
	t.WriteString("}\n")
	return t.String()
}

func compareAll(t *testing.T, name string, first, stride uint64, got []uint32) {
	t.Helper()
	f := unaryFloats[name]
	for i, word := range got {
		bits := first + uint64(i)*stride
		if bits >= 1<<32 {
			return
		}
		want := f(math.Float32frombits(uint32(bits)))
		if word != math.Float32bits(want) && (want == want || word != 0x7FC00000) {
			t.Errorf("%s(%#x) = %#x, want %#x", name, bits, word, math.Float32bits(want))
			return
		}
	}
}
