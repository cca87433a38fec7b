package repl

import (
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	got := Highlight("#define N 4u // four\nlayout(binding = 0) buffer B { uvec4 v[]; };\r\n/* two\n   lines */ float f = min(1.5e-3, x); }")
	want := []map[string]chroma.TokenType{
		{"#define N 4u // four": chroma.CommentPreproc},
		{"layout": chroma.Keyword, "buffer": chroma.Keyword, "uvec4": chroma.KeywordType, "0": chroma.LiteralNumber, "binding": chroma.Name},
		{"/* two": chroma.Comment},
		{"   lines */": chroma.Comment, "float": chroma.KeywordType, "min": chroma.NameBuiltin, "1.5e-3": chroma.LiteralNumber, "x": chroma.Name},
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %v", len(got), len(want), got)
	}
	for i, line := range want {
		for text, kind := range line {
			found := false
			for _, token := range got[i] {
				found = found || token.Text == text && token.Type == kind
			}
			if !found {
				t.Errorf("line %d: no %v %q in %v", i+1, kind, text, got[i])
			}
		}
	}
}

// TestWordsOfATextAreNoKeywords: in the text of a debugf, for and uint were drawn as in code, and what follows // as a comment.
func TestWordsOfATextAreNoKeywords(t *testing.T) {
	for text, want := range map[string]string{
		`debugf("look for uint \" at http://x", v);`: `"look for uint \" at http://x"`,
		`debugf("for`:     `"for`,
		`debugf("", for)`: `""`,
	} {
		found := false
		for _, token := range Highlight(text)[0] {
			found = found || token.Type == chroma.LiteralString && token.Text == want
		}
		if !found {
			t.Errorf("%s has no text %s: %v", text, want, Highlight(text))
		}
	}
	if s := ANSI(Highlight(`"for"`)[0]); s != styles[chroma.LiteralString].Render(`"for"`) {
		t.Errorf("%q", s)
	}
}

// TestNothingIsLost: the tokens of a source are its text, whatever it holds.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"/*", "*/", "//", "\n", "#", "x", " ", "0x1", "ä", "\"", "\t", "1.e", ";"})).Draw(t, "text"), "")
		var out []string
		for _, line := range Highlight(text) {
			var s strings.Builder
			for _, token := range line {
				s.WriteString(token.Text)
			}
			out = append(out, s.String())
		}
		if got := strings.Join(out, "\n"); strings.TrimRight(got, "\n") != strings.TrimRight(text, "\n") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
