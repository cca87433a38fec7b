//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"vyretop/engine"
)

// native is a function of the device whose error can be measured.
type native struct {
	name string // as engine.Floats.Bounds has it
	text string // GLSL of x and y
	true func(x, y float64) float64
	in   func(x, y float64) bool // the domain that GLSL gives it
}

func anywhere(x, y float64) bool { return true }
func positive(x, y float64) bool { return x > 0 }
func unit(x, y float64) bool     { return math.Abs(x) < 1 }

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// natives are measured against float64, which has 29 bits more.
var natives = []native{
	{"/", "x / y", func(x, y float64) float64 { return x / y }, anywhere},
	{"sqrt", "sqrt(x)", one(math.Sqrt), positive},
	{"inversesqrt", "inversesqrt(x)", one(func(x float64) float64 { return 1 / math.Sqrt(x) }), positive},
	{"pow", "pow(x, y)", math.Pow, positive},
	{"exp", "exp(x)", one(math.Exp), anywhere},
	{"log", "log(x)", one(math.Log), positive},
	{"exp2", "exp2(x)", one(math.Exp2), anywhere},
	{"log2", "log2(x)", one(log2), positive},
	{"sin", "sin(x)", one(math.Sin), anywhere},
	{"cos", "cos(x)", one(math.Cos), anywhere},
	{"tan", "tan(x)", one(math.Tan), anywhere},
	{"asin", "asin(x)", one(math.Asin), unit},
	{"acos", "acos(x)", one(math.Acos), unit},
	{"atan", "atan(x)", one(math.Atan), anywhere},
	{"atan2", "atan(x, y)", math.Atan2, anywhere},
	{"sinh", "sinh(x)", one(math.Sinh), anywhere},
	{"cosh", "cosh(x)", one(math.Cosh), anywhere},
	{"tanh", "tanh(x)", one(math.Tanh), anywhere},
	{"asinh", "asinh(x)", one(math.Asinh), anywhere},
	{"acosh", "acosh(x)", one(math.Acosh), func(x, _ float64) bool { return x > 1 }},
	{"atanh", "atanh(x)", one(math.Atanh), unit},
}

// log2 is good near 1 too, where math.Log2 loses bits.
func log2(x float64) float64 {
	if math.Abs(x-1) < 0.5 {
		return math.Log1p(x-1) / math.Ln2
	}
	return math.Log2(x)
}

// boundRows is how many arguments each function is measured on.
const boundRows = 1 << 15

// measureBounds measures the error of the device's functions over the whole range of arguments and
// doubles what it finds, for the arguments that it did not try. Functions whose error is not below 255
// units in the last place then have no bound.
func (b *Backend) measureBounds(ctx context.Context) (found map[string]uint8, err error) {
	p := &engine.Program{Name: "probe bounds", Text: boundsText(), WorkgroupSize: [3]uint32{64, 1, 1}}
	for i := range 2 {
		p.Buffers = append(p.Buffers, engine.BufferSpec{Name: fmt.Sprint(i), Binding: uint32(i), MinWords: 1})
	}
	rows := boundArguments()
	l, err := b.labOf(ctx, p, labBuffer{len(rows), engine.HostVisible}, labBuffer{boundRows * len(natives), engine.HostVisible})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.buffers[0].Words().CopyFrom(0, rows)
	if _, err := l.run(boundRows / 64); err != nil {
		return nil, err
	}
	got := make([]uint32, boundRows*len(natives))
	l.buffers[1].Words().CopyTo(got, 0)
	found = map[string]uint8{}
	for i := range natives {
		if bound := math.Ceil(2 * natives[i].worst(rows, got[i*boundRows:][:boundRows])); bound < 255 {
			found[natives[i].name] = uint8(max(bound, 1))
		}
	}
	return found, nil
}

// boundsText is a kernel that applies every function to every row.
func boundsText() string {
	var t strings.Builder
	fmt.Fprintf(&t, `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Rows { vec2 rows[]; };
layout(std430, binding = 1) buffer Results { float results[]; };
void main() {
	uint at = gl_GlobalInvocationID.x;
	float x = rows[at].x, y = rows[at].y;
`)
	for i := range natives {
		fmt.Fprintf(&t, "\tresults[%du + at] = %s;\n", i*boundRows, natives[i].text)
	}
	t.WriteString("}\n")
	return t.String()
}

// boundArguments are pairs of normal floats: every second of a size in which most functions are of use.
func boundArguments() []uint32 {
	r := rand.New(rand.NewPCG(3, 4))
	rows := make([]uint32, 2*boundRows)
	for i := range rows {
		e := 1 + r.Uint32N(254)
		if i/2%2 == 0 {
			e = 117 + r.Uint32N(20)
		}
		rows[i] = r.Uint32()&0x807FFFFF | e<<23
	}
	return rows
}

// worst is the greatest error, in units in the last place, where the true value is a normal float.
func (n *native) worst(rows, got []uint32) float64 {
	const least, most = 0x1p-126, math.MaxFloat32
	worst := 0.0
	for i, word := range got {
		x, y := float64(math.Float32frombits(rows[2*i])), float64(math.Float32frombits(rows[2*i+1]))
		want := n.true(x, y)
		if !n.in(x, y) || !(math.Abs(want) >= least && math.Abs(want) <= most) {
			continue
		}
		unit := math.Ldexp(1, math.Ilogb(want)-23)
		if e := math.Abs(float64(math.Float32frombits(word))-want) / unit; !(e <= worst) {
			worst = e // NaN too, and nothing is worse
		}
		if worst != worst {
			return math.Inf(1)
		}
	}
	return worst
}
