package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingOutsideAFolderIsRead: links, ".." and absolute names led out of the folders of workloads and scenes without a
// word.
func TestNothingOutsideAFolderIsRead(t *testing.T) {
	top := t.TempDir()
	dir, secret := filepath.Join(top, "dir"), filepath.Join(top, "secret")
	if err := errors.Join(
		os.MkdirAll(filepath.Join(dir, "below"), 0o700),
		os.WriteFile(secret, []byte("secret"), 0o600), os.WriteFile(filepath.Join(dir, "file"), []byte("own"), 0o600),
		os.Symlink("../secret", filepath.Join(dir, "out")), os.Symlink(secret, filepath.Join(dir, "absolute")),
		os.Symlink("..", filepath.Join(dir, "up")), os.Symlink("../file", filepath.Join(dir, "below/in")),
		os.Symlink("nowhere", filepath.Join(dir, "broken")),
	); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"file": nil, "below/in": nil, "below/../file": nil,
		"out": ErrOutside, "absolute": ErrOutside, "up/secret": ErrOutside, "../secret": ErrOutside, secret: ErrOutside, "below/../../secret": ErrOutside,
		"missing": fs.ErrNotExist, "broken": fs.ErrNotExist, "below": ErrSpecial,
	} {
		text, err := Dir(dir).Read(name, 100)
		if !errors.Is(err, want) || err == nil && string(text) != "own" {
			t.Errorf("%s: %q, %v, want %v", name, text, err, want)
		}
		if !fs.ValidPath(name) || errors.Is(want, ErrSpecial) {
			continue
		}
		if text, err = fs.ReadFile(Dir(dir), name); !errors.Is(err, want) || err == nil && string(text) != "own" {
			t.Errorf("%s of the file system: %q, %v, want %v", name, text, err, want)
		}
	}
	if list, err := fs.ReadDir(Dir(dir), "below"); err != nil || len(list) != 1 {
		t.Errorf("a folder: %v, %v", list, err)
	}
}

// TestErrorsOfFoldersNameNoSystemCall: a missing file said "statat", and a link out of the folder to nothing that it "escapes".
func TestErrorsOfFoldersNameNoSystemCall(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("../nowhere/file", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]error{"absent": fs.ErrNotExist, "link": ErrOutside} {
		_, err := Dir(dir).Open(name)
		if !errors.Is(err, want) || strings.Contains(err.Error(), "statat") || strings.Contains(err.Error(), "openat") {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
