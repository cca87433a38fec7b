package pane

import (
	"unicode/utf8"

	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// segment is a piece of a line: text, a value and more text. Pieces with the smallest keep are left
// out when space is short; 0 is never left out. The value is kept inside, so that a line of moving
// numbers costs no allocation.
type segment struct {
	text  string
	value [24]byte
	n     int // bytes of the value
	after string
	style cells.Style
	keep  int
	gauge bool // the occupancy instead of all this
	bar   int  // columns of a bar of progress behind it, with a space before; 0: none
}

// with gives a segment its value, padded at the left to a width.
func (s segment) with(width int, value []byte) segment {
	pad := max(width-utf8.RuneCount(value), 0)
	for i := range min(pad, len(s.value)) {
		s.value[i] = ' '
	}
	s.n = min(pad, len(s.value))
	s.n += copy(s.value[s.n:], value)
	return s
}

func (s *segment) columns() int {
	if s.gauge {
		return gaugeWidth + 5
	}
	return utf8.RuneCountInString(s.text) + utf8.RuneCount(s.value[:s.n]) + len(s.after)
}

// drawSegments draws pieces from left to right with one space between, as far as there is room for
// them. It may reorder the slice.
func (l *Look) drawSegments(a cells.Area, f *Frame, segments []segment) {
	x := 0
	for _, s := range fitSegments(segments, a.W) {
		if s.gauge {
			l.drawOccupancy(a.Sub(cells.Rect{X: x, W: s.columns(), H: 1}), f)
			x += s.columns() + 1
			continue
		}
		x = a.Text(x, 0, s.text, s.style)
		x = a.Bytes(x, 0, s.value[:s.n], s.style)
		x = a.Text(x, 0, s.after, s.style) + 1
		if s.bar > 0 {
			share, _ := f.share()
			a.Sub(cells.Rect{X: x, W: s.bar, H: 1}).Gauge(share, l.Glyphs.Bar, l.Glyphs.Rest, theme.Graph, theme.Dim)
			x += s.bar + 1
		}
	}
}

// fitSegments leaves out pieces until the others fit, in place.
func fitSegments(out []segment, width int) []segment {
	for {
		total, drop := -1, -1
		for i := range out {
			total += out[i].columns() + 1
			if out[i].keep > 0 && (drop < 0 || out[i].keep <= out[drop].keep) {
				drop = i
			}
		}
		if total <= width || drop < 0 {
			return out
		}
		out = append(out[:drop], out[drop+1:]...)
	}
}

// line is the memory for the pieces of one line at a time.
type line [20]segment

// plain is a piece without a value.
func plain(text string, style cells.Style, keep int) segment {
	return segment{text: text, style: style, keep: keep}
}

// dim is a piece in the background.
func dim(text string, keep int) segment { return plain(text, theme.Dim, keep) }
