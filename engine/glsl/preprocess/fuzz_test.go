package preprocess_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// FuzzRun feeds any text and included text. Run must end, its tokens end with EOF, and what Emit
// prints must read as the same tokens, each line with a position.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("testdata/oracle/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "#pragma once\nint a;\n", true)
	}
	f.Add("#include <i>\nfor (;;) while (a) debugf(\"%u\", a);\n", "#define X(a) a##b\n", true)
	f.Add("#define A(x) x A\nA(1)(2", "#if 1", false)
	f.Add("\uFEFF#version 450\r\nX\\\r\nY\x00", "\"", false)
	f.Add("#include \"i\"\n", "#include \"i\"\n", true)
	f.Fuzz(func(t *testing.T, text, included string, guard bool) {
		o := preprocess.Options{Resolver: memory{"i": included}, MaxTokens: 20_000}
		if guard {
			o.GuardLoops = func(file string) bool { return file != "i" }
		}
		r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, o)
		if n := len(r.Tokens); n == 0 || r.Tokens[n-1].Kind != source.EOF {
			t.Fatal("the tokens do not end with EOF")
		}
		for _, d := range diags {
			if d.Message == "" || d.Fix == "" || d.Construct == "" {
				t.Errorf("incomplete diagnostic %+v", d)
			}
		}
		if len(diags.Errors()) == 0 {
			checkEmitted(t, r)
		}
	})
}

// checkEmitted compares the tokens of the emitted text with those of r, and its lines with the
// line map.
func checkEmitted(t *testing.T, r *preprocess.Result) {
	t.Helper()
	for _, tok := range r.Tokens[:len(r.Tokens)-1] {
		if !tok.Pos.IsValid() || tok.Text == "" {
			t.Fatalf("token %+v has no place or no text", tok)
		}
	}
	text, lines := r.Emit(preprocess.EmitOptions{})
	if n := strings.Count(text, "\n"); n != lines.Lines() {
		t.Fatalf("the map has %d lines, the text %d:\n%s", lines.Lines(), n, text)
	}
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) != "" && !lines.Pos(i+1).IsValid() {
			t.Errorf("line %d %q has no position", i+1, line)
		}
	}
	again, diags := preprocess.Run(&source.File{Name: "emitted", Text: text}, preprocess.Options{})
	if len(diags.Errors()) > 0 {
		t.Fatalf("the emitted text is refused: %v\n%s", diags, text)
	}
	if slices.ContainsFunc(r.Tokens, func(tok source.Token) bool { return tok.Text == "debugf" }) {
		return // rewritten, so not the same tokens
	}
	if got, want := texts(again), texts(r); !slices.Equal(got, want) {
		t.Fatalf("the emitted text has other tokens:\n%q\n%q", got, want)
	}
}

// BenchmarkPreprocess measures one run over a kernel of about 1000 lines, and its emission.
func BenchmarkPreprocess(b *testing.B) {
	kernel, err := os.ReadFile("testdata/oracle/kernel.comp")
	if err != nil {
		b.Fatal(err)
	}
	head, body, _ := strings.Cut(string(kernel), "uint mix_bits")
	text := head + strings.Repeat("uint mix_bits"+body, 30)
	o := preprocess.Options{GuardLoops: func(string) bool { return true }}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, o)
		if len(diags) > 0 {
			b.Fatal(diags)
		}
		r.Emit(preprocess.EmitOptions{})
	}
}
