package tui

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// findMatch selects the next row in direction step that the last filter matches. With the filter
// cleared, the rows around it are there to read. In the log it continues through the past and the rest of a recording.
func (vs *views) findMatch(step int) tea.Cmd {
	t := vs.table()
	switch {
	case t.Sought == nil:
		vs.say(theme.Warning, "nothing to look for: type a filter after /, then n and N go from match to match")
	case t.FindMatch(step, !vs.shell.position.atNow()): // on from the time that is shown
	case vs.shown().Spec().Records && !vs.shell.position.atNow():
		return vs.shell.position.seekRecord(recordQuery{text: t.SoughtText, expr: t.Sought, back: step < 0, from: vs.shell.position.recordAt()})
	default:
		vs.say(theme.Plain, "no further row matches "+t.SoughtText)
	}
	return nil
}
