package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
)

// document is a text that is open in the editor.
type document struct {
	uri     string
	version int
	text    string
	lines   []int // offset of each line
	large   bool  // the text has too many bytes and is not kept

	analysis *glsl.Analysis // nil: not of this text
	unit     *Unit
	reported bool // diagnostics of this text were published

	sound *document // the last version whose analysis has no errors; nil: none
}

// setText gives a document another text.
func (d *document) setText(text string) {
	if d.large = len(text) > preprocess.DefaultBytes; d.large {
		text = ""
	}
	d.text, d.lines = text, lineStarts(text)
}

// lineStarts lists the offsets at which the lines of a text begin: LF, CR and CR LF end lines.
func lineStarts(text string) []int {
	starts := append(make([]int, 0, 1+strings.Count(text, "\n")), 0)
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// line is the text of line n, from 0, without its end.
func line(text string, starts []int, n int) string {
	if n < 0 || n >= len(starts) {
		return ""
	}
	end := len(text)
	if n+1 < len(starts) {
		end = starts[n+1]
	}
	return strings.TrimRight(text[starts[n]:end], "\r\n")
}

// encoding says in what the client counts the characters of a line.
type encoding struct{ utf8 bool } // bytes, else UTF-16 code units

// units counts the code units of s in which the client counts characters.
func (e encoding) units(text string) int {
	if e.utf8 {
		return len(text)
	}
	n := 0
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// bytes is the offset in a line of a character that the client counts; that of the end when there are fewer.
func (e encoding) bytes(text string, character int) int {
	if e.utf8 {
		return max(0, min(character, len(text)))
	}
	for i, r := range text {
		if character <= 0 {
			return i
		}
		if character--; r > 0xFFFF {
			character--
		}
	}
	return len(text)
}

// offset is the place of a position in a text.
func (e encoding) offset(d *document, p position) int {
	if p.Line >= len(d.lines) {
		return len(d.text)
	}
	n := max(p.Line, 0)
	return d.lines[n] + e.bytes(line(d.text, d.lines, n), p.Character)
}

func (s *server) opened(p openParams) {
	d := &document{uri: p.TextDocument.URI, version: p.TextDocument.Version}
	d.setText(p.TextDocument.Text)
	s.docs[d.uri] = d
	s.stale()
}

// changed carries out changes in their order. Those of a text that is not open are left out.
func (s *server) changed(p changeParams) {
	d := s.docs[p.TextDocument.URI]
	if d == nil {
		return
	}
	for _, c := range p.ContentChanges {
		if c.Range == nil {
			d.setText(c.Text)
			continue
		}
		if d.large {
			continue // of what is not known
		}
		from, to := s.encoding.offset(d, c.Range.Start), s.encoding.offset(d, c.Range.End)
		if from > to {
			from, to = to, from
		}
		d.setText(d.text[:from] + c.Text + d.text[to:])
	}
	if !utf8.ValidString(d.text) {
		d.setText(strings.ToValidUTF8(d.text, "\uFFFD"))
	}
	d.version = p.TextDocument.Version
	s.staleWith(d)
}

// closed forgets a text; what is on disk counts again for others.
func (s *server) closed(p documentParams) {
	d := s.docs[p.TextDocument.URI]
	if d == nil {
		return
	}
	delete(s.docs, d.uri)
	s.out.notify("textDocument/publishDiagnostics", publishDiagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: []diagnostic{}})
	s.stale()
}

// stale makes all texts be analyzed again.
func (s *server) stale() {
	for _, d := range s.docs {
		d.analysis, d.unit, d.reported = nil, nil, false
	}
}

// staleWith makes those texts be analyzed again that a text is part of.
func (s *server) staleWith(changed *document) {
	name := pathOf(changed.uri)
	for _, d := range s.docs {
		if d == changed || d.unit == nil || d.contains(name) {
			d.analysis, d.unit, d.reported = nil, nil, false
		}
	}
}

// pathOf is the path of a file, in the form of names in positions; the URI itself when it is not of a file.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// uriOf is the URI of a path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
