package view

import (
	"time"

	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// scrubBar is the place of the bar inside the row of DrawScrub, between the two times.
func scrubBar(width int, r *Replay) cells.Rect {
	at, end := len(units.Clock(r.At)), len(units.Clock(r.End))
	return cells.Rect{X: at + 2, W: width - at - end - 4, H: 1}
}

// ScrubTime is the moment that column x of the screen stands for, when the bar is drawn in row.
func ScrubTime(row cells.Rect, r *Replay, x int) time.Duration {
	bar := scrubBar(row.W, r)
	if bar.W < 2 {
		return r.At
	}
	part := min(max(x-row.X-bar.X, 0), bar.W-1)
	return r.End * time.Duration(part) / time.Duration(bar.W-1)
}

// DrawScrub draws where a recording is: the position, a bar from its start to its end with the part
// that was played, and the end.
func (l *Look) DrawScrub(a cells.Area, r *Replay) {
	if a.Empty() || r == nil {
		return
	}
	a.Text(1, 0, units.Clock(r.At), theme.Strong)
	end := units.Clock(r.End)
	a.Text(a.W-len(end)-1, 0, end, theme.Dim)
	bar := a.Sub(scrubBar(a.W, r))
	if bar.Empty() {
		return
	}
	bar.Fill(l.Glyphs.Horizontal, theme.Dim)
	head := 0
	if r.End > 0 {
		head = int(min(max(r.At, 0), r.End) * time.Duration(bar.W-1) / r.End)
	}
	bar.Sub(cells.Rect{W: head, H: 1}).Fill(l.Glyphs.Played, theme.Graph)
	bar.Set(head, 0, l.Glyphs.Head, theme.Strong)
}
