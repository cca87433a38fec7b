package plainfile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSpecialFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	pipe, socket, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "file")
	link, toPipe := filepath.Join(dir, "link"), filepath.Join(dir, "to-pipe")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(file, []byte("text"), 0o600), os.Symlink(file, link), os.Symlink(pipe, toPipe)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, toPipe, socket, dir, "/dev/zero", "/dev/tty", "/proc/kmsg", "/proc/self/status", "/dev/stdin"} {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s is not there: %v", path, err)
		}
		f, err := Open(path)
		if denied := errors.Is(err, fs.ErrPermission); f != nil || !errors.Is(err, ErrSpecial) && !denied {
			t.Errorf("%s: %v, %v", path, f, err)
		} else if !denied && strings.Contains(Fix(err), "permissions") {
			t.Errorf("%s: the permissions are right, and Fix says %q", path, Fix(err))
		}
		if _, err := Read(path, 10); err == nil {
			t.Errorf("%s was read", path)
		}
	}
	for _, path := range []string{file, link} {
		if text, err := Read(path, 4); string(text) != "text" || err != nil {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if _, err := Read(file, 3); !errors.Is(err, ErrTooLarge) {
		t.Error("more than the limit was read")
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for name, want := range map[string]error{"pipe": ErrSpecial, "../x": fs.ErrInvalid, "none": fs.ErrNotExist} {
		if _, err := fs.ReadFile(Dir(dir), name); !errors.Is(err, want) {
			t.Errorf("%s of a folder: %v", name, err)
		}
	}
	if list, err := fs.ReadDir(Dir(dir), "."); err != nil || len(list) != 5 {
		t.Errorf("%v: %v", list, err)
	}
}
