package reference

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"vyretop/engine"
)

// wideCase is an expression over a, b and c, as exprCase is, of which some have 64 bits. Params has a letter for each: d is a double, l an
// int64_t, m a uint64_t.
type wideCase struct {
	Params, Result, Expr string
	Want                 func(a, b, c uint64) uint64
}

var wideValues = map[byte][]uint64{
	'd': {0, 1 << 63, d64(1), d64(-1), d64(0.5), d64(1.5), d64(-2.5), d64(7.25), d64(-3e9), d64(5e9), d64(1e19), d64(-2e19), d64(0.1), d64(1 << 53), d64(-1e-200),
		d64(math.MaxFloat64), 1 /* least denormal */, 0x000FFFFFFFFFFFFF, d64(math.Inf(1)), d64(math.Inf(-1)), 0x7FF0000000000001},
	'l': {0, 1, 2, 7, 63, 64, math.MaxInt64, 1 << 63, math.MaxUint64, 0xFFFFFFFFFFFFFFF9, 0x123456789ABCDEF0, 1 << 32, 0xFFFFFFFF, 0x8000004000000001},
	'i': {0, 1, 5, 31, 63, 64, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF},
	'f': {0, 0x80000000, 0x3F800000, 0xC0200000, 0x5F7FFFFF, 0xDF7FFFFF, 1, 0x7F800000, 0x7FC00001},
}

func init() { wideValues['m'], wideValues['u'] = wideValues['l'], wideValues['i'] }

func d64(f float64) uint64 { return math.Float64bits(f) }

func f64(b uint64) float64 { return math.Float64frombits(b) }

// oneNaN64 gives the bits of a double, those of every NaN alike.
func oneNaN64(d float64) uint64 {
	if d != d {
		return 0x7FF8000000000000
	}
	return d64(d)
}

func doubleOf(f func(a, b, c float64) float64) func(a, b, c uint64) uint64 {
	return func(a, b, c uint64) uint64 { return oneNaN64(f(f64(a), f64(b), f64(c))) }
}

func boolOf(f func(a, b float64) bool) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return truth64(f(f64(a), f64(b))) }
}

func truth64(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

var wideTypes = map[byte]struct{ name, from string }{
	'd': {"double", "packDouble2x32(%s)"}, 'l': {"int64_t", "packInt2x32(ivec2(%s))"}, 'm': {"uint64_t", "packUint2x32(%s)"},
	'i': {"int", "int(%s.x)"}, 'u': {"uint", "%s.x"}, 'f': {"float", "uintBitsToFloat(%s.x)"},
}

var wideResults = map[string]string{
	"double": "unpackDouble2x32(%s)", "int64_t": "uvec2(unpackInt2x32(%s))", "uint64_t": "unpackUint2x32(%s)",
	"int": "uvec2(%s, 0)", "uint": "uvec2(%s, 0)", "bool": "uvec2(%s, 0)", "float": "uvec2(floatBitsToUint(%s), 0)",
}

func (c wideCase) kernel() string {
	var b strings.Builder
	b.WriteString(`#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uvec2 given[]; };
layout(std430, binding = 1) buffer Out { uvec2 result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= uint(result.length())) return;
`)
	for k := range len(c.Params) {
		t := wideTypes[c.Params[k]]
		fmt.Fprintf(&b, "  %s %c = %s;\n", t.name, 'a'+k, fmt.Sprintf(t.from, fmt.Sprintf("given[3u * i + %du]", k)))
	}
	b.WriteString("  int out_;\n")
	body := fmt.Sprintf("result[i] = %s;", fmt.Sprintf(wideResults[c.Result], c.Expr))
	fmt.Fprintf(&b, "  if ((i & 1u) == 0u) { %s } else { %s }\n}\n", body, body)
	return b.String()
}

// inputs are all combinations of values, three components each.
func (c wideCase) inputs() [][3]uint64 {
	rows := [][3]uint64{{}}
	for i := range len(c.Params) {
		var next [][3]uint64
		for _, row := range rows {
			for _, v := range wideValues[c.Params[i]] {
				row[i] = v
				next = append(next, row)
			}
		}
		rows = next
	}
	return rows
}

func (c wideCase) run(t *testing.T, b *Backend) {
	p := compileText(t, b, "case.comp", c.kernel())
	rows := c.inputs()
	var in []uint32
	for _, row := range rows {
		for _, v := range row {
			in = append(in, uint32(v), uint32(v>>32))
		}
	}
	n := len(rows)
	out, _, err := dispatch(t, p, engine.DispatchConfig{Grid: [3]uint32{uint32(n+31) / 32, 1, 1}}, in, make([]uint32, 2*n))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		got, want := uint64(out[1][2*i])|uint64(out[1][2*i+1])<<32, c.Want(row[0], row[1], row[2])
		if got != want {
			t.Fatalf("%s with a = %#x, b = %#x, c = %#x: got %#x, want %#x", c.Expr, row[0], row[1], row[2], got, want)
		}
	}
}

