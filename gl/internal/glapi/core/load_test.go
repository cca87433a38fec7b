//go:build cgo && egl

package core

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"unsafe"
)

// TestEveryFunctionIsLoaded: one whose entry point Load does not ask for would call address 0.
func TestEveryFunctionIsLoaded(t *testing.T) {
	text, err := os.ReadFile("functions.go")
	if err != nil {
		t.Fatal(err)
	}
	var called, loaded []string
	for _, m := range regexp.MustCompile(`(?m)^static .*\bcall(\w+)\(void \*f`).FindAllSubmatch(text, -1) {
		called = append(called, "gl"+string(m[1]))
	}
	for _, e := range entries {
		loaded = append(loaded, e.name)
	}
	slices.Sort(called)
	slices.Sort(loaded)
	if len(called) == 0 || !slices.Equal(called, loaded) {
		t.Errorf("functions.go calls %q, Load asks for %q", called, loaded)
	}
}

// TestEachEntryHasAPlaceOfItsOwn: the entry points that Load is given go to different variables.
func TestEachEntryHasAPlaceOfItsOwn(t *testing.T) {
	seen := map[*unsafe.Pointer]string{}
	for _, e := range entries {
		if other, taken := seen[e.entry]; taken {
			t.Errorf("%s and %s share a variable", e.name, other)
		}
		seen[e.entry] = e.name
	}
}
