package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// contexts are what can become of log records that the filter does not match: they are hidden, stay
// near a match, or all stay and recede.
var contexts = []int{0, 3, pane.AllRows}

// nextContext goes to the next of the contexts.
func (m *model) nextContext() {
	t := m.table()
	for i, c := range contexts {
		if c == t.Context {
			t.Context = contexts[(i+1)%len(contexts)]
			return
		}
	}
	t.Context = 0
}

// typedWindow limits the log to the records of the last while: "window 5s", "window all".
func (m *model) typedWindow(args []string) (tea.Cmd, error) {
	if len(args) != 1 {
		return nil, misuse("window", "say how long")
	}
	d, err := time.ParseDuration(args[0])
	if args[0] == "all" {
		d, err = 0, nil
	}
	if err != nil || d < 0 {
		return nil, misuse("window", args[0]+" is no time")
	}
	m.showTab(keymap.Log)
	m.logWindow = d
	return nil, nil
}
