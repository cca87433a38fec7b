//go:build linux || darwin

package plainfile

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAFileIsHeldUntilItIsClosed: for a reader with a descriptor of its own.
func TestAFileIsHeldUntilItIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if Held(r) {
		t.Error("a file that is not marked is held")
	}
	for range 2 { // looking changes nothing
		if Hold(w); !Held(r) {
			t.Error("a file that is written is not held")
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if Held(r) {
		t.Error("a closed file is held")
	}
}
