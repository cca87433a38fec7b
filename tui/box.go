package tui

import (
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// middle is the place of a box of that size in the middle of a screen, as far as there is room above its
// last row.
func middle(screen cells.Rect, w, h int) cells.Rect {
	w, h = min(w, screen.W), min(h, screen.H-1)
	return cells.Rect{X: (screen.W - w) / 2, Y: max((screen.H-h)/2, 0), W: w, H: h}
}

// box draws an empty box with a title, and returns what is inside its border.
func (s *shared) box(screen cells.Area, at cells.Rect, title string, border cells.Style) cells.Area {
	box := screen.Sub(at)
	box.Fill(' ', theme.Plain)
	inner := s.look.Glyphs.Box(box, border)
	box.Text(2, 0, " "+title+" ", theme.Title)
	return inner
}

// drawBar draws where the rows in sight are among all rows of a list, at the right edge of its place, when there are more
// than it has room for.
func (s *shared) drawBar(a cells.Area, top, rows int) {
	if rows <= a.H || a.H == 0 {
		return
	}
	thumb := max(a.H*a.H/rows, 1)
	from := top * (a.H - thumb) / max(rows-a.H, 1)
	for y := range thumb {
		a.Set(a.W-1, from+y, s.look.Glyphs.Thumb, theme.Dim)
	}
}
