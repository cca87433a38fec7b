package vm_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// ops_gen.go must be what opgen writes from its table.
func TestGeneratedOperationsAreFresh(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ops_gen.go")
	if text, err := exec.Command("go", "run", "./opgen", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("opgen: %v\n%s", err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("ops_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("ops_gen.go is stale. Fix: go generate ./engine/reference/vm")
	}
}
