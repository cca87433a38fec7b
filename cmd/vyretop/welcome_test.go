package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWelcomeFits: lines were wider than a terminal of 80 columns, which broke them within words.
func TestWelcomeFits(t *testing.T) {
	var out strings.Builder
	if err := (&app{}).welcome(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 79 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}