func TestWideExpressions(t *testing.T) {
	b := openBackend(t, Options{})
	for _, c := range wideCases() {
		t.Run(strings.ReplaceAll(c.Params+" "+c.Expr, "/", "div"), func(t *testing.T) { c.run(t, b) })
	}
}

func wideCases() []wideCase {
	return append(append(doubleCases(), longCases()...), wideConversionCases()...)
}

func doubleCases() []wideCase {
	less := func(x, y float64) bool { return x < y }
	least := func(a, b float64) float64 {
		if less(b, a) {
			return b
		}
		return a
	}
	greatest := func(a, b float64) float64 {
		if less(a, b) {
			return b
		}
		return a
	}
	dot := func(a, b float64) float64 { return float64(a*a) + float64(b*b) }
	one := func(f func(float64) float64) func(a, b, c uint64) uint64 {
		return doubleOf(func(a, _, _ float64) float64 { return f(a) })
	}
	two := func(f func(a, b float64) float64) func(a, b, c uint64) uint64 {
		return doubleOf(func(a, b, _ float64) float64 { return f(a, b) })
	}
	return []wideCase{
		{"dd", "double", "a + b", two(func(a, b float64) float64 { return a + b })},
		{"dd", "double", "a - b", two(func(a, b float64) float64 { return a - b })},
		{"dd", "double", "a * b", two(func(a, b float64) float64 { return a * b })},
		{"dd", "double", "a / b", two(func(a, b float64) float64 { return a / b })},
		{"d", "double", "-a", one(func(a float64) float64 { return -a })},
		{"d", "double", "a++ + a", one(func(a float64) float64 { return a + (a + 1) })},
		{"dd", "bool", "a == b", boolOf(func(a, b float64) bool { return a == b })},
		{"dd", "bool", "a != b", boolOf(func(a, b float64) bool { return a != b })},
		{"dd", "bool", "a < b", boolOf(func(a, b float64) bool { return a < b })},
		{"dd", "bool", "a <= b", boolOf(func(a, b float64) bool { return a <= b })},
		{"dd", "bool", "a > b", boolOf(func(a, b float64) bool { return a > b })},
		{"dd", "bool", "a >= b", boolOf(func(a, b float64) bool { return a >= b })},
		{"dd", "bool", "dvec2(a, b) == dvec2(b, a)", boolOf(func(a, b float64) bool { return a == b })},
		{"dd", "double", "min(a, b)", two(least)},
		{"dd", "double", "max(a, b)", two(greatest)},
		{"ddd", "double", "clamp(a, b, c)", doubleOf(func(a, b, c float64) float64 { return least(greatest(a, b), c) })},
		{"dd", "double", "mix(dvec2(a, 1), dvec2(b), 0.25).x", two(func(a, b float64) float64 { return float64(a*0.75) + float64(b*0.25) })},
		{"dd", "double", "mix(a, b, a < b)", func(a, b, _ uint64) uint64 {
			if f64(a) < f64(b) {
				return b
			}
			return a
		}},
		{"dd", "double", "step(a, b)", func(a, b, _ uint64) uint64 { return d64(float64(1 - truth64(f64(b) < f64(a)))) }},
		{"d", "double", "smoothstep(0.0, 1.0, a)", one(func(a float64) float64 {
			t := least(greatest(a, 0), 1)
			return float64(t*t) * (3 - 2*t)
		})},
		{"ddd", "double", "fma(a, b, c)", doubleOf(math.FMA)},
		{"d", "double", "abs(a)", one(math.Abs)},
		{"d", "double", "sign(a)", one(func(a float64) float64 {
			switch {
			case a > 0:
				return 1
			case a < 0:
				return -1
			}
			return a + 0
		})},
		{"d", "double", "floor(a)", one(math.Floor)},
		{"d", "double", "trunc(a)", one(math.Trunc)},
		{"d", "double", "round(a)", one(math.RoundToEven)},
		{"d", "double", "ceil(a)", one(math.Ceil)},
		{"d", "double", "fract(a)", one(func(a float64) float64 { return a - math.Floor(a) })},
		{"dd", "double", "mod(a, b)", two(func(a, b float64) float64 { return a - float64(b*math.Floor(a/b)) })},
		{"d", "double", "sqrt(a)", one(math.Sqrt)},
		{"d", "double", "inversesqrt(a)", one(func(a float64) float64 { return 1 / math.Sqrt(a) })},
		{"d", "bool", "isnan(a)", boolOf(func(a, _ float64) bool { return a != a })},
		{"d", "bool", "isinf(a)", boolOf(func(a, _ float64) bool { return math.IsInf(a, 0) })},
		{"dd", "double", "dot(dvec2(a, b), dvec2(a, b))", two(dot)},
		{"dd", "double", "length(dvec2(a, b))", two(func(a, b float64) float64 { return math.Sqrt(dot(a, b)) })},
		{"dd", "double", "normalize(dvec2(a, b)).y", two(func(a, b float64) float64 { return b / math.Sqrt(dot(a, b)) })},
		{"dd", "double", "cross(dvec3(a, b, 2), dvec3(b, a, 3)).z", two(func(a, b float64) float64 { return float64(a*a) - float64(b*b) })},
		{"dd", "double", "determinant(dmat2(a, b, b, a))", two(func(a, b float64) float64 { return float64(a*a) - float64(b*b) })},
		{"dd", "double", "(dmat2(a, 1, b, 2) * dvec2(b, a)).x", two(func(a, b float64) float64 { return float64(a*b) + float64(b*a) })},
		{"dd", "double", "dvec4(a, b, 1, 2).wzyx.z", func(_, b, _ uint64) uint64 { return b }},
		{"d", "double", "ldexp(frexp(a, out_), out_)", one(func(a float64) float64 { return a })},
		{"di", "double", "ldexp(a, b)", func(a, b, _ uint64) uint64 { return oneNaN64(math.Ldexp(f64(a), int(int32(b)))) }},
	}
}

