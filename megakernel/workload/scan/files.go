package scan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
)

// file is one file of the tree.
type file struct {
	path     string // relative to the root, with /
	size     int64  // when the tree was walked; it may have changed since
	read     int64  // bytes read
	checksum uint32 // CRC-32C of what was read
	scanned  bool   // read to its end and searched
	matches  []Match
	problem  string // why it could not be read; "" where it could
	unit     int    // its place in the order in which files are searched
}

// tree is what was found below a folder.
type tree struct {
	root     string
	files    []*file // sorted by path bytes
	bytes    int64   // sum of the sizes
	warnings []error // folders and entries that could not be read
}

// walk collects the regular files below root. Symbolic links are not followed, but root itself may
// be one.
func walk(ctx context.Context, root string) (*tree, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, root, "the folder cannot be read", err, "check the path given with --path")
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return nil, workload.Failure(workload.ErrInput, root, "it is not a folder", err, "give a folder to --path")
	}
	t := &tree{root: real}
	err = filepath.WalkDir(real, func(name string, d fs.DirEntry, err error) error {
		return t.visit(ctx, name, d, err)
	})
	if err != nil {
		return nil, err
	}
	if len(t.files) == 0 {
		return nil, workload.Failure(workload.ErrInput, root, "no readable file below it", errors.Join(t.warnings...), "give a folder with files to --path")
	}
	slices.SortFunc(t.files, func(a, b *file) int { return strings.Compare(a.path, b.path) })
	return t, nil
}

func (t *tree) visit(ctx context.Context, name string, d fs.DirEntry, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		t.warnings = append(t.warnings, err)
		if d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if !d.Type().IsRegular() {
		return nil
	}
	info, err := d.Info()
	if err != nil {
		t.warnings = append(t.warnings, err)
		return nil
	}
	rel, err := filepath.Rel(t.root, name)
	if err != nil {
		t.warnings = append(t.warnings, err)
		return nil
	}
	t.files = append(t.files, &file{path: filepath.ToSlash(rel), size: info.Size()})
	t.bytes += info.Size()
	return nil
}

func (t *tree) open(f *file) (*os.File, error) {
	return plainfile.Open(filepath.Join(t.root, filepath.FromSlash(f.path)))
}
