package preprocess_test

import (
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// emitted is a kernel whose emitted lines 4 to 7 are lib.glsl:1, k.comp:5 and k.comp:7.
func emitted(t *testing.T) (string, preprocess.LineMap) {
	t.Helper()
	text := "#version 450\n#include \"lib.glsl\"\n#define BIG(x) (x + 1)\n\nint a = BIG(b);\n\n  int c = d;\n"
	o := preprocess.Options{Resolver: memory{"lib.glsl": "// a comment\nint lib;\n"}}
	r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, o)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return r.Emit(preprocess.EmitOptions{ExtraHeader: []string{"// by\n// vyretop\n"}})
}

func TestLineMapLeadsBack(t *testing.T) {
	text, m := emitted(t)
	want := "#version 450\n// by\n// vyretop\nint lib;\nint a = (b + 1);\n\n  int c = d;\n"
	if text != want {
		t.Fatalf("emitted %q, want %q", text, want)
	}
	if m.Lines() != strings.Count(text, "\n") {
		t.Errorf("Lines() = %d for %d lines", m.Lines(), strings.Count(text, "\n"))
	}
	lines := []string{"-", "k.comp:1:2", "-", "-", "lib.glsl:2:1", "k.comp:5:1", "-", "k.comp:7:3", "-", "-"}
	for i, pos := range lines {
		if got := m.Pos(i).String(); got != pos {
			t.Errorf("Pos(%d) = %s, want %s", i, got, pos)
		}
	}
	columns := []struct {
		line, col int
		pos       string
	}{
		{5, 1, "k.comp:5:1"}, {5, 5, "k.comp:5:5"}, {5, 6, "k.comp:5:5"}, {5, 9, "k.comp:5:9"},
		{5, 10, "k.comp:5:13"}, {5, 12, "k.comp:5:9"}, {5, 99, "k.comp:5:15"}, {7, 0, "k.comp:7:3"},
	}
	for _, c := range columns {
		if got := m.At(c.line, c.col).String(); got != c.pos {
			t.Errorf("At(%d, %d) = %s, want %s", c.line, c.col, got, c.pos)
		}
	}
}

// TestRemapLogOfDrivers has logs as Mesa 22.3.6 (llvmpipe), NVIDIA 580 (H100) and glslang 12
// wrote them for head, which makes three lines, and the body.
func TestRemapLogOfDrivers(t *testing.T) {
	const head = "#version 450\n#include \"head.glsl\"\n#define UNUSED 1\n"
	files := memory{"head.glsl": "#define BLOCK B\n\nlayout(local_size_x=1) in;\nbuffer BLOCK { uint v[]; };\n"}
	const (
		undeclared = "void main() {\n  uint a = b + 1u;\n  v[0] = a;\n}\n"
		redefined  = "uint f(uint x) { return x; }\nuint f(uint x) { return x; }\nvoid main() {\n  v[0] = f(1);\n}\n"
		syntax     = "void main() {\n  v[0] = ;\n}\n"
	)
	tests := []struct{ name, body, log, want string }{
		{
			"Mesa, undeclared", undeclared,
			"0:5(11): error: `b' undeclared\n0:5(11): error: operands to arithmetic operators must be numeric\n0:6(9): warning: `a' used uninitialized\n",
			"k.comp:5:12: error: `b' undeclared\nk.comp:5:12: error: operands to arithmetic operators must be numeric\nk.comp:6:10: warning: `a' used uninitialized\n",
		},
		{
			"Mesa, redefined", redefined,
			"0:5(6): error: function `f' redefined\n",
			"k.comp:5:6: error: function `f' redefined\n",
		},
		{
			"Mesa, syntax", syntax,
			"0:5(9): error: syntax error, unexpected ';'\n",
			"k.comp:5:10: error: syntax error, unexpected ';'\n",
		},
		{
			"NVIDIA, undeclared", undeclared,
			"0(5) : error C1503: undefined variable \"b\"\n",
			"k.comp:5: error C1503: undefined variable \"b\"\n",
		},
		{
			"NVIDIA, redefined", redefined,
			"0(5) : error C1013: function \"f\" is already defined at 0(4)\n",
			"k.comp:5: error C1013: function \"f\" is already defined at k.comp:4\n",
		},
		{
			"NVIDIA, included file", syntax,
			"0(3) : error C0000: syntax error, unexpected ';', expecting \"::\" at token \";\"\n",
			"head.glsl:4: error C0000: syntax error, unexpected ';', expecting \"::\" at token \";\"\n",
		},
		{
			"glslang", undeclared,
			"ERROR: 0:5: 'b' : undeclared identifier \nERROR: 0:5: '' : compilation terminated \nERROR: 2 compilation errors.\n",
			"ERROR: k.comp:5: 'b' : undeclared identifier \nERROR: k.comp:5: '' : compilation terminated \nERROR: 2 compilation errors.\n",
		},
		{
			"unknown places stay", syntax,
			"0:99(1): error: x\n0(99) : error C1\n0:99: y\n0:99999999999999999999(1): z\n0:0(1): w\nfoo(3) bar 4:5 10(4) x0(4)\n",
			"0:99(1): error: x\n0(99) : error C1\n0:99: y\n0:99999999999999999999(1): z\n0:0(1): w\nfoo(3) bar 4:5 10(4) x0(4)\n",
		},
	}
	for _, tt := range tests {
		r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: head + tt.body}, preprocess.Options{Resolver: files})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		_, lines := r.Emit(preprocess.EmitOptions{})
		if got := preprocess.RemapLog(tt.log, lines); got != tt.want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, got, tt.want)
		}
	}
}
