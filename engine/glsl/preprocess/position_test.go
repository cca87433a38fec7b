package preprocess_test

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

// Every token's position points at its own text, or at the name of the macro that made it.
func TestPositionsPointAtTheText(t *testing.T) {
	for _, file := range []string{"kernel.comp", "expansion.glsl", "paste.glsl", "tokens.glsl"} {
		text, err := os.ReadFile("testdata/oracle/" + file)
		if err != nil {
			t.Fatal(err)
		}
		checkPositions(t, string(text))
	}
}

// The same for random macros, with line ends of every kind and a byte order mark.
func TestPositionsOfRandomTexts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := macroProgram(rt, true)
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\n\r"}).Draw(rt, "end")
		mark := rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(rt, "mark")
		got := run(rt, mark+strings.ReplaceAll(text, "\n", end))
		want := checkPositions(rt, text)
		if len(got) != len(want) {
			rt.Fatalf("%d tokens with %q as line end, %d with LF", len(got), end, len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				rt.Fatalf("token %+v with %q as line end, %+v with LF", got[i], end, want[i])
			}
		}
	})
}

func run(t rapid.TB, text string) []source.Token {
	t.Helper()
	r, diags := preprocess.Run(&source.File{Name: "k.comp", Text: text}, preprocess.Options{})
	if len(diags.Errors()) > 0 {
		t.Fatalf("%v in\n%s", diags.Errors(), text)
	}
	return r.Tokens
}

func checkPositions(t rapid.TB, text string) []source.Token {
	t.Helper()
	lines := strings.Split(text, "\n")
	toks := run(t, text)
	for _, tok := range toks {
		want := tok.Text
		if tok.Pos.Macro != "" {
			want = tok.Pos.Macro
		}
		if at := lines[tok.Pos.Line-1][tok.Pos.Col-1:]; !strings.HasPrefix(at, want) {
			t.Fatalf("token %q is said to be at %s, where there is %q", tok.Text, tok.Pos, at)
		}
	}
	return toks
}
