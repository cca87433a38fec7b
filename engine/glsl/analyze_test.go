package glsl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

const analyzed = `#version 450
#define N 4
layout(local_size_x = N) in;
struct S { vec3 a; uint b; };
layout(std430, binding = 0) buffer Data { uint n; S items[]; };
layout(std430, binding = 1) buffer Other { uint m; } other;
uint twice(uint x);
void main() {
    uint i = gl_GlobalInvocationID.x;
    for (uint k = 0u; k < N; k++) {
        items[i].b = twice(other.m) + max(k, n);
        other.
    }
    vec4 v = wrong + items[i].;
    uint last = twice(i);
}
uint twice(uint x) { return x * 2u; }
`

// TestNamesAreKnownBesideErrors analyzes a text in which two statements are not complete: what stands around them is
// known all the same.
func TestNamesAreKnownBesideErrors(t *testing.T) {
	a := Analyze(&source.File{Name: "k", Text: analyzed}, Options{})
	if a.Program != nil || len(a.Diagnostics.Errors()) < 3 {
		t.Errorf("diagnostics are\n%v", a.Diagnostics)
	}
	for _, c := range []struct {
		line, col int
		want      string // where it is declared
	}{
		{11, 11, "items k:5:53"}, {11, 18, "b k:4:25"}, {11, 23, "twice k:17:6"}, {11, 34, "m k:6:49"}, {11, 39, "max -"}, {11, 44, "k k:10:15"},
		{12, 9, "other k:6:54"}, {15, 23, "i k:9:10"}, {10, 27, "N k:2:9"}, {17, 29, "x k:17:17"}, {5, 51, "S k:4:8"},
	} {
		u, ok := a.UseAt(source.Pos{File: "k", Line: c.line, Col: c.col})
		got := ""
		if ok {
			got = u.Symbol.Name + " " + u.Symbol.Pos.String()
		}
		if got != c.want {
			t.Errorf("%d:%d is %q, want %q", c.line, c.col, got, c.want)
		}
	}
	if _, block := a.Dotted(source.Pos{File: "k", Line: 12, Col: 14}); block == nil || block.Name != "Other" {
		t.Errorf("the block before the dot is %v, want Other", block)
	}
	if value, _ := a.Dotted(source.Pos{File: "k", Line: 14, Col: 30}); value == nil || value.String() != "S" {
		t.Errorf("the value before the dot is of type %v, want S", value)
	}
}

func TestVisibleNamesEndWithTheirScope(t *testing.T) {
	a := Analyze(&source.File{Name: "k", Text: analyzed}, Options{})
	for _, c := range []struct {
		line, col int
		has, not  string
	}{
		{11, 5, "i k twice items n other S N main gl_WorkGroupID", "x m Data last a"},
		{15, 5, "i twice", "k last"},
		{5, 1, "S N", "items twice"},
		{17, 25, "x main", "i k"},
	} {
		names := map[string]bool{}
		for _, s := range a.Visible(source.Pos{File: "k", Line: c.line, Col: c.col}) {
			names[s.Name] = true
		}
		for name := range strings.FieldsSeq(c.has) {
			if !names[name] {
				t.Errorf("%d:%d: %s is not visible", c.line, c.col, name)
			}
		}
		for name := range strings.FieldsSeq(c.not) {
			if names[name] {
				t.Errorf("%d:%d: %s is visible", c.line, c.col, name)
			}
		}
	}
}

func TestUsesAreInAllFiles(t *testing.T) {
	o := Options{Options: preprocess.Options{Resolver: memory{"part.glsl": "#define TWO 2u\nuint f(uint a) { return TWO * a; }\n#ifdef TWO\n#endif\n"}}}
	a := Analyze(&source.File{Name: "k", Text: "#version 450\n#include \"part.glsl\"\nlayout(local_size_x = 1) in;\nvoid main() { uint b = f(TWO); f(b); }\n"}, o)
	var got []string
	for _, name := range []string{"f", "TWO"} {
		for _, s := range a.Symbols {
			if s.Name != name {
				continue
			}
			for _, u := range a.Uses(s) {
				got = append(got, fmt.Sprint(name, " ", u.Pos, " ", u.Declares))
			}
		}
	}
	want := []string{
		"f k:4:24 false", "f k:4:32 false", "f part.glsl:2:6 true",
		"TWO k:4:26 false", "TWO part.glsl:1:9 true", "TWO part.glsl:2:25 false", "TWO part.glsl:3:8 false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if file, ok := a.IncludeAt("k", 2); !ok || file != "part.glsl" {
		t.Errorf("line 2 includes %q", file)
	}
}

// memory resolves included files by their names.
type memory map[string]string

// Resolve implements preprocess.Resolver.
func (m memory) Resolve(name, _ string) (*source.File, error) {
	return &source.File{Name: name, Text: m[name]}, nil
}

// FuzzAnalyze analyzes any text, and asks for every place in it.
func FuzzAnalyze(f *testing.F) {
	f.Add(analyzed)
	f.Add("#version 450\n#define A(x) x.\nvoid main() { struct S { uint a; } s; A(s)a; image2D")
	f.Add("#version 450\nuniform uint a, b = 2u;\nlayout(binding = 0, r32ui) uniform uimage2D im;\nbuffer B { uint x[]; } b[3];\nvoid main() { b[1].x[0] = a; (b[2]).x; imageLoad(im, ivec2(")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		compiled, err := Compile(&source.File{Name: "k", Text: text}, Options{})
		a := Analyze(&source.File{Name: "k", Text: text}, Options{})
		if (err == nil) != (a.Program != nil) {
			t.Fatalf("Compile gives %v, %v, and Analyze %v", compiled, err, a.Diagnostics)
		}
		for n, l := range strings.Split(text, "\n") {
			for _, col := range []int{1, len(l)/2 + 1, len(l) + 1} {
				at := source.Pos{File: "k", Line: n + 1, Col: col}
				if u, ok := a.UseAt(at); ok && (u.Pos.Line != at.Line || u.Symbol == nil) {
					t.Fatalf("%v names %+v", at, u)
				}
				a.Dotted(at)
			}
		}
		for _, s := range a.Visible(source.Pos{File: "k", Line: strings.Count(text, "\n") + 1, Col: 1}) {
			if s.Kind == SymbolVariable && s.Variable.Type == nil || s.Kind == SymbolMember && s.Struct == nil {
				t.Fatalf("%+v is not complete", s)
			}
		}
	})
}

func TestWordsNameNoUnknownType(t *testing.T) {
	for _, w := range Words(WordType) {
		if TypeWord(w) == nil {
			t.Errorf("%s names no type", w)
		}
	}
	for _, w := range Words(WordFunction) {
		if tree.LookupBuiltin(w) == nil && w != debugfName && w != breakpointName {
			t.Errorf("%s is not a built-in function", w)
		}
	}
}
