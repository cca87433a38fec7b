package tui

import (
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
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
	if dt.shell.tab == keymap.Ring {
		return detailed{dt.shell.tab, uint64(dt.shell.ring.Cursor), true}
	}
	t := dt.shell.table()
	return detailed{dt.shell.tab, t.Selected, t.HasSelected}
}

// reading reports whether the details of the selection take the whole panel.
func (dt *details) reading() bool { return dt.shell.expanded && dt.shell.panel().detail != nil }

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
		d.rows = dt.shell.panel().detail(dt.shell, a)
	} else {
		dt.drawScrolled(a)
	}
	dt.look.DrawMore(a.Line(0), d.top, d.rows-d.page-d.top)
}

// drawLaunch draws the recommendation, with its reasons from where they are scrolled to.
func (dt *details) drawLaunch(a cells.Area) {
	d := dt
	if of := dt.inDetail(); of != d.of {
		d.of, d.top = of, 0
	}
	dt.shell.launch.Steers, dt.shell.launch.Top = dt.sink != nil, d.top
	d.rows, d.page = dt.look.DrawLaunch(a, dt.frame(), dt.shell.rows.launch.Renew(dt.frame(), &dt.shell.launch.LaunchState), &dt.shell.launch.LaunchState)
	dt.scrollDetails(0)
}

// drawScrolled draws all of the details elsewhere, and copies what is in sight.
func (dt *details) drawScrolled(a cells.Area) {
	d := dt
	d.canvas.Resize(a.W, a.H+d.top)
	d.rows = dt.shell.panel().detail(dt.shell, d.canvas.Area(cells.Rect{W: a.W, H: a.H + d.top}))
	dt.scrollDetails(0)
	for y := range a.H {
		from := y
		if y > 0 {
			from += d.top
		}
		a.Line(y).Put(d.canvas.Row(from))
	}
}
