package cells

import (
	"slices"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Palette holds one SGR sequence per style, complete in itself: it starts with a reset. Entries
// from Reverse on are the reversed variants. An empty sequence means no styling.
type Palette [256]string

// Encoder turns grids into styled text. It remembers the previous grid, so that a row that did not
// change costs a comparison only. The zero value is ready; it is not safe for concurrent use.
type Encoder struct {
	w, h    int
	prev    []Cell
	rows    [][]byte
	out     []byte
	text    string
	palette *Palette
}

// Encode returns the text of the grid: rows separated by newlines, each ending unstyled. When
// nothing changed since the last call it returns the same string without allocating.
func (e *Encoder) Encode(b *Buffer, p *Palette) string {
	all := e.reset(b, p)
	changed := all
	for y := range b.h {
		row, old := b.Row(y), e.prev[y*b.w:(y+1)*b.w]
		if !all && slices.Equal(row, old) {
			continue
		}
		copy(old, row)
		e.rows[y] = appendRow(e.rows[y][:0], row, p)
		changed = true
	}
	if changed {
		e.join()
	}
	return e.text
}

// reset adapts to another size or palette and reports whether every row must be encoded.
func (e *Encoder) reset(b *Buffer, p *Palette) bool {
	if e.w == b.w && e.h == b.h && e.palette == p {
		return false
	}
	e.w, e.h, e.palette = b.w, b.h, p
	e.prev = make([]Cell, len(b.cells))
	e.rows = make([][]byte, b.h)
	return true
}

func (e *Encoder) join() {
	e.out = e.out[:0]
	for y, row := range e.rows {
		if y > 0 {
			e.out = append(e.out, '\n')
		}
		e.out = append(e.out, row...)
	}
	e.text = string(e.out)
}

const sgrReset = "\x1b[m"

// AppendFirst appends what draws the grid on a terminal, whatever that shows. Where cells are blank for longer
// than it takes to say so the cursor is moved.
func AppendFirst(dst []byte, b *Buffer, p *Palette) []byte {
	dst = append(dst, sgrReset+ansi.EraseEntireScreen...)
	for y := range b.h {
		row := b.Row(y)
		for from, to := nextText(row, 0); from < to; from, to = nextText(row, to) {
			dst = append(dst, ansi.CursorPosition(from+1, y+1)...)
			dst = appendRow(dst, row[from:to], p)
		}
	}
	return dst
}

// moveBytes is about how long a sequence is that moves the cursor.
const moveBytes = 8

// nextText is where the next cells that are not blank begin and end, from column x on.
func nextText(row []Cell, x int) (from, to int) {
	for x < len(row) && row[x] == blank {
		x++
	}
	from, to = x, x
	for ; x < len(row) && x-to < moveBytes; x++ {
		if row[x] != blank {
			to = x + 1
		}
	}
	return from, to
}

// appendSGR goes from one style to another, which may look the same.
func appendSGR(dst []byte, from, to string) []byte {
	switch {
	case from == to:
		return dst
	case to == "":
		return append(dst, sgrReset...)
	default:
		return append(dst, to...)
	}
}

func appendRow(dst []byte, row []Cell, p *Palette) []byte {
	current, style := "", Style(0)
	for i, c := range row {
		if i == 0 || c.Style != style {
			dst = appendSGR(dst, current, p[c.Style])
			current, style = p[c.Style], c.Style
		}
		dst = utf8.AppendRune(dst, c.Rune)
	}
	if current != "" {
		dst = append(dst, sgrReset...)
	}
	return dst
}
