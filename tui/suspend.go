package tui

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// suspend gives the terminal back to the shell, where there is one that can wake us up again.
func (m *model) suspend() tea.Cmd {
	if !hasJobControl() {
		m.say(theme.Warning, "nothing could wake the dashboard up again: no shell with job control has started it")
		return nil
	}
	return tea.Suspend
}
