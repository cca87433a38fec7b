package tui

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// findMatch selects the next row in direction step that the last filter matches. With the filter
// cleared, the rows around it are there to read. In the log it continues through the past and the rest of a recording.
func (m *model) findMatch(step int) tea.Cmd {
	t := m.table()
	switch {
	case t.Sought == nil:
		m.say(theme.Warning, "nothing to look for: type a filter after /, then n and N go from match to match")
	case t.FindMatch(step, !m.position.atNow()): // on from the time that is shown
	case m.shown().Spec().Records && !m.position.atNow():
		return m.position.seekRecord(recordQuery{text: t.SoughtText, expr: t.Sought, back: step < 0, from: m.position.recordAt()})
	default:
		m.say(theme.Plain, "no further row matches "+t.SoughtText)
	}
	return nil
}
