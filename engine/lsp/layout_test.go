package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// TestShippedKernelsAreFormatted holds the formatter to the style of the kernels of this repository.
func TestShippedKernelsAreFormatted(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../megakernel/kernel/glsl/*.glsl", "../../megakernel/kernel/glsl/builtin/*.glsl", "../../megakernel/workload/shipped/*/*.glsl"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), laidOut(string(text), defaultIndent)); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
	}
}

func TestTextsAreLaidOut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"indentation", "void main(){\nuint a=1u;\n  if(a>0u){\na++;\n}\n}", "void main() {\n    uint a = 1u;\n    if (a > 0u) {\n        a++;\n    }\n}\n"},
		{"signs", "int a=-b- -c+ ++d;", "int a = -b - -c + ++d;\n"},
		{"calls", "a [ i ]=f ( x,y ) . z;", "a[i] = f(x, y).z;\n"},
		{"a block on a line", "buffer B{float a[];};\nint b[2]={1,2};", "buffer B { float a[]; };\nint b[2] = {1, 2};\n"},
		{"labels", "switch(a){\ncase 1 :\nb=c?1:2;\nbreak;\ndefault :\n}", "switch (a) {\ncase 1:\n    b = c ? 1 : 2;\n    break;\ndefault:\n}\n"},
		{"continued", "a = b +\nc;\nd;", "a = b +\n    c;\nd;\n"},
		{"aligned", "uint a    = 1u;  // one\nuint bcd  = 2u;", "uint a    = 1u;  // one\nuint bcd  = 2u;\n"},
		{"comments", "/* a\n  b */ x=1;\n//c\n", "/* a\n  b */ x=1;\n//c\n"},
		{"directives", "#define A(x)  x+1 \\\n  +2\n  #if A(1)\n#endif\n", "#define A(x)  x+1 \\\n  +2\n  #if A(1)\n#endif\n"},
		{"CR LF", "a=1;\r\n\r\n\r\n", "a = 1;\r\n"},
		{"empty", "\n\n", ""},
		{"unbraced", "for(;;)\nif(a)\nb;\nelse\nc;", "for (;;)\n    if (a)\n        b;\n    else\n        c;\n"},
		{"a chain", "if(a)\nb;\nelse if(c){\nd;\n}else\ne;\nf;", "if (a)\n    b;\nelse if (c) {\n    d;\n} else\n    e;\nf;\n"},
		{"a brace in it", "for(;;)\nfor(;;){\na;\n}\nb;", "for (;;)\n    for (;;) {\n        a;\n    }\nb;\n"},
		{"do without braces", "do\nif(a)\nb;\nwhile(c);\nd;", "do\n    if (a)\n        b;\nwhile (c);\nd;\n"},
		{"a head of two lines", "if(a&&\nb)\nc;\nd;", "if (a &&\n    b)\n    c;\nd;\n"},
	} {
		if diff := cmp.Diff(c.want, laidOut(c.text, defaultIndent)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

// tokensOf are the tokens of a text as the preprocessor reads them, with the lines that they are in.
func tokensOf(text string) (list []source.Token, wrong int) {
	pre, found := preprocess.Run(&source.File{Name: "k", Text: text}, preprocess.Options{})
	for _, t := range pre.Tokens {
		t.Pos.Col = 0
		list = append(list, t)
	}
	return list, len(found)
}

// FuzzText holds the formatter to changing nothing but blanks, and to being done after one time.
func FuzzText(f *testing.F) {
	for _, text := range []string{"a+ +b;", "a=b/ *c;", "/*", "\\\n", "#if 1\n}\n#else", "x=\"a  b\";", "a\r\n\r\rb", "5.x 5 .x", "(((\n)\n]", "a- --b", "# define X(a) a\nX( 1 )"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := laidOut(text, defaultIndent)
		before, wrong := tokensOf(text)
		after, _ := tokensOf(once)
		if wrong > 0 {
			return // a text that has no tokens is only laid out
		}
		if len(before) > 0 && len(after) > 0 { // the end has another line when empty lines went
			before[len(before)-1].Pos, after[len(after)-1].Pos = source.Pos{}, source.Pos{}
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Fatalf("%q became %q:\n%s", text, once, diff)
		}
		if twice := laidOut(once, defaultIndent); twice != once {
			t.Fatalf("%q became %q, and that %q", text, once, twice)
		}
	})
}

// TestALongLineStaysAsItIs: 2 MB of tokens in one line took 200 MiB of an editor's server.
func TestALongLineStaysAsItIs(t *testing.T) {
	text := "a=1;\n" + strings.Repeat("(", maxLine+1)
	if got := laidOut(text, defaultIndent); got != text {
		t.Errorf("%d bytes became %d", len(text), len(got))
	}
}
