package preprocess_test

import (
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// emitted is a kernel whose emitted lines 3 to 6 are lib.glsl:1, k.comp:5 and k.comp:7.
func emitted(t *testing.T) (string, preprocess.LineMap) {
	t.Helper()
	text := "#version 450\n#include \"lib.glsl\"\n#define BIG(x) (x + 1)\n\nint a = BIG(b);\n\n  int c = d;\n"
	o := preprocess.Options{Resolver: memory{"lib.glsl": "// a comment\nint lib;\n"}}
	r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, o)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return r.Emit(preprocess.EmitOptions{ExtraHeader: []string{"// by vyretop"}})
}

func TestLineMapLeadsBack(t *testing.T) {
	text, m := emitted(t)
	want := "#version 450\n// by vyretop\nint lib;\nint a = (b + 1);\n\n  int c = d;\n"
	if text != want {
		t.Fatalf("emitted %q, want %q", text, want)
	}
	if m.Lines() != strings.Count(text, "\n") {
		t.Errorf("Lines() = %d for %d lines", m.Lines(), strings.Count(text, "\n"))
	}
	lines := []string{"-", "k.comp:1:2", "-", "lib.glsl:2:1", "k.comp:5:1", "-", "k.comp:7:3", "-", "-"}
	for i, pos := range lines {
		if got := m.Pos(i).String(); got != pos {
			t.Errorf("Pos(%d) = %s, want %s", i, got, pos)
		}
	}
	columns := []struct {
		line, col int
		pos       string
	}{
		{4, 1, "k.comp:5:1"}, {4, 5, "k.comp:5:5"}, {4, 6, "k.comp:5:5"}, {4, 9, "k.comp:5:9"},
		{4, 10, "k.comp:5:13"}, {4, 12, "k.comp:5:9"}, {4, 99, "k.comp:5:15"}, {6, 0, "k.comp:7:3"},
	}
	for _, c := range columns {
		if got := m.At(c.line, c.col).String(); got != c.pos {
			t.Errorf("At(%d, %d) = %s, want %s", c.line, c.col, got, c.pos)
		}
	}
}

func TestRemapLogOfDrivers(t *testing.T) {
	_, m := emitted(t)
	tests := []struct{ name, log, want string }{
		{
			"Mesa",
			"0:4(10): error: `b' undeclared\n0:6(11): error: initializer of type error\n0:4(1): warning: see 0:3(5)\n",
			"k.comp:5:13: error: `b' undeclared\nk.comp:7:11: error: initializer of type error\nk.comp:5:1: warning: see lib.glsl:2:5\n",
		},
		{
			"NVIDIA",
			"0(4) : error C1503: undefined variable \"b\"\n0(6) : warning C7050: \"c\" might be used before being initialized\n",
			"k.comp:5: error C1503: undefined variable \"b\"\nk.comp:7: warning C7050: \"c\" might be used before being initialized\n",
		},
		{
			"glslang and AMD",
			"ERROR: 0:4: 'b' : undeclared identifier \nWARNING: 0:3: '' : something\nERROR: 2 compilation errors.\n",
			"ERROR: k.comp:5: 'b' : undeclared identifier \nWARNING: lib.glsl:2: '' : something\nERROR: 2 compilation errors.\n",
		},
		{
			"unknown places stay",
			"0:2(1): error: header\n0:99(1): error: x\n0(99) : error C1\n0:99: y\n0:99999999999999999999(1): z\nfoo(3) bar 4:5\n",
			"0:2(1): error: header\n0:99(1): error: x\n0(99) : error C1\n0:99: y\n0:99999999999999999999(1): z\nfoo(3) bar 4:5\n",
		},
	}
	for _, tt := range tests {
		if got := preprocess.RemapLog(tt.log, m); got != tt.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, got, tt.want)
		}
	}
}
