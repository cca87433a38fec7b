package view

import (
	"time"

	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// DrawScrub draws where a recording is: the position, a bar from its start to its end with the part
// that was played, and the end.
func (l *Look) DrawScrub(a cells.Area, r *Replay) {
	if a.Empty() || r == nil {
		return
	}
	at, end := units.Clock(r.At), units.Clock(r.End)
	a.Text(1, 0, at, theme.Strong)
	bar := a.Sub(cells.Rect{X: len(at) + 2, W: a.W - len(at) - len(end) - 4, H: 1})
	bar.Fill(l.Glyphs.Horizontal, theme.Dim)
	if bar.Empty() {
		return
	}
	head := 0
	if r.End > 0 {
		head = int(min(max(r.At, 0), r.End) * time.Duration(bar.W-1) / r.End)
	}
	bar.Sub(cells.Rect{W: head, H: 1}).Fill(l.Glyphs.Played, theme.Graph)
	bar.Set(head, 0, l.Glyphs.Head, theme.Strong)
	a.Text(a.W-len(end)-1, 0, end, theme.Dim)
}
