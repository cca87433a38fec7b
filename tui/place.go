package tui

import "vyretop/tui/keymap"

// Place is where in a dashboard a user is: one that is opened for the same run started again begins there.
type Place struct {
	View    keymap.View            // "": where dashboards begin
	Filters map[keymap.View]string // of the tables
	Key     uint64                 // of the selected row
	Row     bool                   // one is selected
}

// place is where the user is.
func (m *model) place() Place {
	p := Place{View: m.tab, Filters: map[keymap.View]string{}}
	for _, x := range m.panes {
		p.Filters[x.Spec().View] = x.Table().FilterText
	}
	p.Key, _, p.Row = m.table().Selection()
	return p
}

// goTo goes to a place of a dashboard that was open before.
func (m *model) goTo(p Place) {
	if p.View == "" || m.pane(p.View) == nil {
		return
	}
	for view, text := range p.Filters {
		if x := m.pane(view); x != nil {
			_ = x.Table().SetFilter(text) // it was one before
		}
	}
	m.showTab(p.View)
	if p.Row {
		m.table().Select(p.Key)
	}
}
