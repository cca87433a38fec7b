package glsl

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
)

// TestGridBarrierStandsAtTheTopLevelOfMain covers the places where workgroups might not come by it.
func TestGridBarrierStandsAtTheTopLevelOfMain(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"top level":        {"void main() { n = 1u; gridBarrier(); n = 2u; gridBarrier(); }", true},
		"behind a return":  {"void main() { if (n == 0u) return; gridBarrier(); }", true},
		"own function":     {"void gridBarrier(uint x) { n = x; } void main() { for (;;) { gridBarrier(1u); break; } }", true},
		"branch":           {"void main() { if (n == 0u) gridBarrier(); }", false},
		"block":            {"void main() { { gridBarrier(); } }", false},
		"loop":             {"void main() { for (uint i = 0u; i < 2u; i++) { gridBarrier(); } }", false},
		"loop header":      {"void main() { for (gridBarrier(); n < 2u; n++) { } }", false},
		"switch":           {"void main() { switch (n) { case 1u: gridBarrier(); break; } }", false},
		"function":         {"void wait() { gridBarrier(); } void main() { wait(); }", false},
		"comma":            {"void main() { n = 1u, gridBarrier(); }", false},
		"one of two wrong": {"void main() { gridBarrier(); if (n == 0u) gridBarrier(); }", false},
	} {
		t.Run(name, func(t *testing.T) {
			text := "#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer B { uint n; };\n" + c.body + "\n"
			u, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{})
			if c.ok {
				if err != nil || u.Program == nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			var diags source.Diagnostics
			if !errors.As(err, &diags) || u != nil || !strings.Contains(err.Error(), "k.comp:4:") {
				t.Errorf("got %v, want an error on line 4", err)
			}
		})
	}
}
