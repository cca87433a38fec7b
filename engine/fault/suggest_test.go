package fault

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	words := []string{"pause", "resume", "requeue", "reprioritize", "set", "stop", "wait", "workers", "workgroup-size"}
	for _, tt := range []struct{ typed, want string }{
		{"paus", "pause"}, {"puase", "pause"}, {"Resume", "resume"}, {"worker", "workers"}, {"sotp", "stop"},
		{"repri", "reprioritize"}, {"workg", "workgroup-size"},
		{"fly", ""}, {"", ""}, {"x", ""}, {"wxyz", ""}, {"completely-different", ""},
	} {
		if got := Nearest(tt.typed, words); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.typed, got, tt.want)
		}
	}
}

func TestFix(t *testing.T) {
	words := []string{"gl", "reference"}
	for _, tt := range []struct{ typed, want string }{
		{"refernce", `did you mean "reference"? Otherwise use one of gl, reference`},
		{"vulkan", "use one of gl, reference"},
	} {
		if got := Use(tt.typed, words); got != tt.want {
			t.Errorf("%q: %s", tt.typed, got)
		}
	}
}

// TestDistanceIsAMetricOfEdits: the same both ways, 0 for equal words only, and at most 1 for each edit.
func TestDistanceIsAMetricOfEdits(t *testing.T) {
	word := rapid.StringMatching(`[a-d]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) || (d == 0) != (a == b) || d > max(len(a), len(b)) {
			t.Fatalf("%q, %q: %d", a, b, d)
		}
		i := rapid.IntRange(0, len(a)).Draw(t, "i")
		if d := distance(a, a[:i]+"x"+a[i:]); d != 1 {
			t.Fatalf("one letter more in %q: %d", a, d)
		}
	})
}
