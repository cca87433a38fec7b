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

// TestPutWritesToWhatIsThere: a failure leaves a file as it was, and names it; what is not a regular file is written to.
func TestPutWritesToWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte("first"), 0o600); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("full")
	err := Put(file, 0o600, func(w io.Writer) error { return failed })
	if got, read := os.ReadFile(file); !errors.Is(err, failed) || read != nil || string(got) != "first" {
		t.Errorf("%q, %v, %v", got, err, read)
	}
	if err := Put(os.DevNull, 0o600, func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := Put("/dev/full", 0o600, func(w io.Writer) error { _, err := w.Write([]byte("x")); return err }); err == nil {
			t.Error("a full disk was not noticed")
		}
	}
}
