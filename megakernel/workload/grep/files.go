package grep

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/workload"
)

// file is one file of the tree.
type file struct {
	path     string // relative to the root, with /
	size     int64  // when the tree was walked, like the next
	modified time.Time
	searched bool
	lines    int64        // that match
	reached  atomic.Int64 // bytes before the page that a task has reached; not above size
}

// tree is what was found at a path. It is the Source of its pages, and keeps why files could not be read. Its
// folder stays open as long as anybody may look at the result; the garbage collector closes it.
type tree struct {
	ioservice.Files
	files    []*file      // sorted by path bytes
	bytes    int64        // sum of the sizes
	through  atomic.Int64 // bytes: sum of what was reached
	page     int64        // bytes of a page
	mu       sync.Mutex
	warnings []error // what could not be read
}

// walk collects the regular files at a path: itself, or those below it. Symbolic links are not followed, but the
// path itself may be one.
func walk(ctx context.Context, path string) (*tree, error) {
	bad := func(detail string, err error, fix string) (*tree, error) {
		return nil, workload.Failure(workload.ErrInput, path, detail, err, fix)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return bad("it cannot be read", err, "check the path given with --path")
	}
	info, err := os.Stat(real)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return bad("it is neither a file nor a folder", err, "give a file or a folder to --path")
	}
	below := "."
	if !info.IsDir() {
		real, below = filepath.Split(real)
		real = filepath.Clean(real)
	}
	t := &tree{}
	if t.Root, err = os.OpenRoot(real); err != nil {
		return bad("the folder cannot be opened", err, "check the path given with --path")
	}
	if err = t.collect(ctx, below); err == nil && len(t.files) == 0 {
		_, err = bad("no readable file", errors.Join(t.warnings...), "give a folder with files to --path")
	}
	if err != nil {
		return nil, errors.Join(err, t.Root.Close())
	}
	return t, nil
}

func (t *tree) collect(ctx context.Context, below string) error {
	err := fs.WalkDir(t.Root.FS(), below, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var info fs.FileInfo
		if err == nil && d.Type().IsRegular() {
			info, err = d.Info()
		}
		switch {
		case err != nil:
			t.warn(err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case info != nil:
			t.files = append(t.files, &file{path: name, size: info.Size(), modified: info.ModTime()})
			t.bytes += info.Size()
		}
		return nil
	})
	slices.SortFunc(t.files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	for _, f := range t.files {
		t.Names = append(t.Names, f.path)
	}
	return err
}

// reach notes how far the search of a file is. Pages that are read again do not count again.
func (t *tree) reach(f *file, to int64) {
	for to = min(to, f.size); ; {
		from := f.reached.Load()
		if to <= from {
			return
		}
		if f.reached.CompareAndSwap(from, to) {
			t.through.Add(to - from)
			return
		}
	}
}

// ReadPage implements ioservice.Source. A task asks for a page when it begins the one before it, which is as far as it
// is known to be.
func (t *tree) ReadPage(file uint32, p []byte, offset int64) (int, error) {
	if int(file) < len(t.files) {
		t.reach(t.files[file], offset-t.page)
	}
	n, err := t.Files.ReadPage(file, p, offset)
	if err != nil {
		t.warn(err)
	}
	return n, err
}

func (t *tree) warn(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.warnings = append(t.warnings, err)
}
