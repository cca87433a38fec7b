package emit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// routines.glsl must be what glslgen makes of package floats.
func TestRoutinesAreFresh(t *testing.T) {
	out := filepath.Join(t.TempDir(), "routines.glsl")
	if text, err := exec.Command("go", "run", "vyretop/engine/glsl/floats/glslgen", "-o", out, "../floats").CombinedOutput(); err != nil {
		t.Fatalf("glslgen: %v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != routinesText {
		t.Error("routines.glsl is stale. Fix: go generate ./engine/glsl/floats")
	}
}
