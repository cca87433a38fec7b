package preprocess_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// validator is the path of glslangValidator, the oracle of these tests; they are skipped without it.
func validator(t testing.TB) string {
	t.Helper()
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("glslangValidator is not installed (Debian package glslang-tools)")
	}
	return tool
}

// glslang runs the validator on a text and returns what it prints.
func glslang(t testing.TB, text string, flags ...string) (output string, ok bool) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "text.comp")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(validator(t), append(flags, "-S", "comp", file)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err == nil
}

// texts gives the texts of the tokens of a preprocessed text.
func texts(r *preprocess.Result) []string {
	var out []string
	for _, tok := range r.Tokens {
		if tok.Kind != source.EOF {
			out = append(out, tok.Text)
		}
	}
	return out
}

// relex gives the tokens of what glslang -E printed.
func relex(t testing.TB, output string) []string {
	t.Helper()
	r, diags := preprocess.Run(&source.File{Name: "glslang", Text: output}, preprocess.Options{})
	if len(diags.Errors()) > 0 {
		t.Fatalf("glslang's output:\n%s\n%v", output, diags)
	}
	return texts(r)
}

func TestExpansionEqualsGlslang(t *testing.T) {
	validator(t)
	files, err := filepath.Glob("testdata/oracle/*")
	if err != nil || len(files) < 6 {
		t.Fatalf("corpus %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, diags := preprocess.Run(&source.File{Name: file, Text: string(text)}, preprocess.Options{})
			if len(diags.Errors()) > 0 {
				t.Fatal(diags)
			}
			output, ok := glslang(t, string(text), "-E")
			if !ok {
				t.Fatalf("glslang refuses the text:\n%s", output)
			}
			sameTokens(t, texts(r), relex(t, output))
		})
	}
}

// sameTokens reports the first difference, if any.
func sameTokens(t *testing.T, got, want []string) bool {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			lo, hi := max(0, i-5), i+6
			t.Errorf("token %d differs:\nours    %q\nglslang %q", i, got[min(lo, len(got)):min(hi, len(got))], want[min(lo, len(want)):min(hi, len(want))])
			return false
		}
	}
	return true
}

// TestEmittedTextIsAcceptedByGlslang compiles what a driver would get, with and without the
// project's own additions.
func TestEmittedTextIsAcceptedByGlslang(t *testing.T) {
	validator(t)
	kernel, err := os.ReadFile("testdata/oracle/kernel.comp")
	if err != nil {
		t.Fatal(err)
	}
	ours := strings.Replace(string(kernel), "layout(local", "#include <log.glsl>\nlayout(local", 1)
	ours = strings.Replace(ours, "uint k = 0u;", "uint k = 0u; debugf(\"%u and %f\", k + 1u, float(k)); debugf(\"\\\"none\\\"\");", 1)
	log := "#pragma once\nint ticks = 0;\nbool vt_tick() { return ++ticks < 100; }\nuint vt_bits(uint x) { return x; }\n" +
		"uint vt_bits(float x) { return floatBitsToUint(x); }\nvoid vt_debugf(uint f, uint n, uint a, uint b, uint c, uint d) {}\n"
	tests := []struct {
		name, text string
		o          preprocess.Options
	}{
		{"as written", string(kernel), preprocess.Options{}},
		{"with include, debugf and guards", ours, preprocess.Options{
			Resolver:   memory{"log.glsl": log},
			GuardLoops: func(file string) bool { return file == "k.comp" },
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: tt.text}, tt.o)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			text, _ := r.Emit(preprocess.EmitOptions{})
			if output, ok := glslang(t, text); !ok {
				t.Fatalf("glslang refuses:\n%s\n%s", text, output)
			}
		})
	}
}
