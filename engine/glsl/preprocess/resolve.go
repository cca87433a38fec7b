package preprocess

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/plainfile"
)

// Resolver finds an included file. name is as written, from is the name of the including file. An
// error is a *NotFound or a *ReadError; what it says becomes the diagnostic.
type Resolver interface {
	Resolve(name, from string) (*source.File, error)
}

// NotFound says that an included file is in none of the places where it may be.
type NotFound struct {
	Name   string   // as written in the #include
	From   string   // name of the including file
	Places []string // looked in, in this order
}

// Error names the file and the places.
func (e *NotFound) Error() string {
	return fmt.Sprintf("the included file %q is not found (looked at %s)", e.Name, strings.Join(e.Places, ", "))
}

// Unwrap makes errors.Is(err, fs.ErrNotExist) hold.
func (e *NotFound) Unwrap() error { return fs.ErrNotExist }

// Fix says what to do about it.
func (e *NotFound) Fix() string {
	return "correct the name, or add the folder that holds it to the search path"
}

// ReadError says that an included file is there and cannot be read.
type ReadError struct {
	Name string // as written in the #include
	Path string // the file found
	Err  error
}

// Error names the file and the cause.
func (e *ReadError) Error() string {
	return fmt.Sprintf("the included file %s cannot be read: %v", e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// Fix says what to do about it.
func (e *ReadError) Fix() string { return "make it a readable regular file of kernel text" }

// The causes in a ReadError that are not the system's.
var (
	errNotRegular = errors.New("it is not a regular file")
	errTooLarge   = fmt.Errorf("it has more than %d bytes", DefaultBytes)
)

// readOnce is a Resolver that reads each file once: many #include lines and a large file with #pragma once would take hours.
type readOnce struct {
	Resolver
	found map[inclusion]*source.File
}

// inclusion is what a Resolver is asked for.
type inclusion struct{ name, from string }

// Resolve implements Resolver.
func (r readOnce) Resolve(name, from string) (*source.File, error) {
	if f := r.found[inclusion{name, from}]; f != nil {
		return f, nil
	}
	f, err := r.Resolver.Resolve(name, from)
	if err == nil {
		r.found[inclusion{name, from}] = f
	}
	return f, err
}

func includeFix(err error) string {
	var fixer interface{ Fix() string }
	if errors.As(err, &fixer) {
		return fixer.Fix()
	}
	return "correct the name of the file"
}

// Dirs is a Resolver that looks into embedded files first, then beside the including file (which
// may itself be embedded), then in folders. The zero Dirs looks beside the including file only.
type Dirs struct {
	Embedded fs.FS    // names such as "vyretop/log.glsl"; nil for none
	Search   []string // folders on disk, in order
}

// Resolve implements Resolver. The File's Name is the embedded name or the path that was opened.
func (d Dirs) Resolve(name, from string) (*source.File, error) {
	missing := &NotFound{Name: name, From: from}
	inside := d.has(from)
	for _, file := range d.embeddedPaths(name, from, inside) {
		if f, err := d.embedded(file, missing); f != nil || err != nil {
			return f, err
		}
	}
	for _, file := range d.diskPaths(name, from, inside) {
		if f, err := onDisk(file, missing); f != nil || err != nil {
			return f, err
		}
	}
	return nil, missing
}

// has reports whether a file is embedded.
func (d Dirs) has(file string) bool {
	if d.Embedded == nil || !fs.ValidPath(file) {
		return false
	}
	_, err := fs.Stat(d.Embedded, file)
	return err == nil
}

// embeddedPaths gives the embedded names under which name may be; inside: from is embedded.
func (d Dirs) embeddedPaths(name, from string, inside bool) []string {
	if d.Embedded == nil {
		return nil
	}
	paths := []string{path.Clean(name)}
	if beside := path.Join(path.Dir(from), name); inside && beside != paths[0] {
		paths = append(paths, beside)
	}
	return paths
}

// diskPaths gives the paths on disk at which name may be; inside: from is embedded.
func (d Dirs) diskPaths(name, from string, inside bool) []string {
	if filepath.IsAbs(name) {
		return []string{name}
	}
	var paths []string
	if !inside {
		paths = append(paths, filepath.Join(filepath.Dir(from), name))
	}
	for _, dir := range d.Search {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}

// embedded reads an embedded file; nil, nil when there is none, which missing then lists.
func (d Dirs) embedded(name string, missing *NotFound) (*source.File, error) {
	if !fs.ValidPath(name) {
		return nil, nil
	}
	text, err := fs.ReadFile(d.Embedded, name)
	if errors.Is(err, fs.ErrNotExist) {
		missing.Places = append(missing.Places, "embedded "+name)
		return nil, nil
	}
	if err != nil {
		return nil, &ReadError{Name: missing.Name, Path: "embedded " + name, Err: err}
	}
	return &source.File{Name: name, Text: string(text)}, nil
}

// onDisk reads a regular file; nil, nil when there is none, which missing then lists.
func onDisk(file string, missing *NotFound) (*source.File, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		missing.Places = append(missing.Places, file)
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err == nil && info.Size() > DefaultBytes {
		err = errTooLarge
	}
	var text []byte
	if err == nil {
		text, err = plainfile.Read(file, DefaultBytes)
	}
	if err != nil {
		return nil, &ReadError{Name: missing.Name, Path: file, Err: err}
	}
	return &source.File{Name: file, Text: string(text)}, nil
}
