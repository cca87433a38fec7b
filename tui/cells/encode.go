package cells

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Palette holds one SGR sequence per style, complete in itself: it starts with a reset. Entries
// from Reverse on are the reversed variants. An empty sequence means no styling.
type Palette [256]string

// Append appends the text of the grid: rows separated by newlines, each ending unstyled. Pixels are in color, or else
// characters of growing density.
func (b *Buffer) Append(dst []byte, p *Palette, color bool) []byte {
	for y := range b.h {
		if y > 0 {
			dst = append(dst, '\n')
		}
		e := pen{p: p, color: color, style: noStyle}
		dst = e.end(e.text(dst, b.Row(y)))
	}
	return dst
}

// pen writes cells one after the other, and a style where it is not that of the cell before.
type pen struct {
	p     *Palette
	color bool   // of pixels
	style int    // of the cell before; noStyle at first
	sgr   string // that is in force

	upper, lower RGB // of pixelStyle
}

// What the cell before may have in place of a style.
const (
	noStyle    = -1
	pixelStyle = -2
)

func (e *pen) text(dst []byte, row []Cell) []byte {
	for _, c := range row {
		if upper, lower, ok := c.pixels(); ok {
			dst = e.pixelCell(dst, upper, lower)
			continue
		}
		if int(c.Style) != e.style {
			dst = e.to(dst, e.p[c.Style])
			e.style = int(c.Style)
		}
		dst = utf8.AppendRune(dst, c.Rune)
	}
	return dst
}

// to continues in a style, which may look as the one before.
func (e *pen) to(dst []byte, sgr string) []byte {
	if sgr == e.sgr {
		return dst
	}
	e.sgr = sgr
	if sgr == "" {
		return append(dst, ansi.ResetStyle...)
	}
	return append(dst, sgr...)
}

// end leaves no style in force.
func (e *pen) end(dst []byte) []byte {
	e.style = noStyle
	return e.to(dst, "")
}
