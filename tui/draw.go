package tui

import (
	"cmp"
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// View implements tea.Model. It draws only after something was handled: the terminal library is given the same text
// otherwise, and writes nothing.
func (m *model) View() tea.View {
	if m.dirty && m.width > 0 && m.height > 0 {
		m.draw()
		m.encode()
		m.dirty, m.drawn = false, m.now()
	}
	v := tea.NewView(m.content)
	v.AltScreen = true
	v.ReportFocus = true
	if m.pointer.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = m.heading
	return v
}

// encode makes the text of the canvas. One that has not changed takes no memory.
func (m *model) encode() {
	m.text = m.canvas.Append(m.text[:0], m.look.Palette, m.colorful)
	if string(m.text) != m.content {
		m.content = string(m.text)
	}
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
		m.look.DrawProgress(m.canvas.Area(l.Progress), f)
		m.look.DrawCharts(m.canvas.Area(l.Charts), f, m.feed.past)
		m.look.DrawScrub(m.canvas.Area(l.Scrub), m.position.span())
		m.chrome.drawTabs(m.canvas.Area(l.Tabs))
		m.look.DrawCounts(m.canvas.Area(l.Counts), f)
		m.drawMain(m.canvas.Area(l.Main))
		m.details.drawSide(m.canvas.Area(l.Detail))
		m.drawStrip(m.canvas.Area(l.Strip))
		m.drawLog(m.canvas.Area(l.Log))
		m.chrome.drawFooter(m.canvas.Area(l.Footer))
	}
	if m.modal != nil {
		m.modal.draw(m, screen, screen.Line(m.height-1))
	}
	if !m.look.Glyphs.Unicode {
		m.canvas.ToASCII()
	}
}

// tabLabel is how a tab is written: its digit and its name, closer together where there is less room, which a larger squeeze
// says; in the end only the current one has its name.
func (cr *chrome) tabLabel(k *pane.Kind, squeeze int) string {
	short, current := cmp.Or(k.Short, string(k.View)), k.View == cr.shell.tab
	switch {
	case squeeze == 0:
		return " " + k.Digit + " " + string(k.View) + " "
	case squeeze == 1 && current:
		return " " + k.Digit + " " + short + " "
	case squeeze == 1:
		return " " + k.Digit + short
	case current:
		return " " + k.Digit + " " + string(k.View)
	default:
		return " " + k.Digit + " "
	}
}

// mostSqueezed is the largest squeeze of tabs.
const mostSqueezed = 2

// tabZones are the places of the tabs in their row.
func (cr *chrome) tabZones(row cells.Rect) []zone {
	if cr.tabs != nil && cr.row == row && cr.tab == cr.shell.tab {
		return cr.tabs
	}
	cr.row, cr.tab = row, cr.shell.tab
	for squeeze := range mostSqueezed + 1 {
		var width int
		if cr.tabs, width = cr.layTabs(row, squeeze); width <= row.W {
			break
		}
	}
	return cr.tabs
}

// layTabs gives each view of which the target has anything a tab.
func (cr *chrome) layTabs(row cells.Rect, squeeze int) (tabs []zone, width int) {
	for _, p := range cr.shell.panes {
		s := p.Spec()
		if s.Absent {
			continue
		}
		label := cr.tabLabel(s.Kind, squeeze)
		tabs = append(tabs, zone{
			Rect: cells.Rect{X: row.X + width, Y: row.Y, W: len(label), H: row.H}, action: keymap.ShowView + string(s.View), label: label,
		})
		width += len(label)
	}
	return tabs, width
}

func (cr *chrome) drawTabs(a cells.Area) {
	for _, z := range cr.tabZones(a.Rect) {
		style := theme.Dim
		if z.action == keymap.ShowView+string(cr.shell.tab) {
			style = theme.Strong | cells.Reverse
		}
		a.Text(z.X-a.X, 0, z.label, style)
	}
}

func (vs *views) drawLog(a cells.Area) {
	if !a.Empty() {
		vs.look.DrawLogTail(a, vs.frame(), vs.tail)
	}
}

// footerRight is what the footer says at its right end besides the keys.
func (cr *chrome) footerRight() string {
	if cr.shell.sink == nil && cr.shell.live() {
		return "read-only " + cr.version
	}
	return cr.version
}

// hintRect is the part of the footer that holds keys.
func (cr *chrome) hintRect(footer cells.Rect) cells.Rect {
	footer.W -= utf8.RuneCountInString(cr.footerRight()) + 2
	return footer
}

// drawFooter draws the keys of the current view, or a message; at the right what the keys do not
// say.
func (cr *chrome) drawFooter(a cells.Area) {
	right := cr.footerRight()
	if text := cr.shell.message.text; utf8.RuneCountInString(text) > cr.hintRect(a.Rect).W-1 { // it may be what a run came to
		cr.shell.drawMessage(a)
		return
	}
	a.Text(a.W-utf8.RuneCountInString(right)-1, 0, right, theme.Dim)
	keys := cr.shell.canvas.Area(cr.hintRect(a.Rect))
	if cr.shell.message.text != "" {
		cr.shell.drawMessage(keys)
		return
	}
	for _, z := range cr.hintZones(keys.Rect) {
		x := keys.Text(z.X-a.X, 0, z.label, theme.Key)
		keys.Text(x+1, 0, z.text, theme.Dim)
	}
}

