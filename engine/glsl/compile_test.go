package glsl

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// files is a preprocess.Resolver over texts in memory.
type files map[string]string

func (m files) Resolve(name, from string) (*source.File, error) {
	text, ok := m[name]
	if !ok {
		return nil, preprocess.NotFound(name)
	}
	return &source.File{Name: name, Text: text}, nil
}

func compile(t *testing.T, text string, o Options) *Unit {
	t.Helper()
	u, err := Compile(&source.File{Name: "k.comp", Text: text}, o)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func compileErrors(t *testing.T, text string, o Options) source.Diagnostics {
	t.Helper()
	_, err := Compile(&source.File{Name: "k.comp", Text: text}, o)
	var ds source.Diagnostics
	if !errors.As(err, &ds) {
		t.Fatalf("err = %v, want diagnostics", err)
	}
	return ds
}

// Errors in included files and in macros are reported where a person can correct them.
func TestPositionsThroughIncludesAndMacros(t *testing.T) {
	resolver := files{"lib/a.glsl": "#include \"lib/b.glsl\"\nint a() { return b(true); }\n", "lib/b.glsl": "\n  int b(int x) { return y; }\n"}
	text := `#version 450
layout(local_size_x = 1) in;
#include "lib/a.glsl"
#define TWICE(x) ((x) + (x))
#define BAD (1 + true)
void main() {
    int i = TWICE(unknown);
    i = BAD;
#extension GL_GOOGLE_cpp_style_line_directive : enable
#line 100 "other.glsl"
    i = false;
}
`
	var got []string
	for _, d := range compileErrors(t, text, Options{Options: preprocess.Options{Resolver: resolver}}) {
		place := d.Pos.String()
		if d.Pos.Macro != "" {
			place += " in " + d.Pos.Macro
		}
		got = append(got, place)
	}
	want := []string{"lib/b.glsl:2:25", "lib/a.glsl:2:18", "k.comp:7:19", "k.comp:8:9 in BAD", "other.glsl:100:9"}
	if !slices.Equal(got, want) {
		t.Errorf("errors at %q, want %q", got, want)
	}
}

// The tree and the driver's text have the same loop guards, and each line of the text leads back to
// its source.
func TestUnitShowsGuardsAndLines(t *testing.T) {
	text := `#version 450
layout(local_size_x = 1) in;
int left = 9;
bool vt_tick() { return left-- > 0; }
void main() {
    for (int i = 0; i < 3; i++) {
    }
}
`
	u := compile(t, text, Options{Options: preprocess.Options{GuardLoops: func(string) bool { return true }}, Header: []string{"// header"}})
	if want := "vt_tick() && (i < 3)"; !strings.Contains(u.Text, want) {
		t.Errorf("no %q in\n%s", want, u.Text)
	}
	if want := "for (vt_tick() && (i < 3)) @6:5"; !strings.Contains(tree.Format(u.Program), want) {
		t.Errorf("no %q in\n%s", want, tree.Format(u.Program))
	}
	lines := strings.Split(u.Text, "\n")
	if !strings.HasPrefix(u.Text, "#version 450\n// header\n") {
		t.Errorf("the text begins with %q", lines[:2])
	}
	for i, line := range lines {
		if strings.Contains(line, "for (") && u.Lines.Pos(i+1).Line != 6 {
			t.Errorf("line %d of the text leads to %s", i+1, u.Lines.Pos(i+1))
		}
	}
}

// What a Program says about itself besides functions.
func TestProgramInventory(t *testing.T) {
	u := compile(t, `#version 450
#extension GL_ARB_compute_shader : enable
layout(local_size_x = 8, local_size_z = 2) in;
layout(std430, binding = 7) readonly buffer In { uint n; float data[]; } source;
shared ivec4 part[8];
const uint LIMIT = 5u;
int counter = 3;
void helper(inout uint x) { x <<= 1; }
void main() { uint x = LIMIT; helper(x); atomicAdd(part[0].y, 2); }
`, Options{})
	p := u.Program
	if p.LocalSize != [3]uint32{8, 1, 2} || p.Main.Name != "main" || len(p.Functions) != 2 {
		t.Errorf("size %v, main %v, %d functions", p.LocalSize, p.Main, len(p.Functions))
	}
	if !slices.Equal(p.Main.Calls, []*tree.Function{p.Functions[0]}) {
		t.Errorf("main calls %v", p.Main.Calls)
	}
	b := p.Buffers[0]
	if b.Binding != 7 || b.RuntimeArray().Name != "data" || !b.MemberMemory(0).Has(tree.ReadOnly) {
		t.Errorf("buffer %+v", b)
	}
	if len(p.Shared) != 1 || len(p.Constants) != 1 || p.Constants[0].Value.Bits[0] != 5 || len(p.Globals) != 1 {
		t.Errorf("shared %v, constants %v, globals %v", p.Shared, p.Constants, p.Globals)
	}
	if want := []string{"atomic.Add.shared", "binary.<<.uint", "call"}; !slices.Equal(p.Operations, want) {
		t.Errorf("operations %q, want %q", p.Operations, want)
	}
	if !slices.Equal(p.Extensions, []string{"GL_ARB_compute_shader"}) {
		t.Errorf("extensions %q", p.Extensions)
	}
}

// A debugger shows a variable from after its declarator to the end of its block.
func TestVariableScopes(t *testing.T) {
	u := compile(t, `#version 450
layout(local_size_x = 1) in;
void main() {
    int a = 1;
    for (int i = 0; i < a; i++) {
        int b = i;
    }
    if (a > 0) {
        int c = a;
        a = c;
    }
}
`, Options{})
	want := map[string][2]int{"a": {4, 12}, "i": {5, 7}, "b": {6, 7}, "c": {9, 11}}
	for _, v := range u.Program.Main.Locals {
		if got := [2]int{v.Scope.Start.Line, v.Scope.End.Line}; got != want[v.Name] {
			t.Errorf("%s is visible in lines %v, want %v", v.Name, got, want[v.Name])
		}
	}
}

// A kernel that only a driver can run keeps its text; one that is wrong has none.
func TestOutsideSubsetKeepsTheText(t *testing.T) {
	const head = "#version 450\nlayout(local_size_x = 1) in;\n"
	const block = "layout(std430, binding = 3) buffer B { uint d[]; } b;\n"
	u, err := Compile(&source.File{Name: "k.comp", Text: head + block + "layout(binding = 0) uniform atomic_uint m;\nvoid main() { uint v = atomicCounter(m); }\n"}, Options{})
	if err == nil || u == nil || u.Program != nil || !strings.Contains(u.Text, "uniform atomic_uint m;") {
		t.Fatalf("unit %+v, err %v", u, err)
	}
	if len(u.Buffers) != 1 || u.Buffers[0].Binding != 3 || u.LocalSize != [3]uint32{1, 1, 1} {
		t.Errorf("buffers %v, workgroup %v", u.Buffers, u.LocalSize)
	}
	u, err = Compile(&source.File{Name: "k.comp", Text: head + "uniform dmat4 m;\nvoid main() { int i = 1.0; }\n"}, Options{})
	if err == nil || u != nil {
		t.Errorf("unit %+v, err %v", u, err)
	}
}

// An error of the preprocessor ends the compilation with all that it reported.
func TestPreprocessorErrorsAreReturned(t *testing.T) {
	ds := compileErrors(t, "#version 450\n#include \"missing.glsl\"\nvoid main() {}\n", Options{Options: preprocess.Options{Resolver: files{}}})
	if len(ds) != 1 || ds[0].Pos.Line != 2 {
		t.Errorf("diagnostics %v", ds)
	}
}
