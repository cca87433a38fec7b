package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// host is the dashboard as its panes see it.
type host struct{ m *model }

// Frame implements pane.Shell.
func (h host) Frame() *pane.Frame { return h.m.frame() }

// Asking implements pane.Shell. A line that is typed is no question.
func (h host) Asking() bool {
	_, typing := h.m.modal.(*input)
	return h.m.modal != nil && !typing
}

// Pending implements pane.Shell.
func (h host) Pending(tasks bool) map[uint64]pane.Pending {
	if tasks {
		return h.m.control.requests.pendingTasks(h.m.now())
	}
	return h.m.control.requests.pendingWorkers(h.m.now())
}

// newTables makes the tables of the views that have their own.
func newTables(m *model, sorted map[string]string) (tables [keymap.NumViews]*pane.Table) {
	env := &pane.Env{
		Shell: host{m}, Look: &m.look, Target: &m.target, Now: func() time.Time { return m.now() }, Say: m.say, Sorted: sorted,
	}
	for v := range keymap.NumViews {
		if p := &panels[v]; p.table == v {
			tables[v] = &pane.Table{
				Env: env, View: v, Make: func() pane.Rows { return p.rows(m) }, Chips: p.chips, Follows: v == keymap.Log || v == keymap.Events,
				Always: v == keymap.Workers, Many: v == keymap.Tasks,
			}
		}
	}
	return tables
}

// outdate says that a new frame has come.
func (m *model) outdate() {
	for _, t := range m.tables {
		if t != nil {
			t.Outdate()
		}
	}
}

// forgetRows has all rows made again.
func (m *model) forgetRows() {
	for _, t := range m.tables {
		if t != nil {
			t.Forget()
		}
	}
}

// tableTab is the view whose table the current view uses.
func (m *model) tableTab() keymap.View { return m.panel().table }

// settle brings what depends on the data back into bounds after a message was handled.
func (m *model) settle() {
	if m.message.text != "" && m.now().After(m.message.until) {
		m.message = message{}
	}
	if m.control.requests.waiting() > 0 {
		m.outdate() // waiting times are part of the rows
	}
	m.ring.keepCursor()
	m.table().Settle(m.topFor)
}

// topFor is the first position to show for the row at another to be the last one on the screen.
func (m *model) topFor(at int) int {
	if m.tab == keymap.Timeline { // a line of time is never wrapped
		return at - m.pageRows() + 1
	}
	a := m.table().Arrange()
	return m.look.TopFor(a.Rows, &a.Order, at, m.layout().Main.W, m.pageRows())
}

// resorted is a new order of very many tasks.
type resorted struct{ pane.Resorted }

func (msg resorted) route(*model) tea.Cmd {
	msg.Take()
	return nil
}

// resort starts to sort very many tasks, if it is time to.
func (m *model) resort() tea.Cmd {
	cmd := m.tables[keymap.Tasks].Resort()
	if cmd == nil {
		return nil
	}
	return func() tea.Msg { return resorted{cmd().(pane.Resorted)} }
}

// showTab changes the view.
func (m *model) showTab(v keymap.View) {
	if v != m.tab {
		m.lastTab, m.tab = m.tab, v
	}
	m.expanded = false
	m.forgetRows()
}
