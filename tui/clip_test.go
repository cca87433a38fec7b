package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// clipboardText recognises the library's unexported clipboard message by the type of the message
// that SetClipboard makes.
func clipboardText(msg tea.Msg) (string, bool) {
	sample := tea.SetClipboard("")()
	if fmt.Sprintf("%T", msg) != fmt.Sprintf("%T", sample) {
		return "", false
	}
	return fmt.Sprint(msg), true
}
