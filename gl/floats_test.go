//go:build cgo && egl

package gl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
)

// floatCases are expressions of floats a, b and c, of the uint n and the int i, that give a uint.
var floatCases = map[string]string{
	"add": "F(a + b)", "sub": "F(a - b)", "mul": "F(a * b)", "div": "F(a / b)", "neg": "F(-a)",
	"chain":   "F(a * b + c * a - b)",
	"compare": "uint(a < b) | uint(a <= b) << 1 | uint(a > b) << 2 | uint(a >= b) << 3 | uint(a == b) << 4 | uint(a != b) << 5",
	"sqrt":    "F(sqrt(a))", "inversesqrt": "F(inversesqrt(a))", "fma": "F(fma(a, b, c))",
	"abs": "F(abs(a))", "sign": "F(sign(a))", "floor": "F(floor(a))", "ceil": "F(ceil(a))", "trunc": "F(trunc(a))",
	"round": "F(round(a))", "roundEven": "F(roundEven(a))", "fract": "F(fract(a))", "mod": "F(mod(a, b))",
	"min": "F(min(a, b))", "max": "F(max(a, b))", "clamp": "F(clamp(a, b, c))",
	"min3": "F(min3(a, b, c))", "mid3": "F(mid3(a, b, c))", "max3": "F(max3(a, b, c))", "mix": "F(mix(a, b, c))",
	"step": "F(step(a, b))", "smoothstep": "F(smoothstep(a, b, c))", "select": "F(mix(a, b, c > 0.0))",
	"class": "uint(isnan(a)) | uint(isinf(a)) << 1",
	"int":   "uint(int(a))", "uint": "uint(a)", "bool": "uint(bool(a))", "fromInt": "F(float(i))", "fromUint": "F(float(n))",
	"sin": "F(sin(a))", "cos": "F(cos(a))", "tan": "F(tan(a))", "asin": "F(asin(a))", "acos": "F(acos(a))",
	"atan": "F(atan(a))", "atan2": "F(atan(a, b))", "sinh": "F(sinh(a))", "cosh": "F(cosh(a))", "tanh": "F(tanh(a))",
	"asinh": "F(asinh(a))", "acosh": "F(acosh(a))", "atanh": "F(atanh(a))", "pow": "F(pow(a, b))",
	"exp": "F(exp(a))", "exp2": "F(exp2(a))", "log": "F(log(a))", "log2": "F(log2(a))",
	"radians": "F(radians(a))", "degrees": "F(degrees(a))", "ldexp": "F(ldexp(a, i >> 22))",
	"dot": "F(dot(vec3(a, b, c), vec3(c, a, b)))", "length": "F(length(vec2(a, b)))", "distance": "F(distance(vec2(a, b), vec2(c, a)))",
	"normalize": "F(normalize(vec3(a, b, c)).y)", "cross": "F(cross(vec3(a, b, c), vec3(c, a, b)).x)",
	"packUnorm2x16": "packUnorm2x16(vec2(a, b))", "packSnorm2x16": "packSnorm2x16(vec2(a, b))",
	"packUnorm4x8": "packUnorm4x8(vec4(a, b, c, a))", "packSnorm4x8": "packSnorm4x8(vec4(a, b, c, a))", "packHalf2x16": "packHalf2x16(vec2(a, b))",
	"unpackUnorm2x16": "F(unpackUnorm2x16(n).y)", "unpackSnorm2x16": "F(unpackSnorm2x16(n).x)",
	"unpackUnorm4x8": "F(unpackUnorm4x8(n).z)", "unpackSnorm4x8": "F(unpackSnorm4x8(n).w)", "unpackHalf2x16": "F(unpackHalf2x16(n).y)",
}

