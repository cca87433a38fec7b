// Package layout owns where everything on the screen is: a pure function from the size of the
// terminal to rectangles. 80x24 is the reference size and complete; larger screens get a detail
// pane (from 120 columns) and a strip of worker time lines (from 160x45); smaller ones lose the
// charts and the log tail and keep one panel, and below 40x8 one status line remains.
package layout

import "vyretop/tui/cells"

// Kind says how much of the dashboard fits.
type Kind uint8

// The kinds, smallest first.
const (
	Status Kind = iota // one line
	Small              // header line, tabs, one panel, footer
	Full
)

// Sizes at which the layout changes, in columns and rows.
const (
	FullWidth, FullHeight   = 80, 24
	SmallWidth, SmallHeight = 40, 8
	DetailWidth             = 120
	StripWidth, StripHeight = 160, 45

	detailPercent = 38
	minLog        = 5
	maxLog        = 12
)

// Want says which optional parts the current view asks for.
type Want struct {
	Log    bool // a tail of the log below the main panel
	Detail bool // details of the selection, at the right
	Counts int  // rows of counts above the main panel
	Strip  int  // rows that the strip of time lines can fill; 0: any number
	Scrub  bool // the bar of time
	// Progress is the rows below the header for how far the work is.
	Progress int
	Sizes    Sizes
}

// Tall is the height from which there is room for more than one row of progress.
const Tall = 30

// Layout is the rectangles of one screen; parts that are not shown are empty. They never overlap
// and never leave the screen.
type Layout struct {
	Kind   Kind
	Header cells.Rect

	Progress cells.Rect

	Charts cells.Rect
	Scrub  cells.Rect
	Tabs   cells.Rect
	Counts cells.Rect
	Main   cells.Rect
	Detail cells.Rect
	Strip  cells.Rect
	Log    cells.Rect
	Footer cells.Rect
}

// Compute lays out a screen of w columns and h rows; sizes below 1 count as 1.
func Compute(w, h int, want Want) Layout {
	w, h = max(w, 1), max(h, 1)
	switch {
	case w < SmallWidth || h < SmallHeight:
		return Layout{Kind: Status, Header: cells.Rect{W: w, H: 1}}
	case w < FullWidth || h < FullHeight:
		return small(w, h, want)
	default:
		return full(w, h, want)
	}
}

func small(w, h int, want Want) Layout {
	c := cutter{cells.Rect{W: w, H: h}}
	l := Layout{Kind: Small, Header: c.top(1), Tabs: c.top(1), Footer: c.bottom(1)}
	l.Counts = c.top(min(want.Counts, c.rest.H-1))
	l.Main = c.rest
	return l
}

func full(w, h int, want Want) Layout {
	c := cutter{cells.Rect{W: w, H: h}}
	l := Layout{Kind: Full, Header: c.top(2)}
	if want.Progress > 0 {
		l.Progress = c.top(want.Progress)
	}
	l.Charts = c.top(chartRows(h))
	if want.Scrub {
		l.Scrub = c.top(1)
	}
	l.Tabs, l.Footer = c.top(1), c.bottom(1)
	l.Counts = c.top(want.Counts)
	if want.Log {
		l.Log = c.bottom(want.Sizes.size(LogPane, min(minLog+(h-FullHeight)/5, maxLog), c.rest.H-minMain))
	}
	if w >= StripWidth && h >= StripHeight {
		l.Strip = c.bottom(want.Sizes.size(StripPane, stripRows(h, want.Strip), c.rest.H-minMain))
	}
	if want.Detail && w >= DetailWidth {
		l.Detail = c.right(w * want.Sizes.size(DetailPane, detailPercent, MaxDetail) / 100)
	}
	l.Main = c.rest
	return l
}

// stripRows gives the time lines a sixth of the screen, or as much as they can fill.
func stripRows(h, most int) int {
	if rows := max(h/6, 8); most == 0 || rows < most {
		return rows
	}
	return max(most, MinPane)
}

// chartRows gives both charts one row each, two on a tall screen.
func chartRows(h int) int {
	if h >= 36 {
		return 4
	}
	return 2
}

// cutter cuts pieces off the edges of what is left.
type cutter struct{ rest cells.Rect }

func (c *cutter) top(n int) cells.Rect {
	r := c.rest
	r.H = n
	c.rest.Y += n
	c.rest.H -= n
	return r
}

func (c *cutter) bottom(n int) cells.Rect {
	r := c.rest
	r.Y, r.H = r.Y+r.H-n, n
	c.rest.H -= n
	return r
}

func (c *cutter) right(n int) cells.Rect {
	r := c.rest
	r.X, r.W = r.X+r.W-n, n
	c.rest.W -= n
	return r
}
