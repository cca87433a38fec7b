package tui

import (
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
)

// detailRows is how many rows a key or a notch of the wheel scrolls details.
const detailRows = 3

// details is how far the details of the selection are scrolled.
type details struct {
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

func (m *model) inDetail() detailed {
	if m.tab == keymap.Ring {
		return detailed{m.tab, uint64(m.ring.Cursor), true}
	}
	t := m.table()
	return detailed{m.tab, t.Selected, t.HasSelected}
}

// reading reports whether the details of the selection take the whole panel.
func (m *model) reading() bool { return m.expanded && m.panel().detail != nil }

// scrollDetails scrolls the details of the selection, as far as they are longer than their pane.
func (m *model) scrollDetails(by int) {
	d := &m.details
	d.top = min(max(d.top+by, 0), max(d.rows-d.page, 0))
}

// drawDetail draws the details of the selection, from where they are scrolled to. Their title stays.
func (m *model) drawDetail(a cells.Area) {
	d := &m.details
	if of := m.inDetail(); of != d.of {
		d.of, d.top = of, 0
	}
	if d.page = a.H; d.top == 0 {
		d.rows = m.panel().detail(m, a)
	} else {
		m.drawScrolled(a)
	}
	m.look.DrawMore(a.Line(0), d.top, d.rows-d.page-d.top)
}

// drawLaunch draws the recommendation, with its reasons from where they are scrolled to.
func (m *model) drawLaunch(a cells.Area) {
	d := &m.details
	if of := m.inDetail(); of != d.of {
		d.of, d.top = of, 0
	}
	m.launch.Steers, m.launch.Top = m.sink != nil, d.top
	d.rows, d.page = m.look.DrawLaunch(a, m.frame(), m.rows.launch.Renew(m.frame(), &m.launch), &m.launch)
	m.scrollDetails(0)
}

// drawScrolled draws all of the details elsewhere, and copies what is in sight.
func (m *model) drawScrolled(a cells.Area) {
	d := &m.details
	d.canvas.Resize(a.W, a.H+d.top)
	d.rows = m.panel().detail(m, d.canvas.Area(cells.Rect{W: a.W, H: a.H + d.top}))
	m.scrollDetails(0)
	for y := range a.H {
		from := y
		if y > 0 {
			from += d.top
		}
		a.Line(y).Put(d.canvas.Row(from))
	}
}
