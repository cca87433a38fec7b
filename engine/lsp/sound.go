package lsp

import (
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// While a text has errors, what its last version without any says serves for what the analysis of this one does not know: a brace
// that is open takes the functions behind it with it.

// mostSound is the size of the largest text that is kept, in bytes: the analysis of a text can take over a hundred times its size, and
// the one of the next version is made beside it.
const mostSound = 256 << 10

// keep keeps a text whose analysis has no errors.
func (d *document) keep() {
	switch {
	case len(d.text) > mostSound:
		d.sound = nil
	case d.analysis.Program != nil:
		sound := *d
		sound.sound = nil
		d.sound = &sound
	}
}

// before is the last version of a text without errors, and the place there for one in this text. same reports whether the line was
// the same; else the place is about where the lines that differ begin. It is nil for a text without errors.
func (d *document) before(at source.Pos) (old *document, there source.Pos, same bool) {
	if d.sound == nil || d.analysis.Program != nil {
		return nil, at, false
	}
	there = at
	there.File = d.sound.unit.Name
	there.Line, same = moved(d, d.sound, at.Line)
	return d.sound, there, same
}

// moved is the number of a line of one version of a text in another one. Lines are the same from the beginning up to the first that
// differs, and from the end back to the last; false is for a line between these.
func moved(from, to *document, number int) (int, bool) {
	n, m := len(from.lines), len(to.lines)
	alike := func(i, k int) bool { return line(from.text, from.lines, i) == line(to.text, to.lines, k) }
	first := 0
	for first < min(n, m) && alike(first, first) {
		first++
	}
	last := 0
	for last < min(n, m)-first && alike(n-1-last, m-1-last) {
		last++
	}
	switch i := number - 1; {
	case i < first:
		return number, true
	case i >= n-last:
		return number + m - n, true
	}
	return min(first+1, m), false
}

// usedBefore finds the name at a place in the last version of a text without errors: the same word in a line that is the same, else
// what could be named by that word where the lines that differ begin.
func usedBefore(s *server, d *document, at source.Pos) (old *document, u glsl.Use, ok bool) {
	old, there, same := d.before(at)
	if old == nil {
		return nil, u, false
	}
	if same {
		u, ok = old.analysis.UseAt(there)
		return old, u, ok
	}
	word, from := s.wordAt(d, at)
	l := line(d.text, d.lines, at.Line-1)
	if word == "" || strings.HasSuffix(strings.TrimRight(l[:min(max(from.Col-1, 0), len(l))], " \t"), ".") {
		return nil, u, false
	}
	for _, x := range old.analysis.Visible(there) {
		if x.Name == word {
			return old, glsl.Use{Pos: there, Symbol: x, Struct: x.Struct}, true
		}
	}
	return nil, u, false
}

// namesBefore adds the names that could be used at a place in the last version of a text without errors.
func namesBefore(s *server, d *document, at source.Pos, typed string, items []completionItem) []completionItem {
	old, there, _ := d.before(at)
	if old == nil {
		return items
	}
	known := map[string]bool{}
	for i := range items {
		known[items[i].Label] = true
	}
	for _, x := range s.names(old, there, typed) {
		if !known[x.Label] {
			items = append(items, x)
		}
	}
	return items
}

// dotted lists what can follow a dot.
func dotted(d *document, dot source.Pos) []completionItem {
	value, block := d.analysis.Dotted(dot)
	if value == nil && block == nil {
		if old, there, same := d.before(dot); same {
			value, block = old.analysis.Dotted(there)
		}
	}
	return membersOf(value, block)
}
