package narrow_test

import (
	"strings"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

const text = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
struct S { int8_t a[3]; f16vec3 v; f16mat2 m; uint n; };
layout(std430, binding = 0) buffer B { uint8_t head; S list[]; };
layout(std140, binding = 1) uniform U { float16_t scale; i16vec2 d; };
const f16vec2 fixedV = f16vec2(1, 0.1);
shared u8vec4 tile[8];
float16_t start = scale * 2.0hf + list[d.x].v.y;
int twice(int x) { return x * 2; }
int8_t twice(int8_t x) { return x * int8_t(2); }
void change(inout int8_t x, out f16vec3 v, out int8_t n) { x = twice(x); v = f16vec3(fixedV, start); n = x; }
void main() {
  uint i = gl_LocalInvocationIndex, k = 0u;
  S s = list[i];
  u16vec2 pair = u16vec2(d++ + i16vec2(s.a[1]));
  change(list[i].a[k++], list[i].v, pair.xy.y);
  s.m *= s.m; s.a[i % 3u] <<= 3; s.v.zx = -s.v.xy;
  list[s.a[0]] = s;
  head += uint8_t(list.length());
  tile[i] = u8vec4(s.a[0], s.a[1], s.v.x, list[i].n++);
}
`

// TestNothingNarrowRemains: all that a program computes has 32 bits or more, and its accesses of packed blocks are to their words.
func TestNothingNarrowRemains(t *testing.T) {
	u, err := glsl.Compile(&source.File{Name: "k.comp", Text: text}, glsl.Options{})
	if err == nil || u != nil && u.Program != nil {
		t.Fatal("a uniform was changed")
	}
	u, err = glsl.Compile(&source.File{Name: "k.comp", Text: replaced(text)}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	visit := func(e tree.Expr) bool {
		seen++
		if ref, ok := e.(*tree.BufferRef); ok {
			if ref.Buffer.Packed != nil {
				t.Errorf("%v: a member of the text remains", e.Pos())
			}
			return true
		}
		if e.Type().HasNarrow() {
			t.Errorf("%v: a value of type %v remains", e.Pos(), e.Type())
		}
		return true
	}
	for i := range u.Program.Globals {
		tree.Inspect(u.Program.Globals[i].Init, visit)
	}
	for _, f := range u.Program.Functions {
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			for _, e := range tree.Exprs(s) {
				tree.Inspect(e, visit)
			}
		})
		for _, v := range append(f.Params, f.Locals...) {
			if v.Type.HasNarrow() {
				t.Errorf("%s has type %v", v.Name, v.Type)
			}
		}
	}
	if seen < 200 {
		t.Errorf("%d expressions", seen)
	}
}

// replaced is the text without its change of a uniform.
func replaced(text string) string { return strings.Replace(text, "d++ +", "d +", 1) }
