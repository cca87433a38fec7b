//go:build linux || darwin

package plainfile

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
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
		if !Hold(w) || !Held(r) {
			t.Error("a file that is written is not held")
		}
	}
	if Hold(r) {
		t.Error("a held file was held by another one")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if Held(r) {
		t.Error("a closed file is held")
	}
}

// TestLookingDoesNotPreventHolding: a file is held though others look at the same time whether it is.
func TestLookingDoesNotPreventHolding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var looking sync.WaitGroup
	var ended atomic.Bool
	for range 2 {
		r, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		looking.Go(func() {
			for !ended.Load() {
				Held(r)
			}
		})
	}
	for range 1000 {
		w, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if !Hold(w) {
			t.Error("it was not held")
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ended.Store(true)
	looking.Wait()
}
