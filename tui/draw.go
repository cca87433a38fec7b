package tui

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/theme"
)

// View implements tea.Model. It draws only after something was handled, and returns the same string
// as before when no cell has changed, so that the terminal gets no byte.
func (m *model) View() tea.View {
	if m.dirty && m.width > 0 && m.height > 0 {
		m.draw()
		m.content = m.encoder.Encode(&m.canvas, m.look.Palette)
		m.dirty = false
	}
	v := tea.NewView(m.content)
	v.AltScreen = true
	v.ReportFocus = true
	v.WindowTitle = m.title + " " + m.target.Workload
	return v
}

// draw draws the whole screen onto the canvas.
func (m *model) draw() {
	if w, h := m.canvas.Size(); w != m.width || h != m.height {
		m.canvas.Resize(m.width, m.height)
	} else {
		m.canvas.Clear()
	}
	screen := m.canvas.Area(cells.Rect{W: m.width, H: m.height})
	l := m.layout()
	st := m.status()
	f := m.frame()
	if l.Kind == layout.Status {
		m.look.DrawStatusLine(screen.Line(0), f, &st)
		m.drawMessage(screen.Line(m.height - 1))
	} else {
		m.look.DrawHeader(m.canvas.Area(l.Header), f, &st)
		m.look.DrawCharts(m.canvas.Area(l.Charts), f, m.past)
		m.look.DrawScrub(m.canvas.Area(l.Scrub), st.Replay)
		m.drawTabs(m.canvas.Area(l.Tabs))
		m.look.DrawCounts(m.canvas.Area(l.Counts), f)
		m.drawMain(m.canvas.Area(l.Main))
		m.drawSide(m.canvas.Area(l.Detail))
		m.drawStrip(m.canvas.Area(l.Strip))
		m.drawLog(m.canvas.Area(l.Log))
		m.drawFooter(m.canvas.Area(l.Footer))
	}
	if m.modal != nil {
		m.modal.draw(m, screen, screen.Line(m.height-1))
	}
	if !m.look.Glyphs.Unicode {
		m.canvas.ToASCII()
	}
}

func (m *model) drawTabs(a cells.Area) {
	x := 1
	for v := range keymap.NumViews {
		style := theme.Dim
		if v == m.tab {
			style = theme.Strong | cells.Reverse
		}
		label := " " + strconv.Itoa(int(v)+1) + " " + v.String() + " "
		if a.W < layout.FullWidth && v != m.tab {
			label = " " + strconv.Itoa(int(v)+1) + " "
		}
		x = a.Text(x, 0, label, style)
	}
}

func (m *model) drawMain(a cells.Area) {
	switch {
	case m.expanded:
		m.drawDetail(a)
	case m.tab == keymap.Step:
		m.look.DrawStep(a, m.frame(), m.worker())
	default:
		m.drawTable(a)
	}
}

// worker is the id of the selected worker, or -1.
func (m *model) worker() int {
	t := &m.tables[keymap.Workers]
	if !t.HasSelected {
		return -1
	}
	return int(t.Selected)
}

// drawSide draws the details of the selection beside the main panel.
func (m *model) drawSide(a cells.Area) {
	if a.Empty() {
		return
	}
	for y := range a.H {
		a.Set(1, y, m.look.Glyphs.Vertical, theme.Dim)
	}
	m.drawDetail(a.Sub(cells.Rect{X: 3, W: a.W - 3, H: a.H}))
}

// drawDetail draws everything known of what is selected.
func (m *model) drawDetail(a cells.Area) {
	f, t := m.frame(), m.table()
	switch m.tableTab() {
	case keymap.Tasks:
		m.look.DrawTaskDetail(a, f, t.Selected, t.HasSelected)
	case keymap.Control:
		m.look.DrawCounters(a, f)
	case keymap.Log, keymap.Events:
		m.drawRecord(a)
	default:
		m.look.DrawWorkerDetail(a, f, m.worker())
	}
}

// drawRecord draws the selected record of the log or of the events in full.
func (m *model) drawRecord(a cells.Area) {
	_, row, ok := m.selection()
	if !ok {
		m.look.DrawText(a, "Details", "Nothing is selected. Move with the arrows to read a record in full; G follows the newest again.")
		return
	}
	rows := m.arrange().rows
	columns := rows.Columns()
	text := ""
	for i := range columns {
		value, _ := rows.Append(nil, row, i)
		text += columns[i].ID + "  " + string(value) + "\n"
	}
	m.look.DrawText(a, "Details", text)
}

func (m *model) drawLog(a cells.Area) {
	if !a.Empty() {
		m.look.DrawLogTail(a, m.frame())
	}
}

// drawFooter draws the keys of the current view, or a message; at the right help and quit, which are
// always there, and the version.
func (m *model) drawFooter(a cells.Area) {
	right := m.version
	if m.sink == nil && m.live() {
		right = "read-only " + right
	}
	x := a.W - utf8.RuneCountInString(right) - 1
	a.Text(x, 0, right, theme.Dim)
	x -= len("? help  q quit") + 2
	left := a.Sub(cells.Rect{W: x - 1, H: 1})
	for _, hint := range [][2]string{{"?", "help"}, {"q", "quit"}} {
		x = a.Text(x, 0, hint[0], theme.Key)
		x = a.Text(x+1, 0, hint[1], theme.Dim) + 2
	}
	if m.message.text != "" {
		m.drawMessage(a.Sub(cells.Rect{W: a.W - utf8.RuneCountInString(right) - 2, H: 1}))
		return
	}
	m.drawHints(left)
}

// drawHints draws keys and what they do, as many as fit.
func (m *model) drawHints(a cells.Area) {
	x := 1
	active := keymap.Active(m.keys, m.context())
	slices.SortStableFunc(active, func(a, b *keymap.Binding) int { return cmp.Compare(hintRank(a), hintRank(b)) })
	for _, b := range active {
		if b.Short == "" {
			continue
		}
		key := keyName(b.Keys[0])
		if x+utf8.RuneCountInString(key)+1+len(b.Short) > a.W {
			return
		}
		x = a.Text(x, 0, key, theme.Key)
		x = a.Text(x+1, 0, b.Short, theme.Dim) + 2
	}
}

// hintRank puts the keys that only a recording has in front.
func hintRank(b *keymap.Binding) int {
	if b.Source == keymap.Replay {
		return 0
	}
	return 1
}

func (m *model) drawMessage(a cells.Area) {
	if m.message.text == "" {
		return
	}
	a.Fill(' ', theme.Plain)
	a.Fit(1, 0, a.W-1, []byte(m.message.text), false, m.look.Glyphs.Ellipsis, m.message.style)
}

// drawStrip draws the counters that have no place elsewhere, on screens that have room for them.
func (m *model) drawStrip(a cells.Area) {
	if a.Empty() || m.frame().Snap == nil {
		return
	}
	m.look.DrawStrip(a, m.frame(), m.past)
}
