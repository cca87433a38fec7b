package cells

import "unicode/utf8"

// Area is a clipped window on a Buffer. Coordinates are relative to its top left corner. The zero
// Area swallows everything drawn on it.
type Area struct {
	buf *Buffer
	Rect
}

// Sub is the part r of the area, clipped to it. What is clipped off in height alone keeps its width, so that texts
// which are wrapped to it take as many rows below the area as inside of it.
func (a Area) Sub(r Rect) Area {
	x, y := max(r.X, 0), max(r.Y, 0)
	w, h := min(r.X+r.W, a.W)-x, min(r.Y+r.H, a.H)-y
	if w <= 0 {
		return Area{buf: a.buf}
	}
	return Area{buf: a.buf, Rect: Rect{X: a.X + x, Y: a.Y + y, W: w, H: max(h, 0)}}
}

// Line is row y of the area.
func (a Area) Line(y int) Area { return a.Sub(Rect{Y: y, W: a.W, H: 1}) }

// SplitTop cuts h rows off the top; rest is what remains below.
func (a Area) SplitTop(h int) (top, rest Area) {
	h = min(max(h, 0), a.H)
	return a.Sub(Rect{W: a.W, H: h}), a.Sub(Rect{Y: h, W: a.W, H: a.H - h})
}

// Set draws one rune, which must be one column wide.
func (a Area) Set(x, y int, r rune, s Style) {
	if x < 0 || y < 0 || x >= a.W || y >= a.H {
		return
	}
	a.buf.cells[(a.Y+y)*a.buf.w+a.X+x] = Cell{Rune: r, Style: s}
}

// Fill draws r in every cell.
func (a Area) Fill(r rune, s Style) {
	for y := range a.H {
		row := a.buf.Row(a.Y + y)[a.X : a.X+a.W]
		for x := range row {
			row[x] = Cell{Rune: r, Style: s}
		}
	}
}

// Put draws a row of cells as the first row of the area.
func (a Area) Put(row []Cell) {
	if !a.Empty() {
		copy(a.buf.Row(a.Y)[a.X:a.X+a.W], row)
	}
}

// Restyle changes the style of every cell and keeps the runes.
func (a Area) Restyle(f func(Style) Style) {
	for y := range a.H {
		row := a.buf.Row(a.Y + y)[a.X : a.X+a.W]
		for x := range row {
			row[x].Style = f(row[x].Style)
		}
	}
}

// Highlight reverses every cell of the area.
func (a Area) Highlight() {
	a.Restyle(func(s Style) Style { return s ^ Reverse })
}

// Text draws s from column x of row y on, cleaned and clipped at the right edge, and returns the
// column after it.
func (a Area) Text(x, y int, s string, st Style) int {
	row := a.row(y)
	for _, r := range s {
		if x >= a.W {
			break
		}
		if uint(x) < uint(len(row)) {
			row[x] = Cell{Rune: clean(r), Style: st}
		}
		x++
	}
	return x
}

// Bytes is Text for UTF-8 bytes.
func (a Area) Bytes(x, y int, s []byte, st Style) int {
	row := a.row(y)
	for len(s) > 0 && x < a.W {
		r, n := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(s)
		}
		if uint(x) < uint(len(row)) {
			row[x] = Cell{Rune: clean(r), Style: st}
		}
		s = s[n:]
		x++
	}
	return x
}

// row is the cells of a row, none where the area has no such row.
func (a Area) row(y int) []Cell {
	if y < 0 || y >= a.H {
		return nil
	}
	return a.buf.Row(a.Y + y)[a.X : a.X+a.W]
}

// Fit draws s into exactly width columns from x on: short text is padded, at the left when right is
// true; long text is cut and ends in the mark ellipsis, so that a cut is always visible.
func (a Area) Fit(x, y, width int, s []byte, right bool, ellipsis rune, st Style) {
	if width <= 0 {
		return
	}
	field := a.Sub(Rect{X: x, Y: y, W: width, H: 1})
	n := utf8.RuneCount(s)
	if n > width {
		field.Bytes(0, 0, s, st)
		a.Set(x+width-1, y, ellipsis, st)
		return
	}
	at := 0
	if right {
		at = width - n
	}
	field.Bytes(at, 0, s, st)
}

// String is the text of the area without styles, rows separated by newlines, trailing spaces kept.
func (a Area) String() string {
	out := make([]rune, 0, (a.W+1)*a.H)
	for y := range a.H {
		if y > 0 {
			out = append(out, '\n')
		}
		for _, c := range a.buf.Row(a.Y + y)[a.X : a.X+a.W] {
			out = append(out, c.Shown())
		}
	}
	return string(out)
}
