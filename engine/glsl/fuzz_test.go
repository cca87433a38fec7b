package glsl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
)

// seedTexts are the inputs of all scripts.
func seedTexts(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("testdata/script/*")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no scripts: %v", err)
	}
	var texts []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		for _, entry := range strings.Split(string(data), "\n\n") {
			input, _, _ := strings.Cut(entry, "\n----")
			_, input, _ = strings.Cut(input, "\n")
			texts = append(texts, input)
		}
	}
	return texts
}

// FuzzCompile: whatever the text, Compile returns, with diagnostics or with a program that keeps
// the promises of package tree.
func FuzzCompile(f *testing.F) {
	for _, text := range seedTexts(f) {
		f.Add(text)
	}
	f.Add("#version 450\nlayout(local_size_=local_size_=) in;\nvoid main() {}\n")
	f.Add("#version 450\nlayout(local_size_x = 8 local_size_y = 8) in;\nvoid main() {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.Contains(text, "#version") {
			text = scriptHead + text
		}
		checkCompile(t, text)
	})
}

func checkCompile(t *testing.T, text string) {
	t.Helper()
	u, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{})
	if err != nil {
		var ds source.Diagnostics
		if !errors.As(err, &ds) || len(ds.Errors()) == 0 {
			t.Fatalf("the error holds no diagnostics: %v", err)
		}
		for _, d := range ds {
			if d.Message == "" || d.Fix == "" || d.Construct == "" {
				t.Errorf("incomplete diagnostic %+v", d)
			}
		}
		if u != nil && u.Program != nil {
			t.Error("a kernel outside the subset has a Program")
		}
		return
	}
	if err := verify(u.Program); err != nil {
		t.Errorf("%v in:\n%s", err, text)
	}
}

// Hostile texts of great depth or length must end in an error, not in a stack overflow or a long
// wait.
func TestCompileBoundsNesting(t *testing.T) {
	n := 20_000
	for name, body := range map[string]string{
		"parentheses": "int x = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + ";",
		"minus":       "int x = " + strings.Repeat("- ", n) + "1;",
		"sum":         "int x = 1" + strings.Repeat(" + 1", n) + ";",
		"comma":       "int x = (1" + strings.Repeat(", 1", n) + ");",
		"assignments": "int x; " + strings.Repeat("x = ", n) + "1;",
		"ternary":     "int x = " + strings.Repeat("true ? 1 : ", n) + "1;",
		"blocks":      strings.Repeat("{", n) + strings.Repeat("}", n),
		"else if":     "if (true) ; " + strings.Repeat("else if (true) ; ", n),
		"loops":       strings.Repeat("for (;;) ", n) + ";",
		"swizzles":    "vec2 v; v" + strings.Repeat(".xy", n) + ";",
		"indices":     "int a[1]; a" + strings.Repeat("[a", n) + strings.Repeat("]", n) + ";",
		"lists":       "int a[] = " + strings.Repeat("{", n) + strings.Repeat("}", n) + ";",
		"dimensions":  "int a" + strings.Repeat("[1]", n) + ";",
		"open braces": strings.Repeat("struct S {", n),
	} {
		t.Run(name, func(t *testing.T) {
			text := scriptHead + "void main() { " + body + " }\n"
			if _, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{}); err == nil {
				t.Error("accepted")
			}
		})
	}
}

// The number of reported errors is bounded, and so is the work after the last one.
func TestCompileStopsAfterManyErrors(t *testing.T) {
	text := scriptHead + "void main() {\n" + strings.Repeat("int x = true;\n", 1000) + "}\n"
	_, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{})
	var ds source.Diagnostics
	if !errors.As(err, &ds) || len(ds) != maxErrors {
		t.Errorf("%d diagnostics, want %d", len(ds), maxErrors)
	}
}

func BenchmarkCompile(b *testing.B) {
	var text strings.Builder
	text.WriteString(scriptHead + "layout(std430, binding = 0) buffer B { uint n; uint d[]; } b;\n")
	for i := range 200 {
		name := "f" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		text.WriteString("uint " + name + "(uint x, inout uvec4 v) {\n  for (uint i = 0u; i < x; i++) {\n" +
			"    v.xy += uvec2(i, x << 2) * (b.d[i] ^ 7u);\n    if (v.z > 3u && x != 2u) { v = v.wzyx; continue; }\n" +
			"    atomicAdd(b.d[x & 15u], bitCount(v.x) + 1);\n  }\n  return v.x + min(v.y, 4);\n}\n")
	}
	text.WriteString("void main() { uvec4 v = uvec4(1); b.n = faa(3, v); }\n")
	f := &source.File{Name: "k.comp", Text: text.String()}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := Compile(f, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
