package lsp

import (
	"testing"

	"vyretop/engine/glsl/source"
)

// TestFormatsAreMarkedWhole: a diagnostic about the format of debugf marks the text in quotes, not its first quote only.
func TestFormatsAreMarkedWhole(t *testing.T) {
	for text, want := range map[string]int{
		`"slot %q", v);`: 9, `"é \" %q", v`: 10, `"open %u, v`: 11, `""`: 2, "\"open\\": 6, `x`: 1, `name(`: 4, `)`: 1,
	} {
		d := &document{text: text, lines: lineStarts(text)}
		if got := (&server{}).width(d, source.Diagnostic{Pos: source.Pos{Line: 1, Col: 1}}); got != want {
			t.Errorf("%s: %d bytes are marked, want %d", text, got, want)
		}
	}
}
