package glsl

import (
	"strings"
	"testing"

	"vyretop/engine/glsl/emit"
	"vyretop/engine/glsl/source"
)

// TestBreakpointStatement covers what a breakpoint statement may hold, and names of the kernel that hide it.
func TestBreakpointStatement(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"condition": {"void main() { breakpoint(n == 1u); }", ""},
		"built-in":  {"void main() { if (n > 0u) breakpoint(min(n, 2u) == 1u); }", ""},
		"macro":     {"#define TWO (1u + 1u)\nvoid main() { breakpoint(n == TWO); }", ""},
		"function":  {"void breakpoint(uint x) { n = x; } void main() { breakpoint(1u); }", ""},
		"number":    {"void main() { breakpoint(n); }", "type uint"},
		"effect":    {"void main() { breakpoint(n++ == 1u); }", "assigns"},
		"call":      {"bool f() { n = 1u; return true; } void main() { breakpoint(f()); }", "assigns"},
		"unknown":   {"void main() { breakpoint(m == 1u); }", "m"},
		"empty":     {"void main() { breakpoint(); }", "k.comp:4:"},
		"cut":       {"void main() { breakpoint(n == 1u", "k.comp:"},
		"value":     {"void main() { n = breakpoint(true) ? 1u : 2u; }", "breakpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer B { uint n; };\n" + c.body + "\n"
			u, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{})
			switch {
			case c.want == "" && (err != nil || u.Program == nil):
				t.Fatalf("refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("got %v, want an error with %q", err, c.want)
			}
			if c.want == "" && name != "function" && strings.Contains(emit.Text(u.Program, emit.Device{}).Text, "breakpoint") {
				t.Error("the device gets the statement")
			}
		})
	}
}
