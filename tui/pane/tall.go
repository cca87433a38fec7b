package pane

import (
	"unicode/utf8"

	"vyretop/tui/cells"
)

// wraps reports whether a column's texts are broken into lines instead of cut.
func (l *Look) wraps(c *Column) bool { return l.Wrap && c.Grow && !c.Right }

// height is how many lines a row takes: more than one where long texts are wrapped.
func (l *Look) height(r Rows, row int, columns []placed) int {
	most := 1
	for _, p := range columns {
		if !l.wraps(&r.Columns()[p.column]) {
			continue
		}
		text, cell := r.Append(l.cell[:0], row, p.column)
		w := p.width
		if cell.Glyph != 0 {
			w -= 2
		}
		if utf8.RuneCount(text) > w {
			most = max(most, len(Lines(string(text), w)))
		}
	}
	return most
}

// TopFor is the first position to show on that many lines for the row at a position to be the last one that is whole.
func (l *Look) TopFor(r Rows, o *Order, at, width, lines int) int {
	if !l.Wrap || at < 0 {
		return at - lines + 1
	}
	columns := fit(&l.columns, r.Columns(), width)
	top := at
	for left := lines - l.height(r, int(o.Rows[at]), columns); top > 0; top-- {
		if left -= l.height(r, int(o.Rows[top-1]), columns); left < 0 {
			break
		}
	}
	return top
}

// PositionAt is the position of the row that is drawn in line y below the head; there may be none there.
func (l *Look) PositionAt(r Rows, o *Order, s *TableState, width, y int) int {
	if !l.Wrap {
		return s.Top + y
	}
	columns := fit(&l.columns, r.Columns(), width)
	at := s.Top
	for ; at < len(o.Rows); at++ {
		if y -= l.height(r, int(o.Rows[at]), columns); y < 0 {
			break
		}
	}
	return at
}

// drawText draws the text of a cell, and marks what the filter found in it: in one line, or where it is wrapped in as
// many as the area has.
func (l *Look) drawText(a cells.Area, text []byte, c *Column, style cells.Style, s *TableState) {
	if !l.wraps(c) || utf8.RuneCount(text) <= a.W {
		a.Fit(0, 0, a.W, text, c.Right, l.Glyphs.Ellipsis, style)
		if at, n := s.Filter.Find(text); n > 0 {
			l.drawMatch(a, text, at, n, c.Right)
		}
		return
	}
	for y, line := range Lines(string(text), a.W) {
		a.Text(0, y, line, style)
		if at, n := s.Filter.Find([]byte(line)); n > 0 {
			l.drawMatch(a.Line(y), []byte(line), at, n, false)
		}
	}
}
