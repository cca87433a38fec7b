package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// restoreSorting sorts the tables as they were sorted last. What names no column any more counts for nothing.
func (m *model) restoreSorting() {
	now := m.tab
	for v := range keymap.NumViews {
		m.tab = v
		if text := m.remembered[v.String()]; m.tableTab() == v && text != "" {
			m.sortAs(strings.Split(text, ","))
		}
	}
	m.tab = now
	m.arranged = arrangement{}
}

// sortAs sorts the current table by the names of up to two columns; it reports whether there are such.
func (m *model) sortAs(names []string) bool {
	columns := m.panel().rows(m).Columns()
	by, ok := pane.ParseSort(names[0], columns)
	var then pane.SortKey
	if ok && len(names) > 1 {
		then, ok = pane.ParseSort(names[1], columns)
	}
	if !ok || len(names) > 2 {
		return false
	}
	t := m.table()
	t.SortKey, t.Then = by, then
	m.rearrange()
	return true
}

// rememberSorting notes how the current table is sorted, for the next time; as it is at first is not noted.
func (m *model) rememberSorting() {
	if m.remembered == nil {
		return
	}
	t, v := m.table(), m.tableTab().String()
	if t.SortKey == (pane.SortKey{}) && t.Then == (pane.SortKey{}) {
		delete(m.remembered, v)
		return
	}
	columns := m.arrange().rows.Columns()
	m.remembered[v] = t.SortName(columns)
	if t.Then.Sort != 0 {
		m.remembered[v] += "," + t.Then.SortName(columns)
	}
}

// typedSort sorts the current table: "sort state", "sort -priority yields".
func (m *model) typedSort(args []string) (tea.Cmd, error) {
	names := pane.FieldNames(m.arrange().rows.Columns())
	switch {
	case !keymap.Tables.Has(m.tab):
		return nil, misuse("sort", "view "+m.tab.String()+" has no columns")
	case len(args) == 0 || len(args) > 2 || !m.sortAs(args):
		return nil, misuse("sort", "name one or two of "+strings.Join(names, ", ")+", behind - to let them fall")
	}
	m.rememberSorting()
	return nil, nil
}
