package engine

import "strings"

// WithHeader returns p with lines that a driver sees in front of everything but #version: #extension
// lines, and macros that put something a device can do in the place of something in the kernel language.
// What the reference backend runs stays as it is, and so do the lines' positions. A program that is outside
// the kernel language is returned unchanged.
func (p *Program) WithHeader(lines string) *Program {
	if lines == "" || p.Tree == nil {
		return p
	}
	q := *p
	q.header = lines
	q.Text = withHeader(p.Text, lines)
	return &q
}

// withHeader puts lines behind the first one of a text. The second one says which line follows it.
func withHeader(text, lines string) string {
	first, rest, _ := strings.Cut(text, "\n")
	return first + "\n" + lines + rest
}
