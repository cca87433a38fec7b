package run

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestStartingRunsAreListedWhileTheyStart: none that has started, nor one whose process is gone.
func TestStartingRunsAreListedWhileTheyStart(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("processes mark no files on " + runtime.GOOS)
	}
	dir := filepath.Join(t.TempDir(), "starting")
	gone := filepath.Join(dir, "1.json")
	first := Starting{Name: "first", Process: 7, Device: "llvmpipe", Since: time.Now().Add(-12 * time.Second)}
	started := first.Announce(dir)
	if err := os.WriteFile(gone, []byte(`{"name": "gone", "process": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	list := ListStarting(dir)
	if len(list) != 1 || list[0].Name != "first" || !list[0].Since.Equal(first.Since) {
		t.Fatalf("%+v, want the run that starts", list)
	}
	if got, want := list[0].State(first.Since.Add(12*time.Second)), "compiles its kernel for llvmpipe, 12s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("%v: what a process has left behind is kept", err)
	}
	started()
	if list := ListStarting(dir); len(list) != 0 {
		t.Errorf("%+v after the start", list)
	}
}
