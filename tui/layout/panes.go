package layout

import "vyretop/tui/cells"

// Pane is a part of the screen that the user can give another size.
type Pane uint8

// The panes.
const (
	DetailPane Pane = iota // at the right; its size is a percentage of the columns
	StripPane              // above the log, on large screens; in rows, as is
	LogPane
	NumPanes
)

var paneNames = [NumPanes]string{"detail", "strip", "log"}

// String names the pane.
func (p Pane) String() string { return paneNames[p] }

// Sizes are the sizes of the panes as the user wants them; 0 is what suits the screen, Hidden none. What does
// not fit the screen becomes less.
type Sizes [NumPanes]int

// Hidden is the size of a pane that is not shown.
const Hidden = -1

// MinPane is the least size of a pane that is shown.
const MinPane = 3

// MaxDetail is the largest percentage of the detail pane.
const MaxDetail = 75

// minMain is what the panes leave of the main panel, in rows: its title, its head and a few rows.
const minMain = 6

// size is what a pane gets that would get suits, and at most room.
func (s *Sizes) size(p Pane, suits, room int) int {
	switch want := s[p]; {
	case want == Hidden || room < MinPane:
		return 0
	case want == 0:
		return min(suits, room)
	default:
		return min(max(want, MinPane), room)
	}
}

// Border is the pane whose border is at x, y: its left column or, of the others, its top row.
func (l *Layout) Border(x, y int) (Pane, bool) {
	edge := func(r cells.Rect) bool { return !r.Empty() && r.Contains(x, y) }
	switch {
	case edge(cells.Rect{X: l.Detail.X, Y: l.Detail.Y, W: min(l.Detail.W, 1), H: l.Detail.H}):
		return DetailPane, true
	case edge(cells.Rect{X: l.Strip.X, Y: l.Strip.Y, W: l.Strip.W, H: min(l.Strip.H, 1)}):
		return StripPane, true
	case edge(cells.Rect{X: l.Log.X, Y: l.Log.Y, W: l.Log.W, H: min(l.Log.H, 1)}):
		return LogPane, true
	}
	return 0, false
}

// Dragged is the size of a pane whose border is dragged to x, y on a screen of w columns.
func (l *Layout) Dragged(p Pane, w, x, y int) int {
	switch p {
	case DetailPane:
		return min(max((w-x)*100/max(w, 1), MinPane), MaxDetail)
	case StripPane:
		return max(l.Strip.Y+l.Strip.H-y, MinPane)
	default:
		return max(l.Log.Y+l.Log.H-y, MinPane)
	}
}

// Size is the size that a pane has on a screen of w columns, 0 when it is not shown.
func (l *Layout) Size(p Pane, w int) int {
	switch p {
	case DetailPane:
		return (l.Detail.W*100 + w - 1) / max(w, 1)
	case StripPane:
		return l.Strip.H
	default:
		return l.Log.H
	}
}