// long makes a result of signed operands.
func long(f func(a, b int64) int64) func(a, b, c uint64) uint64 {
	return func(a, b, _ uint64) uint64 { return uint64(f(int64(a), int64(b))) }
}

func longCases() []wideCase {
	unsigned := func(f func(a, b uint64) uint64) func(a, b, c uint64) uint64 {
		return func(a, b, _ uint64) uint64 { return f(a, b) }
	}
	return []wideCase{
		{"ll", "int64_t", "a + b", unsigned(func(a, b uint64) uint64 { return a + b })},
		{"mm", "uint64_t", "a - b", unsigned(func(a, b uint64) uint64 { return a - b })},
		{"ll", "int64_t", "a * b", unsigned(func(a, b uint64) uint64 { _, low := bits.Mul64(a, b); return low })},
		{"ll", "int64_t", "b == 0l ? 5l : a / b", long(func(a, b int64) int64 {
			if b == 0 {
				return 5
			}
			return a / b
		})},
		{"ll", "int64_t", "a / b * b + a % b", long(func(a, b int64) int64 {
			if b == 0 {
				return 0
			}
			return a
		})},
		{"mm", "uint64_t", "a / b * b + a % b", unsigned(func(a, b uint64) uint64 {
			if b == 0 {
				return 0
			}
			return a
		})},
		{"li", "int64_t", "a << b", long(func(a, b int64) int64 { return a << (b & 63) })},
		{"li", "int64_t", "a >> b", long(func(a, b int64) int64 { return a >> (b & 63) })},
		{"mu", "uint64_t", "a >> b", unsigned(func(a, b uint64) uint64 { return a >> (b & 63) })},
		{"mm", "uint64_t", "a << b", unsigned(func(a, b uint64) uint64 { return a << (b & 63) })},
		{"l", "int64_t", "-a", long(func(a, _ int64) int64 { return -a })},
		{"mm", "uint64_t", "a & b | ~a ^ 0xFF00FF00FF00FF00ul", unsigned(func(a, b uint64) uint64 { return a&b | (^a ^ 0xFF00FF00FF00FF00) })},
		{"ll", "bool", "a == b", long(func(a, b int64) int64 { return int64(truth64(a == b)) })},
		{"ll", "bool", "a != b", long(func(a, b int64) int64 { return int64(truth64(a != b)) })},
		{"ll", "bool", "a < b", long(func(a, b int64) int64 { return int64(truth64(a < b)) })},
		{"ll", "bool", "a <= b", long(func(a, b int64) int64 { return int64(truth64(a <= b)) })},
		{"ll", "bool", "a > b", long(func(a, b int64) int64 { return int64(truth64(a > b)) })},
		{"ll", "bool", "a >= b", long(func(a, b int64) int64 { return int64(truth64(a >= b)) })},
		{"mm", "bool", "a < b", unsigned(func(a, b uint64) uint64 { return truth64(a < b) })},
		{"mm", "bool", "a <= b", unsigned(func(a, b uint64) uint64 { return truth64(a <= b) })},
		{"mm", "bool", "a > b", unsigned(func(a, b uint64) uint64 { return truth64(a > b) })},
		{"mm", "bool", "a >= b", unsigned(func(a, b uint64) uint64 { return truth64(a >= b) })},
		{"ll", "bool", "all(equal(i64vec2(a, b), i64vec2(b, a)))", long(func(a, b int64) int64 { return int64(truth64(a == b)) })},
		{"l", "int64_t", "abs(a)", long(func(a, _ int64) int64 { return max(a, -a) })},
		{"l", "int64_t", "sign(a)", long(func(a, _ int64) int64 { return int64(truth64(a > 0)) - int64(truth64(a < 0)) })},
		{"ll", "int64_t", "min(a, b)", long(func(a, b int64) int64 { return min(a, b) })},
		{"ll", "int64_t", "max(a, b)", long(func(a, b int64) int64 { return max(a, b) })},
		{"mm", "uint64_t", "clamp(a, b, max(b, 7ul))", unsigned(func(a, b uint64) uint64 { return min(max(a, b), max(b, 7)) })},
	}
}