// floatWords yields rows of three operands: all pairs of special values, then random ones, half of
// them of ordinary size.
func floatWords(random int) []uint32 {
	special := []uint32{
		0, 1, 0x7FFFFF, 0x800000, 0x800001, 0x1000000, 0x33800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC90FDB,
		0x40000000, 0x40490FDB, 0x42B17218, 0x42FF0000, 0x43160000, 0x477FFFFF, 0x47800000, 0x4AFFFFFF, 0x4B000000, 0x4B000001,
		0x4F000000, 0x4F800000, 0x7E800000, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FC00001, 0x7FFFFFFF,
	}
	for _, s := range special {
		special = append(special, s|1<<31)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var rows []uint32
	for _, a := range special {
		for _, b := range special {
			rows = append(rows, a, b, special[r.IntN(len(special))])
		}
	}
	for i := range 3 * random {
		w := r.Uint32()
		if i/3%2 == 0 {
			w = w&0x80FFFFFF | (112+r.Uint32N(32))<<23
		}
		rows = append(rows, w)
	}
	return rows
}

// onRows runs the expression over all rows on a backend.
func onRows(t *testing.T, b engine.Backend, expr string, rows []uint32, ulpBudget uint8) []uint32 {
	t.Helper()
	text := fmt.Sprintf(`#version 450
#extension GL_AMD_shader_trinary_minmax : require
#define F floatBitsToUint
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint rows[]; };
layout(std430, binding = 1) buffer Out { uint result[]; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  if (at >= uint(result.length())) return;
  float a = uintBitsToFloat(rows[3u * at]), b = uintBitsToFloat(rows[3u * at + 1u]), c = uintBitsToFloat(rows[3u * at + 2u]);
  uint n = rows[3u * at];
  int i = int(rows[3u * at + 1u]);
  result[at] = %s;
}
`, expr)
	p, _, err := engine.CompileProgram("floats", &source.File{Name: "floats.comp", Text: text}, glsl.Options{})
	check(t, err)
	pl, err := b.Compile(within(t), p)
	check(t, err)
	in, err := b.Allocate(within(t), "in", len(rows), engine.HostVisible)
	check(t, err)
	out, err := b.Allocate(within(t), "out", len(rows)/3, engine.HostVisible)
	check(t, err)
	check(t, in.Upload(within(t), 0, rows))
	pending, err := pl.Start(within(t), []engine.Binding{{Index: 0, Buffer: in}, {Index: 1, Buffer: out}}, engine.DispatchConfig{
		Grid: [3]uint32{uint32(len(rows)/3+63) / 64, 1, 1}, ULPBudget: ulpBudget,
	})
	check(t, err)
	_, err = pending.Wait(within(t))
	check(t, err)
	result := make([]uint32, len(rows)/3)
	check(t, out.Download(within(t), 0, result))
	check(t, in.Free())
	check(t, out.Free())
	check(t, pl.Close())
	return result
}

// TestFloatsEqualReference compares every float operation of the kernel language, bit for bit: with what the
// device does itself, and with the functions for devices whose floats are trusted less, or not at all.
func TestFloatsEqualReference(t *testing.T) {
	host, err := reference.Open(reference.Options{})
	check(t, err)
	t.Cleanup(func() { check(t, host.Close()) })
	device, wide, distrusted := testBackend(t), testBackend(t), testBackend(t)
	distrusted.float.known, distrusted.float.doubles = true, true
	f, exact, err := device.floatsOf(within(t), false)
	check(t, err)
	if !exact {
		t.Error("the device computes doubles inexactly")
	}
	t.Logf("%s: floats %+v", device.Identity().Device, f)
	if wide.float.known, wide.float.doubles, wide.float.floats.Wide = true, true, f.Wide; !f.Wide {
		t.Log("the device's conversions are not trusted")
	}
	rows := floatWords(20_000)
	for name, expr := range floatCases {
		t.Run(name, func(t *testing.T) {
			want := onRows(t, host, expr, rows, 0)
			sameWords(t, rows, onRows(t, device, expr, rows, 0), want)
			sameWords(t, rows, onRows(t, wide, expr, rows, 0), want)
			sameWords(t, rows, onRows(t, distrusted, expr, rows, 0), want)
		})
	}
}

func sameWords(t *testing.T, rows, got, want []uint32) {
	t.Helper()
	wrong := 0
	var first strings.Builder
	for i := range want {
		if got[i] != want[i] {
			wrong++
			if wrong < 6 {
				fmt.Fprintf(&first, "\n  %#x: %#x, want %#x", rows[3*i:3*i+3], got[i], want[i])
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d differ%s", wrong, len(want), first.String())
	}
}

// TestFloatConstantsSurviveGridBarriers: the parts of a divided program have the constants of module scope.
func TestFloatConstantsSurviveGridBarriers(t *testing.T) {
	p, err := engine.CompileText("parts", `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { float result[2]; };
const float table[3] = {0.5, 1.5, 2.5};
void main() {
  result[0] = table[gl_WorkGroupID.x];
  gridBarrier();
  result[1] = table[gl_WorkGroupID.x + 2u];
}
`)
	check(t, err)
	b := testBackend(t)
	out := allocate(t, b, 2, engine.HostVisible)
	_, err = start(t, compile(t, b, p), 1, out).Wait(within(t))
	check(t, err)
	if got := [2]uint32{out.Words().Load(0), out.Words().Load(1)}; got != [2]uint32{0x3F000000, 0x40200000} {
		t.Errorf("got %#x, want 0.5 and 2.5", got)
	}
}

// TestULPBudgetHolds measures, on arguments of its own, that with a budget every function is within it.
func TestULPBudgetHolds(t *testing.T) {
	device := testBackend(t)
	f, _, err := device.floatsOf(within(t), true)
	check(t, err)
	t.Logf("%s: floats %+v", device.Identity().Device, f)
	r := rand.New(rand.NewPCG(5, 6))
	rows := make([]uint32, 3*50_000)
	for i := range rows {
		e := 1 + r.Uint32N(254)
		if i/3%2 == 0 {
			e = 117 + r.Uint32N(20)
		}
		rows[i] = r.Uint32()&0x807FFFFF | e<<23
	}
	pairs := make([]uint32, 0, len(rows))
	for i := 0; i < len(rows); i += 3 {
		pairs = append(pairs, rows[i], rows[i+1])
	}
	for _, n := range natives {
		t.Run(strings.ReplaceAll(n.name, "/", "division"), func(t *testing.T) {
			text := strings.NewReplacer("(x", "(a", "x / y", "a / b", ", y", ", b").Replace(n.text)
			for _, budget := range []uint8{1, 3, 16, 254} {
				if e := n.worst(pairs, onRows(t, device, "F("+text+")", rows, budget)); e > float64(budget) {
					t.Errorf("with a budget of %d the error is %g", budget, e)
				}
			}
		})
	}
}

// TestWholeValuesCompareAndConvert: structures and arrays with floats, and results of out parameters that are
// converted, are as on the reference, also when the device's floats are not trusted.
func TestWholeValuesCompareAndConvert(t *testing.T) {
	const text = `#version 450
layout(local_size_x = 1) in;
struct S { vec2 v; uint n; float f[2]; };
layout(std430, binding = 0) buffer Out { float converted; vec2 pair; uint word[4]; };
int f(int x, out int y, out ivec2 z) { y = 16777217; z = ivec2(x, -16777219); return x + 1; }
void main() {
  float denormal = uintBitsToFloat(1u + gl_WorkGroupID.x), none = float(gl_WorkGroupID.x);
  S a = S(vec2(denormal), 1u, float[2](1.0, none)), b = a;
  word[0] = uint(a == b);
  b.f[1] = denormal;
  word[1] = uint(a != b) | uint(a.f == b.f) << 1 | uint(a.v == b.v) << 2 | uint(a.v != vec2(none)) << 3;
  b.f[1] = -none;
  word[2] = uint(a == b);
  word[3] = uint(f(33554435, converted, pair));
}
`
	p, err := engine.CompileText("whole", text)
	check(t, err)
	trusted, distrusted := testBackend(t), testBackend(t)
	distrusted.float.known, distrusted.float.doubles = true, true
	want := []uint32{0x4B800000, 0x4C000001, 0xCB800002, 1, 1 | 0<<1 | 1<<2 | 1<<3, 1, 33554436}
	for name, b := range map[string]*Backend{"trusted": trusted, "distrusted": distrusted} {
		out := allocate(t, b, 8, engine.HostVisible)
		_, err := start(t, compile(t, b, p), 1, out).Wait(within(t))
		check(t, err)
		got := make([]uint32, 8)
		check(t, out.Download(within(t), 0, got))
		if got = append(got[:1], got[2:]...); !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s: got %#x, want %#x", name, got, want)
		}
	}
}

// TestNoExactFloatsIsRefused: a device without exact doubles runs kernels without floats only.
func TestNoExactFloatsIsRefused(t *testing.T) {
	b := testBackend(t)
	b.float.known = true
	const head = "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Out { float f; uint n; };\n"
	for text, want := range map[string]error{
		"void main() { f = f + f; }": engine.ErrUnsupportedFeature,
		"void main() { n = n + n; }": nil,
	} {
		p, err := engine.CompileText("inexact", head+text)
		check(t, err)
		pl, err := b.Compile(within(t), p)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
		if pl != nil {
			check(t, pl.Close())
		}
	}
}

// TestDriversCountTheKernelsLines: the driver's errors lead to the source, whatever functions stand before
// the kernel.
func TestDriversCountTheKernelsLines(t *testing.T) {
	p, err := engine.CompileText("k.comp", `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { float f; };
void main() {
  f = sin(f);

  f /= 3.0;
}
`)
	check(t, err)
	b := testBackend(t)
	b.float.floats.IEEE, b.float.doubles, b.float.known = true, true, true // so that the text is taken as it is
	broken := *p
	broken.Text = strings.Replace(p.Text, "  f = vt_f_div", "  nonsense = vt_f_div", 1)
	_, err = b.Compile(within(t), &broken)
	if e, ok := errors.AsType[*engine.Error](err); !ok || !strings.Contains(e.Log, "k.comp:7") {
		t.Errorf("want k.comp:7 in: %v", err)
	}
}
