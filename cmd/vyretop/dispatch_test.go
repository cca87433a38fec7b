package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
)

// TestLoopsThatADeviceCutsShort: a loop is announced on a device with a limit, wherever it is.
func TestLoopsThatADeviceCutsShort(t *testing.T) {
	limited := engine.DeviceProfile{LoopIterationLimit: engine.Known(uint64(65535))}
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"none":        {"void main() { if (n > 1u) n = 0u; }", false},
		"for":         {"void main() { if (n > 1u) { for (;;) break; } }", true},
		"while":       {"uint f() { while (n > 0u) n--; return n; } void main() { n = f(); }", true},
		"do":          {"void main() { switch (n) { case 1u: do n--; while (n > 0u); } }", true},
		"not known":   {"void main() { mat2 m = mat2(1.0); n = uint(m[0].x); }", true},
		"only a word": {"void main() { uint fortnight = 1u; n = fortnight; /* for */ }", false},
	} {
		file := filepath.Join(t.TempDir(), "k.comp")
		text := "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint n; };\n" + c.text + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, _, err := compileKernel(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Contains(strings.Join(loopNotice(limited, p), ""), "65535"); got != c.want {
			t.Errorf("%s: announced %v, want %v", name, got, c.want)
		}
		if got := loopNotice(engine.DeviceProfile{}, p); got != nil {
			t.Errorf("%s: announced %q without a limit", name, got)
		}
	}
}
