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
