package workload

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/lsp"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/kernel"
)

// Project knows what the files are part of that an editor has open: a kernel, or the workload whose manifest is in their folder
// or one above it.
type Project struct {
	dir string // where copies of the kernel's own files are put, for the editor to show; "" for nowhere
}

// NewProject makes a project that keeps copies of the kernel's own files in the user's state: a folder for each version of them.
// Environ has entries "NAME=value".
func NewProject(environ []string) *Project {
	state := plainfile.StateDir(environ)
	if state == "" {
		return &Project{}
	}
	return &Project{filepath.Join(state, "kernel", kernel.Digest()[:16])}
}

// maxFileBytes bounds a file that is read because a kernel includes it, or an editor asks for it.
const maxFileBytes = preprocess.DefaultBytes

// maxUp bounds the folders above a file in which its manifest is looked for.
const maxUp = 16

// Unit implements lsp.Project.
func (e *Project) Unit(path string, open func(path string) (string, bool)) (*lsp.Unit, error) {
	name := e.nameOf(path)
	text := func(name string) (string, bool) { return e.text(name, open) }
	u := &lsp.Unit{Name: name, Text: text}
	own, _ := open(path)
	if lsp.HasVersion(own) || filepath.Ext(path) == ".comp" || !filepath.IsAbs(filepath.FromSlash(path)) {
		u.Standalone, u.Main = true, &source.File{Name: name, Text: own}
		u.Options = glsl.Options{Options: preprocess.Options{Resolver: openFiles{preprocess.Dirs{}, open}}}
		return u, nil
	}
	k, err := e.handler(name, open)
	u.Problem = err
	if k == nil {
		if k, err = EditHandler(open, name); err != nil {
			return nil, err
		}
	}
	u.Main, u.Options, u.Check = k.Main, k.Options, k.Check
	return u, nil
}

// handler finds the workload that a file is part of. Without one both results are nil.
func (e *Project) handler(name string, open func(path string) (string, bool)) (*Editing, error) {
	if kernel.IsOwnFile(name) {
		return nil, nil
	}
	dir := filepath.Dir(filepath.FromSlash(name))
	for range maxUp {
		if _, err := os.Lstat(filepath.Join(dir, ManifestName)); err == nil {
			m, err := LoadNamed(plainfile.Dir(dir), ".", filepath.ToSlash(dir))
			if err != nil {
				return nil, err
			}
			return m.Edit(open, name)
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return nil, nil
}

// text is the text of a file by its name in positions.
func (e *Project) text(name string, open func(path string) (string, bool)) (string, bool) {
	if text, ok := open(name); ok {
		return text, true
	}
	if text, ok := kernel.OwnFile(name); ok {
		return text, true
	}
	text, err := plainfile.Read(filepath.FromSlash(name), maxFileBytes)
	return string(text), err == nil
}

// nameOf is the name in positions of a file on disk: that of the kernel's own file of which it is a copy, or its path.
func (e *Project) nameOf(path string) string {
	if name, ok := strings.CutPrefix(path, filepath.ToSlash(e.dir)+"/"); ok && e.dir != "" {
		if _, own := kernel.OwnFile(name); own {
			return name
		}
	}
	return path
}

// Path implements lsp.Project. The kernel's own files are copied to where an editor can read them.
func (e *Project) Path(name string) string {
	text, own := kernel.OwnFile(name)
	if !own {
		if kernel.IsOwnFile(name) || !filepath.IsAbs(filepath.FromSlash(name)) {
			return ""
		}
		return name
	}
	if e.dir == "" {
		return ""
	}
	path := filepath.Join(e.dir, filepath.FromSlash(name))
	if have, err := plainfile.Read(path, maxFileBytes); err == nil && string(have) == text {
		return filepath.ToSlash(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return ""
	}
	if err := plainfile.Replace(path, 0o400, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}); err != nil {
		return ""
	}
	return filepath.ToSlash(path)
}

// openFiles finds included files, and gives them the texts that they have in the editor.
type openFiles struct {
	next preprocess.Resolver
	open func(path string) (text string, ok bool)
}

// Resolve implements preprocess.Resolver.
func (r openFiles) Resolve(name, from string) (*source.File, error) {
	f, err := r.next.Resolve(name, from)
	if errors.Is(err, preprocess.ErrNotFound) {
		beside := filepath.ToSlash(filepath.Join(filepath.Dir(from), name)) // it may not be on disk yet
		if text, ok := r.open(beside); ok {
			return &source.File{Name: beside, Text: text}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	f.Name = filepath.ToSlash(f.Name)
	if text, ok := r.open(f.Name); ok {
		f.Text = text
	}
	return f, nil
}
