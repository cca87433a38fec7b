//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vyretop/engine/plainfile"
)

// TestRecordingsOfKilledRunsDoNotPileUp: the newest stay, and those that are written.
func TestRecordingsOfKilledRunsDoNotPileUp(t *testing.T) {
	parent, now := t.TempDir(), time.Now()
	name := func(i int) string { return filepath.Join(parent, fmt.Sprint("run-", i), "run.mcap") }
	for i := range keptUploads + 3 {
		if err := os.Mkdir(filepath.Dir(name(i)), 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(name(i))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := os.Chtimes(name(i), now, now.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			plainfile.Hold(f)
		}
	}
	removeUploads(parent)
	for i := range keptUploads + 3 {
		_, err := os.Stat(name(i))
		if want := i == 0 || i >= 3; (err == nil) != want {
			t.Errorf("recording %d: %v", i, err)
		}
	}
}
