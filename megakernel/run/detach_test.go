package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordsOfDetachedRunsAreBounded: a file among the records was read whole, whatever its size and kind.
func TestRecordsOfDetachedRunsAreBounded(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, size int64) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
	}
	good := `{"name": "good", "process": 1}`
	write("good.json", good, int64(len(good)))
	write("huge.json", `{"name": "huge", "process": 1}`, 1<<40)
	write("good.log", "beginning\n", maxLogShown+100)
	list := ListDetached(dir)
	if len(list) != 1 || list[0].Name != "good" {
		t.Fatalf("%+v, want the record that fits", list)
	}
	text, err := list[0].Text()
	head, tail, _ := strings.Cut(text, "\n")
	if want := "(100 bytes before this are in " + filepath.Join(dir, "good.log") + ")"; err != nil || head != want || len(tail) != maxLogShown {
		t.Errorf("%q and %d bytes, %v; want %q and %d", head, len(tail), err, want, maxLogShown)
	}
	if err := os.Remove(filepath.Join(dir, "good.log")); err != nil {
		t.Fatal(err)
	}
	if _, err := list[0].Text(); err == nil || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("%v, want what to do about a log that is gone", err)
	}
}
