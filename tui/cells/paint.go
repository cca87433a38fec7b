package cells

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// Painter makes a terminal show one grid after the other. It remembers what the terminal shows and writes what
// differs. The zero value knows nothing of the terminal; it is not safe for concurrent use.
type Painter struct {
	Colors Colors // of the terminal

	w, h    int
	shown   []Cell
	palette *Palette // nil: what the terminal shows is not known
}

// Forget is for when somebody else has written to the terminal: the next grid is painted whole.
func (p *Painter) Forget() { p.palette = nil }

// Append appends what makes the terminal show a grid: nothing where it does. No style is in force behind it.
func (p *Painter) Append(dst []byte, b *Buffer, palette *Palette) []byte {
	e := newPen(palette)
	e.colors = p.Colors
	if p.palette != palette || p.w != b.w || p.h != b.h {
		p.w, p.h, p.palette = b.w, b.h, palette
		p.erased(&e)
		dst = append(dst, ansi.ResetStyle+ansi.EraseEntireScreen...)
	}
	for y := range b.h {
		if row, old := b.Row(y), p.shown[y*b.w:(y+1)*b.w]; !slices.Equal(row, old) {
			dst = e.row(dst, row, old, y, y == b.h-1)
			copy(old, row)
		}
	}
	return e.end(dst)
}

// erased is for a terminal that was erased: what it shows are blank cells, or none of those shown.
func (p *Painter) erased(e *pen) {
	grid := Buffer{cells: slices.Grow(p.shown[:0], p.w*p.h)[:p.w*p.h]}
	if p.shown = grid.cells; e.erases() {
		grid.Clear()
	} else {
		clear(p.shown)
	}
}

// moveBytes is about how long a sequence is that moves the cursor within a row, eraseBytes one that erases the rest of it.
const (
	moveBytes  = 5
	eraseBytes = 4
)

// row writes the cells of a row that differ from what is shown. Few that do not, between others that do, are written
// again: that is shorter than to move over them.
func (e *pen) row(dst []byte, row, old []Cell, y int, last bool) []byte {
	end := len(row) // from where on all can be erased
	for e.erases() && end > 0 && row[end-1] == blank {
		end--
	}
	at := -1
	for from, to := nextChange(row, old, 0); from < to; from, to = nextChange(row, old, to) {
		if dst = appendMove(dst, at, from, y); to > max(end, from)+eraseBytes {
			end = max(end, from)
			return append(e.end(e.text(dst, row[from:end])), ansi.EraseLineRight...)
		}
		if at = to; last && to == len(row) {
			return e.corner(dst, row[from:])
		}
		dst = e.text(dst, row[from:to])
	}
	return dst
}

// corner writes the end of the last row. There are terminals that scroll when their last cell is written, unless they are
// told not to wrap lines.
func (e *pen) corner(dst []byte, row []Cell) []byte {
	dst = append(dst, ansi.ResetModeAutoWrap...)
	return append(e.text(dst, row), ansi.SetModeAutoWrap...)
}

// appendMove moves the cursor to a cell, from column at of its row unless that is negative.
func appendMove(dst []byte, at, x, y int) []byte {
	dst = append(dst, "\x1b["...)
	if at >= 0 {
		return append(strconv.AppendInt(dst, int64(x-at), 10), 'C')
	}
	dst = append(strconv.AppendInt(dst, int64(y+1), 10), ';')
	return append(strconv.AppendInt(dst, int64(x+1), 10), 'H')
}

// nextChange is where the next cells that differ begin and end, from column x on.
func nextChange(row, old []Cell, x int) (from, to int) {
	for x < len(row) && row[x] == old[x] {
		x++
	}
	from, to = x, x
	for ; x < len(row) && x-to < moveBytes; x++ {
		if row[x] != old[x] {
			to = x + 1
		}
	}
	return from, to
}
