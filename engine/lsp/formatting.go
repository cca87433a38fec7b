package lsp

import "strings"

// maxIndent bounds the indentation that a client may ask for, in blanks.
const maxIndent = 16

// formatting lists the edits that lay out a text: one for each line that changes.
func (s *server) formatting(p formattingParams) (any, error) {
	d, err := s.find(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	indent := defaultIndent
	switch n := p.Options.TabSize; {
	case !p.Options.InsertSpaces && n > 0:
		indent = "\t"
	case n > 0:
		indent = strings.Repeat(" ", min(n, maxIndent))
	}
	return s.edits(d, laidOut(d.text, indent)), nil
}

// edits lists how a text becomes another one that has the same lines but for empty ones at the end.
func (s *server) edits(d *document, to string) []textEdit {
	list := []textEdit{}
	starts := lineStarts(to)
	last := len(starts) - 1
	for n := range min(last, len(d.lines)) {
		was, now := line(d.text, d.lines, n), line(to, starts, n)
		if was != now {
			list = append(list, textEdit{textRange{position{n, 0}, position{n, s.encoding.units(was)}}, now})
		}
	}
	end := position{len(d.lines) - 1, s.encoding.units(line(d.text, d.lines, len(d.lines)-1))}
	switch {
	case len(d.lines) == last+1 && d.lines[last] == len(d.text):
	case len(d.lines) > last && d.lines[last] <= len(d.text):
		list = append(list, textEdit{textRange{position{last, 0}, end}, ""})
	default:
		list = append(list, textEdit{textRange{end, end}, to[starts[last]-lineEnd(to) : starts[last]]})
	}
	return list
}

// lineEnd is the length of the end of a text's last line.
func lineEnd(text string) int {
	return len(text) - len(strings.TrimRight(text, "\r\n"))
}
