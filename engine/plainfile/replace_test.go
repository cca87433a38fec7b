package plainfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestReplaceLeavesWhatWasThere: a file that cannot be written whole stays as it was, with nothing beside it; links stay, and only
// regular files are replaced.
func TestReplaceLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	for _, s := range []string{"first", "second"} {
		if err := Replace(file, 0o600, text(s)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != s {
			t.Fatalf("%q, %v", got, err)
		}
	}
	failed := errors.New("full")
	if err := Replace(file, 0o600, func(w io.Writer) error { return errors.Join(text("half")(w), failed) }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := Replace(link, 0o600, text("third")); err != nil {
		t.Error(err)
	}
	if err := Replace(dir, 0o600, text("fourth")); !errors.Is(err, errNotRegular) {
		t.Errorf("%v", err)
	}
	info, err := os.Lstat(file)
	got, _ := os.ReadFile(file)
	list, _ := os.ReadDir(dir)
	if err != nil || info.Mode().Perm() != 0o600 || string(got) != "third" || len(list) != 2 {
		t.Errorf("%v, %q, %v, %v", info, got, list, err)
	}
}