// firstKey is how the first key of an action is written; users may have left it none.
func firstKey(b *keymap.Binding) string {
	if len(b.Keys) == 0 {
		return ""
	}
	return keyName(b.Keys[0])
}

// means reports whether a key is bound to an action here.
func (cr *chrome) means(key, id string) bool {
	b := cr.keys.Find(key, cr.shell.context())
	return b != nil && b.ID == id
}

// chrome is what is drawn around the panels, kept from frame to frame while it stays the same.
type chrome struct {
	shell *model

	keys    *keymap.Map
	version string

	row, foot   cells.Rect
	tab         keymap.View
	context     keymap.Context
	hinted      hinting
	tabs, zones []zone
}

// hinting is what the footer says besides the keys of the view.
type hinting struct {
	source  bool // Enter shows source
	idle    bool // the view's own keys have nothing to act on
	playing bool // the recording plays
}

// hinting is what the footer has to say now.
func (cr *chrome) hinting() hinting {
	spec, t := cr.shell.shown().Spec(), cr.shell.transport
	return hinting{
		source: spec.Source != nil && spec.Source(), idle: spec.Idle != nil && spec.Idle(), playing: t != nil && t.Playing(),
	}
}

// hints reports whether the footer shows a key.
func (cr *chrome) hints(b *keymap.Binding) bool {
	return b.InFooter(cr.shell.tab) && !(cr.hinted.idle && b.View == cr.shell.tab)
}

// hintText is the word for a key in the footer.
func (cr *chrome) hintText(b *keymap.Binding) string {
	switch {
	case b.ID == keymap.Help || b.ID == keymap.Quit:
		return b.ID
	case b.ID == keymap.Details && cr.hinted.source:
		return "source"
	case b.ID == keymap.PlayPause && cr.hinted.playing:
		return "pause"
	}
	return b.Short
}

// hintZones are the places of the keys in the footer: help and quit, which are always there, at the
// right, and as many others as fit at the left.
func (cr *chrome) hintZones(row cells.Rect) []zone {
	now := cr.hinting()
	if cr.zones != nil && cr.foot == row && cr.context == cr.shell.context() && cr.hinted == now {
		return cr.zones
	}
	cr.hinted, cr.foot, cr.context = now, row, cr.shell.context()
	cr.zones = cr.placeHints(row)
	return cr.zones
}

// placeHints lays out the keys of the footer.
func (cr *chrome) placeHints(row cells.Rect) []zone {
	out := []zone{}
	place := func(b *keymap.Binding, x int) int {
		z := zone{action: b.ID, label: firstKey(b), text: cr.hintText(b)}
		n := utf8.RuneCountInString(z.label) + 1 + len(z.text)
		z.Rect = cells.Rect{X: x, Y: row.Y, W: n, H: row.H}
		out = append(out, z)
		return x + n + 2
	}
	always := []*keymap.Binding{cr.keys.ByID(keymap.Help), cr.keys.ByID(keymap.Quit)}
	end := row.X + row.W + 1
	for _, b := range always {
		end -= utf8.RuneCountInString(firstKey(b)+cr.hintText(b)) + 3
	}
	for x, i := end, 0; i < len(always); i++ {
		x = place(always[i], x)
	}
	active := slices.DeleteFunc(cr.keys.Active(cr.shell.context()), func(b *keymap.Binding) bool { return !cr.hints(b) })
	slices.SortStableFunc(active, func(a, b *keymap.Binding) int { return cmp.Compare(cr.hintRank(a), cr.hintRank(b)) })
	x := row.X + 1
	for _, b := range active {
		if x+utf8.RuneCountInString(firstKey(b))+1+len(cr.hintText(b)) > end-2 {
			break
		}
		x = place(b, x)
	}
	return out
}

// hintRank puts the keys that move through time in front, where they do, and before them those with which a view moves through a
// program.
func (cr *chrome) hintRank(b *keymap.Binding) int {
	switch spec := cr.shell.shown().Spec(); {
	case b.View == spec.View && spec.Traits&keymap.OwnMoves != 0:
		return 0
	case b.Source&keymap.Now == 0:
		return 1
	}
	return 2
}

func (s *shared) drawMessage(a cells.Area) {
	if s.message.text == "" {
		return
	}
	a.Fill(' ', theme.Plain)
	a.Fit(1, 0, a.W-1, []byte(s.message.text), false, s.look.Glyphs.Ellipsis, s.message.style)
}

// drawStrip draws the counters that have no place elsewhere, on screens that have room for them.
func (vs *views) drawStrip(a cells.Area) {
	if a.Empty() || vs.frame().Snap == nil {
		return
	}
	vs.look.DrawStrip(a, vs.frame(), vs.timeline.Lines)
}
