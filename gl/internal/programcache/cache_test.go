package programcache

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const testLimit = 1 << 20

func sample(i int) (Key, Program) {
	return NewKey(fmt.Sprint("text ", i)), Program{Format: uint32(i), Data: []byte(fmt.Sprint("program ", i)), Log: "log"}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// expect loads an entry and compares it; a nil want means that it must be absent.
func expect(t testing.TB, c *Cache, k Key, want *Program) {
	t.Helper()
	got, ok := c.Load(k)
	if ok != (want != nil) {
		t.Fatalf("present: %v", ok)
	}
	if ok {
		if d := cmp.Diff(*want, got); d != "" {
			t.Fatal(d)
		}
	}
}

func expectCounters(t testing.TB, c *Cache, want Counters) {
	t.Helper()
	if d := cmp.Diff(want, c.Counters()); d != "" {
		t.Fatal(d)
	}
}

func TestStoredProgramsAreFoundByLaterCaches(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	first := New(dir, testLimit)
	k, p := sample(1)
	expect(t, first, k, nil)
	check(t, first.Store(k, p))
	expectCounters(t, first, Counters{Misses: 1, Stored: 1})

	later := New(dir, testLimit)
	expect(t, later, k, &p)
	other, _ := sample(2)
	expect(t, later, other, nil)
	expectCounters(t, later, Counters{Hits: 1, Misses: 1})
	info, err := os.Stat(dir)
	check(t, err)
	if m := info.Mode().Perm(); m != 0o700 {
		t.Errorf("the directory has mode %o, others must not write into it", m)
	}
}

// TestDamageAtEveryByte changes, cuts and lengthens an entry at every place.
func TestDamageAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	k, p := sample(1)
	whole := encode(k, p)
	damaged := func(name string, b []byte) {
		t.Helper()
		c := New(dir, testLimit)
		check(t, os.WriteFile(c.path(k), b, 0o600))
		if got, ok := c.Load(k); ok {
			t.Fatalf("%s: loaded %v", name, got)
		}
		if _, err := os.Lstat(c.path(k)); !os.IsNotExist(err) {
			t.Fatalf("%s: still there: %v", name, err)
		}
		expectCounters(t, c, Counters{Misses: 1, Dropped: 1})
	}
	for i := range whole {
		b := append([]byte(nil), whole...)
		b[i] ^= 0x10
		damaged(fmt.Sprint("changed at ", i), b)
		damaged(fmt.Sprint("cut at ", i), whole[:i])
	}
	damaged("lengthened", append(whole[:len(whole):len(whole)], 0))
	c := New(dir, testLimit)
	check(t, c.Store(k, p))
	expect(t, c, k, &p)
}

// TestForeignFilesUnderAnEntrysName: none of them may block, be followed, or be read whole.
func TestForeignFilesUnderAnEntrysName(t *testing.T) {
	k, p := sample(1)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	check(t, os.WriteFile(elsewhere, encode(k, p), 0o600))
	for name, make := range map[string]func(path string) error{
		"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"link":      func(path string) error { return os.Symlink(elsewhere, path) },
		"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"huge": func(path string) error {
			if err := os.WriteFile(path, encode(k, p), 0o600); err != nil {
				return err
			}
			return os.Truncate(path, testLimit+1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := New(t.TempDir(), testLimit)
			check(t, make(c.path(k)))
			expect(t, c, k, nil)
			check(t, c.Store(k, p))
			expect(t, c, k, &p)
		})
	}
	if _, err := os.Stat(elsewhere); err != nil {
		t.Error("the target of the link is gone: ", err)
	}
}

func TestRefusedProgramsCountAsMisses(t *testing.T) {
	c := New(t.TempDir(), testLimit)
	k, p := sample(1)
	check(t, c.Store(k, p))
	expect(t, c, k, &p)
	c.Refuse(k)
	expectCounters(t, c, Counters{Misses: 1, Stored: 1, Dropped: 1})
	expect(t, c, k, nil)
}

// TestLeastRecentlyUsedGiveWay fills a cache beyond its limit and touches nothing but its own files.
func TestLeastRecentlyUsedGiveWay(t *testing.T) {
	dir := t.TempDir()
	c := New(dir, 8*blockBytes)
	old := time.Now().Add(-2 * time.Hour)
	foreign := []string{"README", "0123.prog", temporary + "1"}
	for _, name := range foreign {
		check(t, os.WriteFile(filepath.Join(dir, name), make([]byte, 10*blockBytes), 0o600))
	}
	check(t, os.WriteFile(filepath.Join(dir, temporary+"2"), nil, 0o600))
	check(t, os.Chtimes(filepath.Join(dir, temporary+"2"), old, old))
	var keys []Key
	for i := range 8 {
		k := NewKey(fmt.Sprint(i))
		keys = append(keys, k)
		check(t, c.Store(k, Program{Data: make([]byte, 100)}))
		check(t, os.Chtimes(c.path(k), old, old.Add(time.Duration(i)*time.Second)))
	}
	if _, ok := c.Load(keys[0]); !ok { // now the newest
		t.Fatal("the first is gone")
	}
	check(t, c.Store(NewKey("8"), Program{Data: make([]byte, 100)}))
	var left []int
	for i, k := range keys {
		if _, err := os.Stat(c.path(k)); err == nil {
			left = append(left, i)
		}
	}
	if d := cmp.Diff([]int{0, 4, 5, 6, 7}, left); d != "" {
		t.Error(d)
	}
	expectCounters(t, c, Counters{Hits: 1, Stored: 9, Evicted: 3})
	for _, name := range foreign {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error("not ours to remove: ", err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, temporary+"2")); !os.IsNotExist(err) {
		t.Error("what a process left half written two hours ago is still there")
	}
}

func TestProgramsThatDoNotFitAreNotWritten(t *testing.T) {
	c := New(t.TempDir(), 1000)
	k, _ := sample(1)
	check(t, c.Store(k, Program{Data: make([]byte, 200)}))
	expect(t, c, k, nil)
	expectCounters(t, c, Counters{Misses: 1})
}

// TestFailedWritesLeaveNothing: the entry's name is taken by a folder that is not empty.
func TestFailedWritesLeaveNothing(t *testing.T) {
	c := New(t.TempDir(), testLimit)
	k, p := sample(1)
	check(t, os.MkdirAll(filepath.Join(c.path(k), "full"), 0o700))
	if err := c.Store(k, p); err == nil {
		t.Error("no error")
	}
	files, err := os.ReadDir(c.dir)
	check(t, err)
	if len(files) != 1 {
		t.Errorf("%v left behind", files)
	}
}

// BenchmarkStore is the time to keep one more program of 8 KiB beside ten thousand.
func BenchmarkStore(b *testing.B) {
	c := New(b.TempDir(), DefaultLimit)
	p := Program{Data: make([]byte, 8000)}
	for i := range 10_000 {
		check(b, c.Store(NewKey(fmt.Sprint(i)), p))
	}
	i := 10_000
	for b.Loop() {
		check(b, c.Store(NewKey(fmt.Sprint(i)), p))
		i++
	}
}
