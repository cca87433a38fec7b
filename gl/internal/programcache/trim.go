package programcache

import (
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	temporary = ".new-"
	staleAge  = time.Hour // after which no process still writes a file
)

// trim keeps the limit. Files may vanish, removed by another process.
func (c *Cache) trim() error {
	files, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	var entries []fs.FileInfo
	total := int64(0)
	for _, f := range files {
		info, err := f.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(f.Name(), temporary) && time.Since(info.ModTime()) > staleAge:
			_ = os.Remove(filepath.Join(c.dir, f.Name()))
		case isEntry(f.Name()):
			entries = append(entries, info)
			total += onDisk(info.Size())
		}
	}
	if total > c.limit {
		total = c.evict(entries, total)
	}
	c.room.Store((c.limit - total) / 4)
	return nil
}

// blockBytes is what the smallest file takes on the usual file systems.
const blockBytes = 4096

func onDisk(size int64) int64 { return (size + blockBytes - 1) / blockBytes * blockBytes }

// evict removes the entries used longest ago until a quarter of the limit is free, and returns the size
// of those that are left.
func (c *Cache) evict(entries []fs.FileInfo, total int64) int64 {
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, e := range entries {
		if total <= c.limit/4*3 {
			return total
		}
		if os.Remove(filepath.Join(c.dir, e.Name())) == nil {
			c.counters.evicted.Add(1)
		}
		total -= onDisk(e.Size())
	}
	return total
}

func isEntry(name string) bool {
	digits, ok := strings.CutSuffix(name, suffix)
	b, err := hex.DecodeString(digits)
	return ok && err == nil && len(b) == len(Key{})
}
