// Package cells owns the dashboard's canvas: a fixed grid of cells, the clipped areas that views
// draw into, small charts, and what turns the grid into styled text.
//
// Every cell is one column wide. Text that comes from outside (names, log messages) is cleaned on
// its way in: control characters and characters that are not exactly one column wide become one
// visible replacement, so that no input can shift or garble a row. Drawing never allocates.
package cells

// Style is an index into the palette of SGR sequences given to the Encoder. Adding Reverse asks
// for the same style with foreground and background exchanged.
type Style uint8

// Reverse is the flag for the reversed variant of a style; palettes hold those in their upper half.
const Reverse Style = 0x80

// Cell is one column of one row: a rune, or two pixels, see Area.Pixels.
type Cell struct {
	Rune  rune
	Style Style
	Under [3]uint8 // of pixels: the color of the lower one
}

var blank = Cell{Rune: ' '}

// Rect is a rectangle of cells. A rectangle without width or height is empty.
type Rect struct{ X, Y, W, H int }

// Empty reports whether r covers no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Intersect is the part of r inside o; an empty result is the zero Rect.
func (r Rect) Intersect(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	out := Rect{X: x, Y: y, W: min(r.X+r.W, o.X+o.W) - x, H: min(r.Y+r.H, o.Y+o.H) - y}
	if out.Empty() {
		return Rect{}
	}
	return out
}

// Contains reports whether the cell at x, y lies inside r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Buffer is a grid of cells. The zero value is an empty grid.
type Buffer struct {
	w, h  int
	cells []Cell
}

// Resize makes the grid w columns by h rows, negative numbers counting as 0, and clears it.
func (b *Buffer) Resize(w, h int) {
	b.w, b.h = max(w, 0), max(h, 0)
	if n := b.w * b.h; cap(b.cells) < n {
		b.cells = make([]Cell, n)
	} else {
		b.cells = b.cells[:n]
	}
	b.Clear()
}

// Clear fills the grid with unstyled spaces.
func (b *Buffer) Clear() {
	if len(b.cells) == 0 {
		return
	}
	b.cells[0] = blank
	for n := 1; n < len(b.cells); n *= 2 { // copies are several times as fast as single cells
		copy(b.cells[n:], b.cells[:n])
	}
}

// Size is the number of columns and rows.
func (b *Buffer) Size() (w, h int) { return b.w, b.h }

// Row is the cells of row y, which must be inside the grid. It aliases the grid.
func (b *Buffer) Row(y int) []Cell { return b.cells[y*b.w : (y+1)*b.w] }

// Area is the part of the grid inside r; drawing outside of it has no effect.
func (b *Buffer) Area(r Rect) Area {
	return Area{buf: b, Rect: r.Intersect(Rect{W: b.w, H: b.h})}
}

// String is the text of the grid without styles, rows separated by newlines, trailing spaces kept.
func (b *Buffer) String() string {
	out := make([]rune, 0, (b.w+1)*b.h)
	for y := range b.h {
		if y > 0 {
			out = append(out, '\n')
		}
		for _, c := range b.Row(y) {
			out = append(out, c.Shown())
		}
	}
	return string(out)
}

// ToASCII replaces every rune that a terminal without Unicode cannot show.
func (b *Buffer) ToASCII() {
	for i := range b.cells {
		c := &b.cells[i]
		if upper, lower, ok := c.pixels(); ok {
			*c = Cell{Rune: shade(asciiShades, upper, lower), Style: c.Style}
		} else if c.Rune > '~' {
			c.Rune = Replacement
		}
	}
}
