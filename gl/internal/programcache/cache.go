package programcache

import (
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// DefaultLimit is how many bytes the entries of a directory may take: a few hundred large kernels.
const DefaultLimit = 128 << 20

// Cache is one directory of entries. It may be used from any goroutine, and by any number of
// processes at the same time.
type Cache struct {
	dir      string
	limit    int64
	room     atomic.Int64 // what this process may write before it looks at the directory again
	counters counters
}

type counters struct{ hits, misses, dropped, stored, evicted atomic.Uint64 }

// Counters tell what became of the calls so far of this process.
type Counters struct {
	Hits    uint64 // Load found an entry
	Misses  uint64 // Load found none, or one that it dropped
	Dropped uint64 // entries removed because they were damaged, foreign or refused by the driver
	Stored  uint64 // entries written
	Evicted uint64 // entries removed because the limit was reached
}

// New makes a cache in a directory, which need not exist; limit is in bytes and above 0. No error is
// possible: in a directory that cannot be read every Load misses.
func New(dir string, limit int64) *Cache { return &Cache{dir: dir, limit: limit} }

// Counters returns the counters as they are now.
func (c *Cache) Counters() Counters {
	n := &c.counters
	return Counters{Hits: n.hits.Load(), Misses: n.misses.Load(), Dropped: n.dropped.Load(), Stored: n.stored.Load(), Evicted: n.evicted.Load()}
}

const suffix = ".prog"

func (c *Cache) path(k Key) string { return filepath.Join(c.dir, k.String()+suffix) }

// Has reports whether there is an entry for a key. Load may still refuse it.
func (c *Cache) Has(k Key) bool {
	_, err := os.Stat(c.path(k))
	return err == nil
}

// Load returns the program stored under a key and marks it as used. An entry that cannot be what
// Store wrote is removed.
func (c *Cache) Load(k Key) (p Program, ok bool) {
	b, found := c.read(c.path(k))
	if !found {
		c.counters.misses.Add(1)
		return Program{}, false
	}
	if p, ok = decode(k, b); !ok {
		c.counters.misses.Add(1)
		c.drop(k)
		return Program{}, false
	}
	c.counters.hits.Add(1)
	now := time.Now()
	_ = os.Chtimes(c.path(k), now, now) // in a directory of others' the order of use stays as it is
	return p, true
}

// read returns a file's bytes; none of a file above the limit, which Store never writes. Opening
// anything but a regular file could block.
func (c *Cache) read(path string) (b []byte, ok bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, false
	}
	if !info.Mode().IsRegular() || info.Size() > c.limit {
		return nil, true
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	b, err = io.ReadAll(io.LimitReader(f, c.limit))
	return b, err == nil
}

// Refuse takes the last hit of a key back: the driver did not want the program. The entry is removed.
func (c *Cache) Refuse(k Key) {
	c.counters.hits.Add(^uint64(0))
	c.counters.misses.Add(1)
	c.drop(k)
}

func (c *Cache) drop(k Key) {
	if os.Remove(c.path(k)) == nil {
		c.counters.dropped.Add(1)
	}
}

// Store writes an entry, and removes old ones when the limit is near. An error means that the entry
// is absent, which is harmless; a program above a quarter of the limit is not written, without one.
func (c *Cache) Store(k Key, p Program) error {
	b := encode(k, p)
	if int64(len(b)) > c.limit/4 {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	if err := c.write(k, b); err != nil {
		return err
	}
	c.counters.stored.Add(1)
	if c.room.Add(-onDisk(int64(len(b)))) < 0 {
		return c.trim()
	}
	return nil
}

// write makes the entry in one step: other processes see the old state or the new one.
func (c *Cache) write(k Key, b []byte) error {
	f, err := os.CreateTemp(c.dir, temporary+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path(k))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // else trim removes it, an hour later
	}
	return err
}
