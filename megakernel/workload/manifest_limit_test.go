package workload

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine/plainfile"
)

// TestALargeManifestIsNotRead: one of 20 GiB was read to its end before its size was looked at.
func TestALargeManifestIsNotRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ManifestName)
	if err := os.WriteFile(path, []byte("name = \"x\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skipf("the file system has no sparse files: %v", err)
	}
	if _, err := Load(plainfile.Dir(dir), "."); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}
