package tui

import (
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/theme"
)

// detailRows is how many rows a key or a notch of the wheel scrolls details.
const detailRows = 3

// details is how far the details of the selection are scrolled.
type details struct {
	*shared

	shell *model

	of     detailed
	top    int          // rows that are scrolled away
	rows   int          // that everything took when it was drawn last
	page   int          // rows of the pane then
	canvas cells.Buffer // all of it, when some is scrolled away
}

// detailed is what details are of.
type detailed struct {
	view keymap.View
	key  uint64
	any  bool
}

func (dt *details) inDetail() detailed {
	if of := dt.shell.shown().Spec().Of; of != nil {
		return detailed{dt.shell.tab, of(), true}
	}
	t := dt.shell.table()
	return detailed{dt.shell.tab, t.Selected, t.HasSelected}
}

// reading reports whether the details of the selection take the whole panel.
func (dt *details) reading() bool { return dt.shell.expanded && dt.shell.shown().Spec().Detail != nil }

// scrollDetails scrolls the details of the selection, as far as they are longer than their pane.
func (dt *details) scrollDetails(by int) {
	d := dt
	d.top = min(max(d.top+by, 0), max(d.rows-d.page, 0))
}

// drawDetail draws the details of the selection, from where they are scrolled to. Their title stays.
func (dt *details) drawDetail(a cells.Area) {
	d := dt
	if of := dt.inDetail(); of != d.of {
		d.of, d.top = of, 0
	}
	if d.page = a.H; d.top == 0 {
		d.rows = dt.shell.shown().Spec().Detail(a)
	} else {
		dt.drawScrolled(a)
	}
	dt.look.DrawMore(a.Line(0), d.top, d.rows-d.page-d.top)
}

// drawPane draws a pane with text in it, from where that is scrolled to.
func (dt *details) drawPane(a cells.Area) {
	d := dt
	if of := dt.inDetail(); of != d.of {
		d.of, d.top = of, 0
	}
	d.rows, d.page = dt.shell.shown().Spec().Scrolled(a, d.top)
	dt.scrollDetails(0)
}

// drawScrolled draws all of the details elsewhere, and copies what is in sight.
func (dt *details) drawScrolled(a cells.Area) {
	d := dt
	d.canvas.Resize(a.W, a.H+d.top)
	d.rows = dt.shell.shown().Spec().Detail(d.canvas.Area(cells.Rect{W: a.W, H: a.H + d.top}))
	dt.scrollDetails(0)
	for y := range a.H {
		from := y
		if y > 0 {
			from += d.top
		}
		a.Line(y).Put(d.canvas.Row(from))
	}
}

// drawSide draws the details of the selection beside the main panel.
func (dt *details) drawSide(a cells.Area) {
	if a.Empty() {
		return
	}
	for y := range a.H {
		a.Set(1, y, dt.look.Glyphs.Vertical, theme.Dim)
	}
	dt.drawDetail(a.Sub(cells.Rect{X: 3, W: a.W - 3, H: a.H}))
}
