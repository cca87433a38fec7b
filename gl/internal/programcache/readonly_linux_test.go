package programcache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody drops the rights to all files that root has, for this thread.
func asNobody(t *testing.T) {
	if os.Getuid() != 0 {
		return
	}
	runtime.LockOSThread()
	check(t, syscall.Setfsuid(65534))
	t.Cleanup(func() {
		check(t, syscall.Setfsuid(0))
		runtime.UnlockOSThread()
	})
}

// TestReadOnlyDirectory: entries are used, new ones are not kept, damaged ones stay where they are.
func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	check(t, os.Chmod(filepath.Dir(dir), 0o755))
	writer := New(dir, testLimit)
	k1, p1 := sample(1)
	k2, p2 := sample(2)
	k3, p3 := sample(3)
	check(t, writer.Store(k1, p1))
	check(t, writer.Store(k2, p2))
	check(t, os.Chmod(writer.path(k1), 0o444))
	check(t, os.WriteFile(writer.path(k2), []byte("damaged"), 0o444))
	check(t, os.Chmod(writer.path(k2), 0o444))
	check(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { check(t, os.Chmod(dir, 0o700)) })

	asNobody(t)
	c := New(dir, testLimit)
	expect(t, c, k1, &p1)
	expect(t, c, k2, nil)
	if err := c.Store(k3, p3); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Store gives %v", err)
	}
	expect(t, c, k3, nil)
	expectCounters(t, c, Counters{Hits: 1, Misses: 2})
}

func TestUnreadableDirectory(t *testing.T) {
	dir := t.TempDir()
	check(t, os.Chmod(filepath.Dir(dir), 0o755))
	check(t, os.Chmod(dir, 0))
	t.Cleanup(func() { check(t, os.Chmod(dir, 0o700)) })
	asNobody(t)
	c := New(filepath.Join(dir, "programs"), testLimit)
	k, p := sample(1)
	expect(t, c, k, nil)
	if err := c.Store(k, p); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Store gives %v", err)
	}
}
