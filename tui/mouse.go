package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/view"
)

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 400 * time.Millisecond

// wheelRows is how many rows one notch of the wheel moves.
const wheelRows = 3

// click is the last click, to tell a second one on the same row.
type click struct {
	key uint64
	at  time.Time
}

// zone is a part of a row of the screen that does something when it is clicked.
type zone struct {
	cells.Rect
	action      string
	label, text string
}

// onMouse handles the mouse. Everything it does has a key.
func (m *model) onMouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if m.modal != nil {
		switch msg.(type) {
		case tea.MouseClickMsg:
			return m.clickModal(at)
		case tea.MouseWheelMsg:
			m.wheelModal(at)
		}
		return nil
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		m.wheel(at)
	case tea.MouseClickMsg:
		switch at.Button {
		case tea.MouseLeft:
			return m.clicked(at)
		case tea.MouseRight:
			m.openMenu(at)
		}
	case tea.MouseMotionMsg:
		if at.Button == tea.MouseLeft {
			m.dragTo(at)
		}
	case tea.MouseReleaseMsg:
		m.drag = drag{}
	}
	return nil
}

// clickModal gives a click to a dialog that takes some.
func (m *model) clickModal(at tea.Mouse) tea.Cmd {
	if x, ok := m.modal.(interface {
		click(*model, tea.Mouse) tea.Cmd
	}); ok {
		return x.click(m, at)
	}
	return nil
}

// overText reports whether the pointer is over what is no table but text, in the main panel.
func (m *model) overText(main cells.Rect, at tea.Mouse) bool {
	return main.Contains(at.X, at.Y) && (m.reading() || m.tab == keymap.Launch && at.X >= main.X+view.LaunchReasons)
}

// wheelModal scrolls a dialog that is longer than its place.
func (m *model) wheelModal(at tea.Mouse) {
	if x, ok := m.modal.(interface{ wheel(by int) }); ok {
		x.wheel(notch(at) * wheelRows)
	}
}

// notch is which way the wheel was turned.
func notch(at tea.Mouse) int {
	switch at.Button {
	case tea.MouseWheelUp:
		return -1
	case tea.MouseWheelDown:
		return 1
	}
	return 0
}

// wheel moves what is under the pointer.
func (m *model) wheel(at tea.Mouse) {
	l, by := m.layout(), notch(at)
	switch {
	case m.tab == keymap.Timeline && !m.expanded && l.Main.Contains(at.X, at.Y) && m.wheelTime(at):
	case by == 0:
	case l.Detail.Contains(at.X, at.Y), m.overText(l.Main, at):
		m.scrollDetails(by * detailRows)
	case l.Main.Contains(at.X, at.Y):
		m.moveRows(by * wheelRows)
	case l.Log.Contains(at.X, at.Y):
		m.scrollTail(by * wheelRows)
	case l.Scrub.Contains(at.X, at.Y):
		seekTime(time.Duration(by) * time.Second)(m)
	case l.Tabs.Contains(at.X, at.Y):
		m.showTab((m.tab + keymap.NumViews + keymap.View(by)) % keymap.NumViews)
	}
}

// scrollTail moves through the log below a table, which stays where it is until it is at its end again.
func (m *model) scrollTail(by int) {
	m.tail = m.frame().ScrollTail(m.tail, by, m.layout().Log.H-1)
}

func (m *model) clicked(at tea.Mouse) tea.Cmd {
	l := m.layout()
	m.drag = drag{}
	if m.drag.pane, m.drag.border = l.Border(at.X, at.Y); m.drag.border {
		return nil
	}
	for _, z := range append(m.tabZones(l.Tabs), m.hintZones(m.hintRect(l.Footer))...) {
		if z.Contains(at.X, at.Y) {
			m.message = message{}
			return m.run(z.action)
		}
	}
	switch {
	case l.Scrub.Contains(at.X, at.Y):
		m.drag.time = true
		m.seekTo(l, at)
	case m.expanded:
	case l.Main.Contains(at.X, at.Y):
		m.clickMain(l.Main, at)
	}
	return nil
}

// openMenu selects what is under the pointer and lists what can be done with it.
func (m *model) openMenu(at tea.Mouse) {
	main := m.layout().Main
	if m.expanded || !main.Contains(at.X, at.Y) {
		return
	}
	if m.clickChips(at) {
		return
	}
	m.lastClick = click{} // not the first half of a double click
	m.clickMain(main, at)
	m.lastClick = click{}
	m.openRowMenu()
}

// clickMain gives a click to what the view shows.
func (m *model) clickMain(main cells.Rect, at tea.Mouse) {
	switch m.tab {
	case keymap.Ring:
		place := view.MapArea(main)
		r := m.ringMap()
		if slot, ok := r.At(at.X-place.X, at.Y-place.Y); ok {
			again := m.clickedAgain(uint64(slot))
			m.ring.Cursor = slot
			if again {
				m.zoomIn()
			}
		}
	case keymap.Launch:
		if i := at.Y - main.Y - view.LaunchHead; i >= 0 && i < len(view.LaunchInputs) {
			m.launch.Selected = i
		}
	default:
		if !m.clickChips(at) {
			m.clickTable(main, at)
		}
	}
}

// clickedAgain notes a click and reports whether it is the second one on the same thing.
func (m *model) clickedAgain(key uint64) bool {
	again := m.lastClick.key == key && m.now().Sub(m.lastClick.at) <= doubleClick
	m.lastClick = click{key: key, at: m.now()}
	return again
}

// clickTable selects the row under the pointer, opens it on a second click, and sorts by the column
// whose head is clicked.
func (m *model) clickTable(main cells.Rect, at tea.Mouse) {
	a := m.arrange()
	switch row := at.Y - main.Y - m.head(main); {
	case row == -1 && m.tab != keymap.Timeline:
		if column, ok := view.ColumnAt(a.rows.Columns(), main.W, at.X-main.X); ok {
			m.sortColumn(column)
		}
	case row >= 0 && m.tab == keymap.Timeline:
		m.clickSpan(at.X-main.X, m.table().Top+row)
	case row >= 0:
		m.clickRow(m.positionAt(a, main, row))
	}
}

// positionAt is the position of the row that is drawn in a line below the head.
func (m *model) positionAt(a *arrangement, main cells.Rect, line int) int {
	if m.tab == keymap.Timeline {
		return m.table().Top + line
	}
	return m.look.PositionAt(a.rows, &a.order, m.table(), main.W, line)
}

// clickRow selects the row at a position, if there is one, and opens it on a second click.
func (m *model) clickRow(position int) {
	if position >= len(m.arrange().order.Rows) {
		return
	}
	m.selectAt(position)
	if m.clickedAgain(m.table().Selected) {
		m.enter()
	}
}

// sortColumn sorts by a column, or the other way round when it is the sort column already.
func (m *model) sortColumn(column int) {
	if t := m.table(); t.Sort == column {
		t.Descending = !t.Descending
	} else {
		t.Sort = column
	}
	m.rememberSorting()
	m.rearrange()
}

// seekTo moves to the moment under the pointer.
func (m *model) seekTo(l layout.Layout, at tea.Mouse) {
	if at.Y != l.Scrub.Y || l.Scrub.Empty() {
		return
	}
	m.seekMoment(view.ScrubTime(l.Scrub, m.span(), at.X))
}
