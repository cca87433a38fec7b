package tui

import (
	"slices"
	"strings"

	"vyretop/tui/keymap"
	"vyretop/tui/view"
)

// restoreSorting sorts the tables as they were sorted last. What names no column any more counts for nothing.
func (m *model) restoreSorting() {
	now := m.tab
	for v := range keymap.NumViews {
		name, descending := strings.CutPrefix(m.remembered[v.String()], "-")
		m.tab = v
		if m.tableTab() != v || name == "" {
			continue
		}
		if i := slices.Index(view.FieldNames(m.panel().rows(m).Columns()), name); i >= 0 {
			m.tables[v].Sort, m.tables[v].Descending = i, descending
		}
	}
	m.tab = now
	m.arranged = arrangement{}
}

// rememberSorting notes how the current table is sorted, for the next time; as it is at first is not noted.
func (m *model) rememberSorting() {
	if m.remembered == nil {
		return
	}
	t, v := m.table(), m.tableTab().String()
	name := m.arrange().rows.Columns()[t.Sort].ID
	if t.Descending {
		name = "-" + name
	}
	if t.Sort == 0 && !t.Descending {
		delete(m.remembered, v)
		return
	}
	m.remembered[v] = name
}