func wideConversionCases() []wideCase {
	to := func(f func(a uint64) uint64) func(a, b, c uint64) uint64 {
		return func(a, _, _ uint64) uint64 { return f(a) }
	}
	single := func(f float32) uint64 {
		if f != f {
			return 0x7FC00000
		}
		return uint64(math.Float32bits(f))
	}
	inRange := func(least, greatest float64, convert func(f float64) uint64) func(f float64) uint64 {
		return func(f float64) uint64 {
			if f != f {
				return 0
			}
			return convert(math.Max(least, math.Min(greatest, math.Trunc(f))))
		}
	}
	toLong := inRange(math.MinInt64, math.MaxInt64, func(f float64) uint64 {
		if f >= 1<<63 {
			return math.MaxInt64
		}
		return uint64(int64(f))
	})
	toUlong := inRange(0, math.MaxUint64, func(f float64) uint64 {
		if f >= 1<<64 {
			return math.MaxUint64
		}
		return uint64(f)
	})
	return []wideCase{
		{"f", "double", "double(a)", to(func(a uint64) uint64 { return oneNaN64(float64(math.Float32frombits(uint32(a)))) })},
		{"d", "float", "float(a)", to(func(a uint64) uint64 { return single(float32(f64(a))) })},
		{"i", "double", "a", to(func(a uint64) uint64 { return d64(float64(int32(a))) })},
		{"u", "double", "a", to(func(a uint64) uint64 { return d64(float64(uint32(a))) })},
		{"l", "double", "a", to(func(a uint64) uint64 { return d64(float64(int64(a))) })},
		{"m", "double", "a", to(func(a uint64) uint64 { return d64(float64(a)) })},
		{"d", "int", "int(a)", to(func(a uint64) uint64 {
			return inRange(math.MinInt32, math.MaxInt32, func(f float64) uint64 { return uint64(uint32(int32(f))) })(f64(a))
		})},
		{"d", "uint", "uint(a)", to(func(a uint64) uint64 {
			return inRange(0, math.MaxUint32, func(f float64) uint64 { return uint64(uint32(f)) })(f64(a))
		})},
		{"d", "bool", "bool(a)", to(func(a uint64) uint64 { return truth64(f64(a) != 0) })},
		{"d", "int64_t", "int64_t(a)", to(func(a uint64) uint64 { return toLong(f64(a)) })},
		{"d", "uint64_t", "uint64_t(a)", to(func(a uint64) uint64 { return toUlong(f64(a)) })},
		{"f", "int64_t", "int64_t(a)", to(func(a uint64) uint64 { return toLong(float64(math.Float32frombits(uint32(a)))) })},
		{"i", "int64_t", "a", to(func(a uint64) uint64 { return uint64(int64(int32(a))) })},
		{"u", "uint64_t", "a", to(func(a uint64) uint64 { return uint64(uint32(a)) })},
		{"l", "int", "int(a)", to(func(a uint64) uint64 { return uint64(uint32(a)) })},
		{"m", "bool", "bool(a)", to(func(a uint64) uint64 { return truth64(a != 0) })},
		{"l", "float", "float(a)", to(func(a uint64) uint64 { return single(float32(int64(a))) })},
		{"m", "float", "float(a)", to(func(a uint64) uint64 { return single(float32(a)) })},
		{"d", "int64_t", "doubleBitsToInt64(a)", to(func(a uint64) uint64 { return a })},
		{"d", "uint64_t", "doubleBitsToUint64(a)", to(func(a uint64) uint64 { return a })},
		{"l", "double", "int64BitsToDouble(a)", to(func(a uint64) uint64 { return a })},
		{"m", "double", "uint64BitsToDouble(a)", to(func(a uint64) uint64 { return a })},
		{"d", "double", "double(dmat2(mat2(a))[1].y)", to(func(a uint64) uint64 { return oneNaN64(float64(float32(f64(a)))) })},
	}
}

