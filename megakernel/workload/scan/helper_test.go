package scan

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// write makes a tree of files; the names use /.
func write(t testing.TB, files map[string]string) string {
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// toolchainSources is a folder of the Go toolchain's own sources: real text, the same on every machine
// with the same toolchain.
func toolchainSources(t testing.TB, below string) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src", filepath.FromSlash(below))
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the Go toolchain's sources are not installed: %v", err)
	}
	return root
}

// small are options that make rings run full and files stream even in small trees.
func small(path, patterns string) Options {
	return Options{Path: path, Patterns: patterns, ArenaBytes: 16 << 10, Records: 8}
}

// TestMain makes sure that no run leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
