package reference

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// exprCase is a GLSL expression over a, b and c and what it must give. Params has one letter for each
// variable used, i, u or f; Result is the GLSL type of the expression's components. Before the
// expression, Setup may run; it may set out, a variable of type Out.
type exprCase struct {
	Params string
	Result string
	Expr   string
	Want   func(a, b, c uint32) uint32
	Setup  string
}

var interesting = map[byte][]uint32{
	'i': {0, 1, 2, 7, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFF9, 0x12345678},
	'u': {0, 1, 2, 5, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xDEADBEEF},
	'f': {0, 0x80000000, f32(1), f32(-1), f32(0.5), f32(1.5), f32(-2.5), f32(2.5), f32(7.25), f32(3e9), f32(-5e9),
		f32(math.MaxFloat32), 1 /* least denormal */, 0x7F800000, 0xFF800000, 0x7FC00001},
}

func f32(f float64) uint32 { return math.Float32bits(float32(f)) }

// inputsFor lists all combinations of interesting values for the parameters, three words each.
func inputsFor(params string) []uint32 {
	rows := [][3]uint32{{}}
	for i := range len(params) {
		var next [][3]uint32
		for _, row := range rows {
			for _, v := range interesting[params[i]] {
				row[i] = v
				next = append(next, row)
			}
		}
		rows = next
	}
	var words []uint32
	for _, row := range rows {
		words = append(words, row[:]...)
	}
	return words
}

// fromWord and toWord reinterpret between a GLSL type and the uint that carries its bits.
var (
	fromWord = map[string]string{"i": "int(%s)", "u": "%s", "f": "uintBitsToFloat(%s)"}
	toWord   = map[string]string{"int": "uint(%s)", "uint": "%s", "float": "floatBitsToUint(%s)", "bool": "uint(%s)"}
)

// kernel writes the kernel of a case. With masked set, odd and even lanes evaluate it one after the other.
func (c exprCase) kernel(masked bool) string {
	var b strings.Builder
	b.WriteString(`#version 450
#extension GL_AMD_shader_trinary_minmax : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uint given[]; };
layout(std430, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= uint(result.length())) return;
`)
	types := map[byte]string{'i': "int", 'u': "uint", 'f': "float"}
	for k := range len(c.Params) {
		word := fmt.Sprintf("given[3u * i + %du]", k)
		fmt.Fprintf(&b, "  %s %c = %s;\n", types[c.Params[k]], 'a'+k, fmt.Sprintf(fromWord[c.Params[k:k+1]], word))
	}
	body := fmt.Sprintf("%s\n  result[i] = %s;\n", c.Setup, fmt.Sprintf(toWord[c.Result], c.Expr))
	if masked {
		body = fmt.Sprintf("if ((i & 1u) == 0u) { %s } else { %s }\n", body, body)
	}
	b.WriteString("  " + body + "}\n")
	return b.String()
}

func TestExpressions(t *testing.T) {
	b := openBackend(t, Options{})
	cases := exprCases()
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.Setup+c.Expr, "/", "div"), func(t *testing.T) {
			c.run(t, b, false)
			c.run(t, b, true)
		})
	}
}

func (c exprCase) run(t *testing.T, b *Backend, masked bool) {
	p := compileText(t, b, "case.comp", c.kernel(masked))
	in := inputsFor(c.Params)
	n := len(in) / 3
	cfg := engine.DispatchConfig{Grid: [3]uint32{uint32(n+31) / 32, 1, 1}}
	out, _, err := dispatch(t, p, cfg, in, make([]uint32, n))
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, got := range out[1] {
		want := c.Want(in[3*i], in[3*i+1], in[3*i+2])
		if got != want && wrong < 5 {
			wrong++
			t.Errorf("%s with a = %#x, b = %#x, c = %#x: got %#x, want %#x", c.Expr, in[3*i], in[3*i+1], in[3*i+2], got, want)
		}
	}
}

// Every operation of the machine and every built-in function must be met by a case of this package.
func TestEveryOperationHasACase(t *testing.T) {
	b := openBackend(t, Options{})
	ops, builtins := map[vm.Op]bool{}, map[tree.BuiltinID]bool{}
	for _, c := range exprCases() {
		note(compileText(t, b, "case.comp", c.kernel(false)), ops, builtins)
	}
	for _, c := range wideCases() {
		note(compileText(t, b, "case.comp", c.kernel()), ops, builtins)
	}
	for name, text := range scriptKernels(t) {
		note(compileText(t, b, name, text), ops, builtins)
	}
	for op := range vm.Ops {
		if !ops[vm.Op(op)] {
			t.Errorf("no case uses operation %s", vm.Op(op))
		}
	}
	for i := range tree.Builtins {
		if !builtins[tree.BuiltinID(i)] {
			t.Errorf("no case uses built-in %s", tree.Builtins[i].Name)
		}
	}
}

// note adds what a program uses.
func note(p *Pipeline, ops map[vm.Op]bool, builtins map[tree.BuiltinID]bool) {
	for _, in := range p.Code().Instrs {
		ops[in.Op] = true
	}
	for _, f := range p.Program().Tree.Functions {
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			for _, e := range tree.Exprs(s) {
				tree.Inspect(e, func(e tree.Expr) bool {
					switch x := e.(type) {
					case *tree.BuiltinCall:
						builtins[x.Builtin.ID] = true
					case *tree.Atomic:
						builtins[x.Builtin.ID] = true
					}
					return true
				})
			}
		})
	}
}
