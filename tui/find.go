package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/filter"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// setFilter puts a filter on the current table; an error leaves the last good one in force. The
// selection stays as it is: while a filter is typed, the selected row may be hidden and come back. Very many tasks are
// filtered outside of the model's goroutine, so that the next key need not wait.
func (m *model) setFilter(text string) error {
	e, err := filter.Parse(text, pane.FieldNames(m.arrange().rows.Columns()))
	if err != nil {
		return err
	}
	if m.panel().chips != nil {
		if err := m.viewChips().Restrict(e); err != nil {
			return err
		}
	}
	t := m.table()
	if m.sortedBy(strings.TrimSpace(text)) {
		return nil
	}
	t.Filter, t.FilterText, t.Top = e, strings.TrimSpace(text), 0
	m.rearrange()
	return nil
}

// keepFilter sets a filter for good: it is what n and N look for, and what is selected is visible.
func (m *model) keepFilter(text string) error {
	if err := m.setFilter(text); err != nil {
		return err
	}
	if t := m.table(); t.FilterText != "" {
		t.Sought, t.SoughtText = t.Filter, t.FilterText
		if m.resorting.choose = m.resorting.wanted || m.resorting.running; !m.resorting.choose {
			m.selectVisible()
		}
	}
	return nil
}

// selectVisible moves the selection off a row that the filter hides, to the nearest one it shows.
// Only a filter of the user's does so. When the data changes under a filter the selection stays, so
// that no key press reaches a row that came under the cursor by itself.
func (m *model) selectVisible() {
	t, a := m.table(), m.arrange()
	if _, ok := a.order.Position(a.rows, t); ok || len(a.order.Rows) == 0 {
		return
	}
	if !t.HasSelected {
		if m.tab == keymap.Tasks {
			m.selectAt(0) // a filter there says which tasks are meant
		}
		return
	}
	if _, many := m.showsMany(); many {
		m.selectAt(min(a.order.Behind(a.rows, t), len(a.order.Rows)-1))
		return
	}
	unfiltered := *t
	unfiltered.Filter = nil
	all := pane.Arrange(a.rows, &unfiltered, nil) // hidden rows have no kept ranks
	row, ok := a.order.Nearest(a.rows, &all, t.Selected)
	if !ok {
		row = int(a.order.Rows[0]) // what was selected has ended
	}
	t.Selected = a.rows.Key(row)
}

func (m *model) clearFilter() {
	t := m.table()
	t.Filter, t.FilterText = nil, ""
	m.rearrange()
}

// findMatch selects the next row in direction step that the last filter matches. With the filter
// cleared, the rows around it are there to read. In the log it goes on through the past and the rest of a recording.
func (m *model) findMatch(step int) tea.Cmd {
	t, a := m.table(), m.arrange()
	if t.Sought == nil {
		m.say(theme.Warning, "nothing to look for: type a filter after /, then n and N go from match to match")
		return nil
	}
	at, ok := a.order.Position(a.rows, t)
	switch {
	case ok:
		at += step
	case step < 0:
		at = len(a.order.Rows) - 1
	case m.follows() && !m.position.atNow(): // on from the moment that is shown
		at = len(a.order.Rows)
	}
	if at, ok = a.order.Match(a.rows, t.Sought, at, step); ok {
		m.selectAt(at)
		return nil
	}
	if m.tab == keymap.Log && !m.position.atNow() {
		return m.position.seekRecord(recordQuery{text: t.SoughtText, expr: t.Sought, back: step < 0, from: m.position.recordAt()})
	}
	m.say(theme.Plain, "no further row matches "+t.SoughtText)
	return nil
}