// TestFoldedWideExpressionsGiveTheSame: what the front end folds is what the same expression gives at run time.
func TestFoldedWideExpressionsGiveTheSame(t *testing.T) {
	b := openBackend(t, Options{})
	for _, c := range wideCases() {
		if strings.Contains(c.Expr, "out_") || changesVariables.MatchString(c.Expr) {
			continue
		}
		t.Run(strings.ReplaceAll(c.Params+" "+c.Expr, "/", "div"), func(t *testing.T) { c.runFolded(t, b) })
	}
}

func (c wideCase) runFolded(t *testing.T, b *Backend) {
	rows := c.inputs()
	step := 1 + len(rows)/foldedRows
	var text strings.Builder
	var want []uint64
	for at := 0; at < len(rows); at += step {
		text.WriteString("  { ")
		for k := range len(c.Params) {
			t, v := wideTypes[c.Params[k]], rows[at][k]
			fmt.Fprintf(&text, "const %s %c = %s; ", t.name, 'a'+k, fmt.Sprintf(t.from, fmt.Sprintf("uvec2(%du, %du)", uint32(v), uint32(v>>32))))
		}
		fmt.Fprintf(&text, "%s r = %s; result[%d] = %s; }\n", c.Result, c.Expr, len(want), fmt.Sprintf(wideResults[c.Result], "r"))
		want = append(want, c.Want(rows[at][0], rows[at][1], rows[at][2]))
	}
	kernel := "#version 450\n#extension GL_ARB_gpu_shader_int64 : require\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Out { uvec2 result[]; };\nvoid main() {\n" + text.String() + "}\n"
	out, _, err := dispatch(t, compileText(t, b, "folded.comp", kernel), engine.DispatchConfig{}, make([]uint32, 2*len(want)))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if got := uint64(out[0][2*i]) | uint64(out[0][2*i+1])<<32; got != w {
			t.Fatalf("%s: row %d folded to %#x, want %#x", c.Expr, i*step, got, w)
		}
	}
}
