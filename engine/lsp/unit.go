package lsp

import (
	"slices"
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Project knows what files are part of.
type Project interface {
	// Unit gives the kernel that a file is part of. path is its path, or its URI where it has none; open gives the texts of files that
	// are open in the editor, by their paths.
	Unit(path string, open func(path string) (text string, ok bool)) (*Unit, error)
	// Path is where a file of a kernel is on disk, by its name in positions; "" where it is not and cannot be put.
	Path(name string) string
}

// Unit is a kernel that a file is part of.
type Unit struct {
	Name       string // of the file in positions
	Main       *source.File
	Options    glsl.Options
	Standalone bool                      // the file is Main
	Problem    error                     // of what surrounds the file, as a manifest; else nil
	Check      func(*tree.Program) error // finds more in a kernel without errors; may be nil
	// Text gives the text of a file by its name in positions.
	Text func(name string) (text string, ok bool)
}

// contains reports whether a file contributes to the kernel of a text.
func (d *document) contains(name string) bool {
	return d.analysis != nil && slices.Contains(d.analysis.Files, name)
}

// openText is the text of an open file.
func (s *server) openText(path string) (string, bool) {
	for _, d := range s.docs {
		if pathOf(d.uri) == path {
			return d.text, !d.large
		}
	}
	return "", false
}

// analyze analyzes a text, unless that was done.
func (s *server) analyze(d *document) {
	if d.analysis != nil {
		return
	}
	if other := s.including(d); other != nil {
		unit := *other.unit
		unit.Name, unit.Standalone = pathOf(d.uri), false
		d.unit, d.analysis = &unit, other.analysis
		d.keep()
		return
	}
	unit, err := s.project.Unit(pathOf(d.uri), s.openText)
	if err != nil {
		main := &source.File{Name: pathOf(d.uri), Text: d.text}
		unit = &Unit{Name: main.Name, Main: main, Standalone: true, Problem: err}
	}
	d.unit = unit
	d.analysis = glsl.Analyze(d.unit.Main, d.unit.Options)
	d.keep()
}

// including is another open text that is a kernel and includes d, which itself is none: it has no #version.
func (s *server) including(d *document) *document {
	if HasVersion(d.text) {
		return nil
	}
	name := pathOf(d.uri)
	for _, other := range s.docs {
		if other == d || !HasVersion(other.text) {
			continue
		}
		if s.analyze(other); other.contains(name) {
			return other
		}
	}
	return nil
}

// HasVersion reports whether a text begins with #version, as one that stands alone does.
func HasVersion(text string) bool {
	pre, _ := preprocess.Run(&source.File{Name: "text", Text: text[:versionEnd(text)]}, preprocess.Options{})
	return pre.VersionPos.IsValid()
}

// versionEnd is the end of the line of the first #version in a text.
func versionEnd(text string) int {
	i := strings.Index(text, "#version")
	if i < 0 {
		return 0
	}
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// place is the position of the front end for one of the client.
func (s *server) place(d *document, p position) source.Pos {
	n := min(max(p.Line, 0), len(d.lines)-1)
	at := source.Pos{File: d.unit.Name, Line: n + 1, Col: 1}
	if n == p.Line {
		at.Col += s.encoding.bytes(line(d.text, d.lines, n), p.Character)
	}
	if n == 0 {
		at.Col -= len(byteOrderMark(d.text))
	}
	return at
}

// byteOrderMark is the mark that a text begins with, which the front end does not count.
func byteOrderMark(text string) string {
	if strings.HasPrefix(text, "\uFEFF") {
		return "\uFEFF"
	}
	return ""
}

// rangeOf is the range of length bytes from a place of a text on.
func (e encoding) rangeOf(text string, starts []int, at source.Pos, length int) textRange {
	l := line(text, starts, at.Line-1)
	from := max(0, at.Col-1)
	if at.Line == 1 {
		from += len(byteOrderMark(text))
	}
	from = min(from, len(l))
	to := min(from+length, len(l))
	return textRange{position{at.Line - 1, e.units(l[:from])}, position{at.Line - 1, e.units(l[:to])}}
}

// locate gives the location of length bytes from a place of any file of the kernel on; false when it is in no file on disk.
func (s *server) locate(d *document, at source.Pos, length int) (location, bool) {
	if !at.IsValid() {
		return location{}, false
	}
	if at.File == d.unit.Name {
		return location{d.uri, s.encoding.rangeOf(d.text, d.lines, at, length)}, true
	}
	path := s.project.Path(at.File)
	text, ok := d.unit.textOf(at.File)
	if path == "" || !ok {
		return location{}, false
	}
	return location{s.uriFor(path), s.encoding.rangeOf(text, lineStarts(text), at, length)}, true
}

// uriFor is the URI of a path: as the client writes it, where the file is open.
func (s *server) uriFor(path string) string {
	for uri := range s.docs {
		if pathOf(uri) == path {
			return uri
		}
	}
	return uriOf(path)
}

// textOf is the text of a file of the kernel.
func (u *Unit) textOf(name string) (string, bool) {
	if u.Text == nil {
		return "", false
	}
	return u.Text(name)
}
