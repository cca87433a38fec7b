package preprocess_test

import (
	"fmt"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// Texts that ask for more work than a limit allows end with an error about that limit.
func TestLimitsEndExplodingTexts(t *testing.T) {
	doubling := func(format string) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, format+"\n", i+1, i, i)
		}
		return b.String()
	}
	often := func(s string) string { return strings.Repeat(s, 10_000) }
	nested := func(open, inner string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(")", n)
	}
	tests := []struct{ name, text, construct string }{
		{"object-like macros that double", doubling("#define M%d M%d M%d") + "M40", preprocess.LimitTokens},
		{"function-like macros that double", doubling("#define M%d(x) M%d(x) M%d(x)") + "M40(1)", preprocess.LimitTokens},
		{"arguments that double", "#define F(x) x x\n" + nested("F(", "1", 100), preprocess.LimitTokens},
		{"a large argument used often", "#define F(x) " + often("x ") + "\nF(" + often("1 ") + ")", preprocess.LimitTokens},
		{"a large argument pasted often", "#define F(x) " + often("x##") + "x\nF(" + often("a ") + ")", preprocess.LimitTokens},
		{"pasted names that double", "#define G(a, b) a##b\n#define F(x) G(x, x)\n" + nested("F(", "a", 40), "##"},
		{"nested calls", "#define F(x) x\n" + nested("F(", "1", 300), preprocess.LimitNesting},
		{"nested calls without end", "#define F(x) x\n" + often("F("), "F"},
		{"nested parentheses", "#if " + often("(") + "\n#endif", "#if"},
		{"nested signs", "#if " + often("- ") + "1\n#endif", "#if"},
		{"an include of itself", "#include \"again.glsl\"", preprocess.LimitIncludeDepth},
		{"includes that double", "#include \"double0.glsl\"", preprocess.LimitTokens},
		{"a large file", strings.Repeat("// nothing\n", 1<<20), preprocess.LimitBytes},
		{"many tokens", strings.Repeat("a ", 1<<18), preprocess.LimitTokens},
	}
	files := memory{"again.glsl": "#include \"again.glsl\"\n"}
	for i := range 40 {
		files[fmt.Sprintf("double%d.glsl", i)] = strings.Repeat(fmt.Sprintf("#include \"double%d.glsl\"\n", i+1), 2)
	}
	files["double40.glsl"] = "\n"
	o := preprocess.Options{Resolver: files, MaxTokens: 1 << 17, MaxBytes: 8 << 20}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: tt.text}, o)
			if len(diags.Errors()) == 0 || diags.Errors()[0].Construct != tt.construct {
				t.Fatalf("diagnostics %v, want one about %q", diags, tt.construct)
			}
			if last := r.Tokens[len(r.Tokens)-1]; last.Kind != source.EOF {
				t.Errorf("the last token is %v, want EOF", last)
			}
		})
	}
}

// Texts that are long and legal take time in proportion.
func TestLongTextsAreFine(t *testing.T) {
	var includes, macros strings.Builder
	includes.WriteString("#extension GL_GOOGLE_cpp_style_line_directive : enable\n")
	for i := range 20_000 {
		fmt.Fprintf(&macros, "#define M%d M%d\n", i, i+1)
		fmt.Fprintf(&includes, "#line %d \"file%d\"\na\n", i, i)
	}
	tests := []struct{ name, text string }{
		{"a chain of macros", macros.String() + "M0"},
		{"many file names", includes.String()},
		{"many formats", strings.Repeat("debugf(\"same\");", 20_000)},
		{"function-like names that are not called", "#define F(x) x\n" + strings.Repeat("F ", 50_000)},
		{"nested conditionals", strings.Repeat("#if 1\n", 50_000) + strings.Repeat("#endif\n", 50_000)},
		{"loops without end", strings.Repeat("for (", 50_000)},
		{"more loops without end", strings.Repeat("while (a) for (;;", 20_000)},
		{"debugf without end", strings.Repeat("debugf(\"\" , (", 50_000)},
		{"continued lines", strings.Repeat("a \\\n", 50_000)},
	}
	o := preprocess.Options{GuardLoops: func(string) bool { return true }}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: tt.text}, o)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			r.Emit(preprocess.EmitOptions{})
		})
	}
}

// More warnings than are reported must not end the run (they once cut the text short).
func TestManyWarningsLoseNoText(t *testing.T) {
	text := strings.Repeat("#if UNKNOWN == 0\na\n#endif\n", 200)
	r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, preprocess.Options{})
	if got := len(texts(r)); got != 200 || len(diags.Errors()) > 0 {
		t.Errorf("%d tokens and errors %v, want 200 tokens and none", got, diags.Errors())
	}
	if n := len(diags); n == 0 || n > 50 {
		t.Errorf("%d warnings, want some and at most 50", n)
	}
}

func TestManyErrorsEndTheRun(t *testing.T) {
	text := strings.Repeat("#error again\n", 1000)
	_, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, preprocess.Options{})
	if len(diags) != 50 {
		t.Errorf("%d errors, want 50", len(diags))
	}
}

// A name has at most 1024 characters.
func TestNamesAreBounded(t *testing.T) {
	for n, wrong := range map[int]bool{1024: false, 1025: true} {
		_, diags := preprocess.Run(&source.File{Name: "k.comp", Text: "int " + strings.Repeat("a", n) + ";"}, preprocess.Options{})
		if got := len(diags.Errors()) > 0; got != wrong {
			t.Errorf("a name of %d characters: diagnostics %v", n, diags)
		}
	}
}

// countedReads is a Resolver that counts how often each file is asked for.
type countedReads struct {
	memory
	reads map[string]int
}

func (r countedReads) Resolve(name, from string) (*source.File, error) {
	r.reads[name]++
	return r.memory.Resolve(name, from)
}

// A file is read once, however often it is included: 60,000 lines that include a file of megabytes with #pragma once took hours.
func TestIncludedFilesAreReadOnce(t *testing.T) {
	r := countedReads{memory{"a.glsl": "#pragma once\nint a;\n", "b.glsl": "int b;\n"}, map[string]int{}}
	text := strings.Repeat("#include \"a.glsl\"\n#include \"b.glsl\"\n", 100)
	result, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, preprocess.Options{Resolver: r})
	if len(diags) > 0 || len(texts(result)) != 3+100*3 {
		t.Errorf("%d tokens, %v", len(texts(result)), diags)
	}
	if r.reads["a.glsl"] != 1 || r.reads["b.glsl"] != 1 {
		t.Errorf("files are read more than once: %v", r.reads)
	}
}
