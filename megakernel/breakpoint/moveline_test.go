package breakpoint

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMoveLine(t *testing.T) {
	const text = "a\nb\nc\nd\ne"
	for _, c := range []struct {
		now  string
		line int
		to   int
		ok   bool
	}{
		{text, 3, 3, true},
		{"new\na\nb\nc\nd\ne", 3, 4, true},
		{"a\nb\nd\ne", 3, 0, false}, // gone
		{"a\nb\nd\ne", 4, 3, true},
		{"a\nb\nC\nd\ne", 3, 3, true},    // replaced
		{"a\nb\nC\nD\nd\ne", 3, 3, true}, // by two
		{"a\nX\ne", 3, 2, true},          // with others
		{"a\nX\ne", 4, 2, true},
		{"x\nb\ny\nd\nz", 4, 4, true},
		{"", 3, 1, true},
		{text, 9, 0, false},
		{text, 0, 0, false},
	} {
		to, ok := MoveLine(text, c.now, c.line)
		if ok != c.ok || ok && to != c.to {
			t.Errorf("line %d of %q: got %d, %t, want %d, %t", c.line, c.now, to, ok, c.to, c.ok)
		}
	}
}

// Lines that stay are found again, whatever is put between and taken out beside them.
func TestMoveLineFindsWhatStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before, now []string
		was, is := map[string]int{}, map[string]int{}
		for i := range rapid.IntRange(1, 30).Draw(t, "lines") {
			line := fmt.Sprint("line ", i)
			in := rapid.IntRange(0, 3).Draw(t, "where")
			if in != 1 {
				before = append(before, line)
				was[line] = len(before)
			}
			if in != 2 {
				now = append(now, line)
				is[line] = len(now)
			}
		}
		for line, at := range was {
			to, ok := MoveLine(strings.Join(before, "\n"), strings.Join(now, "\n"), at)
			if want, stays := is[line]; stays && (!ok || to != want) {
				t.Fatalf("%q of line %d is at %d, got %d, %t", line, at, want, to, ok)
			}
			if ok && (to < 1 || to > max(len(now), 1)) {
				t.Fatalf("line %d of %d", to, len(now))
			}
		}
	})
}
