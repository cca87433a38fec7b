package preprocess

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
	"vyretop/engine/plainfile"
)

// Resolver finds an included file. name is as written, from is the name of the including file. An
// error is of the kind ErrNotFound or ErrRead; what it says becomes the diagnostic.
type Resolver interface {
	Resolve(name, from string) (*source.File, error)
}

// ErrNotFound is the kind of the errors about included files that are in none of the places where they may be.
const ErrNotFound fault.Kind = "included file not found"

// NotFound says in which places an included file was looked for, in order; name is as written in the #include. The error matches
// fs.ErrNotExist, too.
func NotFound(name string, places ...string) error {
	return &fault.Error{Kind: ErrNotFound, Detail: fmt.Sprintf("the included file %q is not found (looked at %s)", name, strings.Join(places, ", ")),
		Fix: "correct the name, or add the folder that holds it to the search path"}
}

// ErrRead is the kind of the errors about included files that are there and cannot be read.
const ErrRead fault.Kind = "included file cannot be read"

func unreadable(path string, cause error) error {
	return &fault.Error{Kind: ErrRead, Subject: "the included file " + path + " cannot be read", Cause: cause, Fix: "make it a readable regular file of kernel text"}
}

// The causes of an ErrRead that are not the system's.
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

// Dirs is a Resolver that looks into embedded files first, then beside the including file (which
// may itself be embedded), then in folders. The zero Dirs looks beside the including file only.
type Dirs struct {
	Embedded fs.FS    // names such as "vyretop/log.glsl"; nil for none
	Search   []string // folders on disk, in order
}

// Resolve implements Resolver. The File's Name is the embedded name or the path that was opened.
func (d Dirs) Resolve(name, from string) (*source.File, error) {
	var places []string // that were looked at
	inside := d.has(from)
	for _, file := range d.embeddedPaths(name, from, inside) {
		if f, err := d.embedded(file, &places); f != nil || err != nil {
			return f, err
		}
	}
	for _, file := range d.diskPaths(name, from, inside) {
		if f, err := onDisk(file, &places); f != nil || err != nil {
			return f, err
		}
	}
	return nil, NotFound(name, places...)
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

// embedded reads an embedded file; nil, nil when there is none, which places then lists.
func (d Dirs) embedded(name string, places *[]string) (*source.File, error) {
	if !fs.ValidPath(name) {
		return nil, nil
	}
	text, err := fs.ReadFile(d.Embedded, name)
	if errors.Is(err, fs.ErrNotExist) {
		*places = append(*places, "embedded "+name)
		return nil, nil
	}
	if err != nil {
		return nil, unreadable("embedded "+name, err)
	}
	return &source.File{Name: name, Text: string(text)}, nil
}

// onDisk reads a regular file; nil, nil when there is none, which places then lists.
func onDisk(file string, places *[]string) (*source.File, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		*places = append(*places, file)
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
		return nil, unreadable(file, err)
	}
	return &source.File{Name: file, Text: string(text)}, nil
}
