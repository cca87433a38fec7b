package reference

import (
	"fmt"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
)

// wholeVector are the built-ins that are not applied component by component.
var wholeVector = map[tree.Family]bool{tree.FamilyGeometric: true, tree.FamilyMatrix: true, tree.FamilyPacking: true, tree.FamilyAtomic: true, tree.FamilyBarrier: true, tree.FamilySubgroup: true}

// Every overload of a componentwise built-in must give, in each component, what its scalar form gives; for
// the relational functions that is the operator.
func TestVectorOverloadsMatchScalarOnes(t *testing.T) {
	b := openBackend(t, Options{})
	for i := range tree.Builtins {
		f := &tree.Builtins[i]
		if wholeVector[f.Family] || f.ID == tree.FnAny || f.ID == tree.FnAll {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			for k := range f.Signatures {
				checkOverload(t, b, f, &f.Signatures[k])
			}
		})
	}
}

// checkOverload runs a kernel that calls an overload on vectors and on their components and counts the
// components that differ.
func checkOverload(t *testing.T, b *Backend, f *tree.Builtin, s *tree.Signature) {
	width := 1
	for _, p := range s.Params {
		width = max(width, p.Type.Width)
	}
	if width == 1 {
		return
	}
	text := overloadKernel(f, s, width)
	in := make([]uint32, 16*16)
	for i := range in {
		in[i] = []uint32{0, 1, 7, 0x80000000, f32(1.5), f32(-2.5), f32(1e9), 0xFFFFFFFF, 3, f32(0.25), 30, 0x7F800000, 12}[i*i%13]
	}
	out, _, err := dispatch(t, compileText(t, b, f.Name+".comp", text), engine.DispatchConfig{}, in, make([]uint32, 1))
	if err != nil {
		t.Fatal(err)
	}
	if out[1][0] != 0 {
		t.Errorf("%d components of %s%v differ from the scalar form\n%s", out[1][0], f.Name, s.Params, text)
	}
}

func overloadKernel(f *tree.Builtin, s *tree.Signature, width int) string {
	var b strings.Builder
	b.WriteString(`#version 450
#extension GL_AMD_shader_trinary_minmax : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uvec4 given[]; };
layout(std430, binding = 1) buffer Out { uint wrong; };
uint bits(bool x) { return uint(x); }
uint bits(int x) { return uint(x); }
uint bits(uint x) { return x; }
uint bits(float x) { return floatBitsToUint(x); }
uint bits(uint64_t x) { return uint(x) ^ uint(x >> 32) * 31u; }
uint bits(int64_t x) { return bits(uint64_t(x)); }
uint bits(double x) { return bits(doubleBitsToUint64(x)); }
double wide(uint x, uint y) { return packDouble2x32(uvec2(y, x)); }
void main() {
  uint i = gl_LocalInvocationIndex * 4u;
`)
	var whole, parts []string
	for k, p := range s.Params {
		declareParam(&b, k, p)
		whole = append(whole, fmt.Sprintf("p%d", k))
		parts = append(parts, component(fmt.Sprintf("p%d", k), p))
	}
	call, single := fmt.Sprintf("%s(%s)", f.Name, strings.Join(whole, ", ")), scalarForm(f.Name, parts)
	if s.Result.Class != tree.ClassVoid {
		fmt.Fprintf(&b, "  %s r = %s;\n", s.Result, call)
	} else {
		fmt.Fprintf(&b, "  %s;\n", call)
	}
	for c := range width {
		scalar := strings.ReplaceAll(single, "$", "["+fmt.Sprint(c)+"]")
		if s.Result.Class != tree.ClassVoid {
			fmt.Fprintf(&b, "  if (bits(r[%d]) != bits(%s)) atomicAdd(wrong, 1u);\n", c, scalar)
		} else {
			fmt.Fprintf(&b, "  %s;\n", scalar)
		}
		for k, p := range s.Params {
			if p.Mode == tree.ModeOut {
				fmt.Fprintf(&b, "  if (bits(p%d[%d]) != bits(s%d)) atomicAdd(wrong, 1u);\n", k, c, k)
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}

var readWord = map[tree.Kind]string{
	tree.KindBool: "bvec4(given[i + %du] & 1u)", tree.KindInt: "ivec4(given[i + %du])",
	tree.KindUint: "given[i + %du]", tree.KindFloat: "uintBitsToFloat(given[i + %du])",
	tree.KindInt64:  "i64vec4(given[i + %du]) * 0x100000001l",
	tree.KindUint64: "u64vec4(given[i + %du]) * 0x100000001ul",
	tree.KindDouble: "dvec4(wide(given[i + %[1]du].x, i), wide(given[i + %[1]du].y, 1u), wide(given[i + %[1]du].z, 2u), wide(given[i + %[1]du].w, 3u))",
}

// declareParam declares the argument for a parameter, and for an out parameter the scalar one too.
func declareParam(b *strings.Builder, k int, p tree.Param) {
	if p.Mode == tree.ModeOut {
		fmt.Fprintf(b, "  %s p%d; %s s%d;\n", p.Type, k, p.Type.Element(), k)
		return
	}
	lanes := "xyzw"[:p.Type.Width]
	fmt.Fprintf(b, "  %s p%d = (%s).%s;\n", p.Type, k, fmt.Sprintf(readWord[p.Type.Kind], k), lanes)
}

// component names the scalar argument; $ stands for the index of the component.
func component(name string, p tree.Param) string {
	switch {
	case p.Mode == tree.ModeOut:
		return "s" + name[1:]
	case p.Type.IsScalar():
		return name
	default:
		return name + "$"
	}
}

// relational gives the operators that the vector relational functions stand for.
var relational = map[string]string{"lessThan": "<", "lessThanEqual": "<=", "greaterThan": ">",
	"greaterThanEqual": ">=", "equal": "==", "notEqual": "!="}

func scalarForm(name string, parts []string) string {
	if op, ok := relational[name]; ok {
		return fmt.Sprintf("(%s %s %s)", parts[0], op, parts[1])
	}
	if name == "not" {
		return "!" + parts[0]
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(parts, ", "))
}
