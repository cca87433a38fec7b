package lsp

import (
	"slices"
	"strings"
)

// defaultIndent is the indentation of one level.
const defaultIndent = "    "

// maxLine is the length of the longest line of a text that is laid out; longer ones are not written by hand, and their tokens take
// 50 times their memory.
const maxLine = 1 << 16

// laidOut is a text with other indentation of lines and blanks between tokens; indent is the indentation of one level. Nothing but
// blanks changes: lines stay lines, and what an author has aligned with two blanks or more stays aligned. Directives and the insides
// of comments stay as they are.
func laidOut(text, indent string) string {
	if strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		return text // a CR beside no LF ends a line, or does not, by what is beside it
	}
	f := &formatter{indent: indent}
	lines := strings.Split(text, "\n")
	if slices.ContainsFunc(lines, func(l string) bool { return len(l) > maxLine }) {
		return text
	}
	for i, l := range lines {
		end := ""
		if strings.HasSuffix(l, "\r") {
			l, end = l[:len(l)-1], "\r"
		}
		lines[i] = f.line(l) + end
	}
	out := strings.TrimRight(strings.Join(lines, "\n"), "\r\n")
	switch {
	case out == "":
		return ""
	case strings.Contains(text, "\r\n"):
		return out + "\r\n"
	}
	return out + "\n"
}

// formatter is where the text has come to at the beginning of a line.
type formatter struct {
	indent    string
	nesting   nesting
	comment   bool // inside a comment of several lines
	directive bool // the last line was one, and is continued
	unended   bool // the last statement has not ended
}

// line formats a line without its end.
func (f *formatter) line(l string) string {
	trimmed := strings.TrimRight(l, " \t\v\f")
	switch {
	case f.directive:
		f.directive = strings.HasSuffix(trimmed, `\`)
		return trimmed
	case f.comment:
		f.scan(tokens(trimmed, true))
		return trimmed
	case trimmed == "":
		return ""
	}
	body := strings.TrimLeft(trimmed, " \t\v\f")
	if body[0] == '#' {
		f.directive = strings.HasSuffix(trimmed, `\`)
		_, after, comment := strings.Cut(body, "/*")
		f.comment = comment && !strings.Contains(after, "*/")
		return trimmed
	}
	toks := tokens(body, false)
	if strings.HasSuffix(body, `\`) {
		f.scan(toks)
		return trimmed // the next line continues it
	}
	before := f.margin(trimmed[:len(trimmed)-len(body)], toks)
	f.scan(toks)
	return before + spaced(toks)
}

// margin is the indentation of a line.
func (f *formatter) margin(written string, toks []token) string {
	first, n := toks[0].text, &f.nesting
	closing := 0
	for closing < len(toks) && strings.Contains(")]}", toks[closing].text) {
		closing++
	}
	levels := n.behind(closing)
	switch {
	case (first == "case" || first == "default") && levels > 0:
		return f.between(written, levels-1, levels)
	case closing > 0:
		return strings.Repeat(f.indent, levels)
	case first == "{":
		return strings.Repeat(f.indent, n.block())
	case n.inside() || f.unended && !n.fresh:
		least := strings.Repeat(f.indent, n.continued())
		if f.width(written) > f.width(least) {
			return written // aligned by its author
		}
		return least
	}
	return strings.Repeat(f.indent, n.statement(first))
}

// between keeps what is written where it is one of two levels.
func (f *formatter) between(written string, low, high int) string {
	if f.width(written) >= f.width(strings.Repeat(f.indent, high)) {
		low = high
	}
	return strings.Repeat(f.indent, low)
}

// width is the number of columns of an indentation; a tab counts as one level.
func (f *formatter) width(s string) int {
	n := 0
	for _, c := range s {
		if c == '\t' {
			n += max(len(f.indent), 4)
		} else {
			n++
		}
	}
	return n
}

// scan follows brackets, comments and the ends of statements.
func (f *formatter) scan(toks []token) {
	f.nesting.line++
	f.comment = f.comment && len(toks) == 0
	for _, t := range toks {
		if t.kind == commentToken {
			f.comment = t.open
			continue
		}
		f.nesting.take(t.text)
		f.unended = t.text != ";" && t.text != "{" && t.text != "}" && t.text != ":"
		if t.text == "," && f.nesting.inBraces() {
			f.unended = false // of an enumeration in braces
		}
	}
}
