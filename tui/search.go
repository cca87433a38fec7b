package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/theme"
)

// search is what is looked for outside of the model's goroutine, one thing at a time. Looking for something else, or
// Esc, ends it.
type search struct {
	generation int
	stop       context.CancelFunc // nil while nothing is looked for
}

// looked is the end of a search.
type looked struct {
	generation int
	then       func(*model)
}

// lookFor starts a search; what it returns is done when it has ended, unless something else was started meanwhile.
func (m *model) lookFor(what string, find func(context.Context) (then func(*model))) tea.Cmd {
	m.stopSearch()
	ctx, stop := context.WithCancel(m.ctx)
	m.search.stop = stop
	generation := m.search.generation
	m.say(theme.Plain, "looking for "+what+"; Esc stops it")
	return func() tea.Msg { return looked{generation, find(ctx)} }
}

// stopSearch ends the search that is under way, and reports whether there was one.
func (m *model) stopSearch() bool {
	if m.search.stop == nil {
		return false
	}
	m.search.stop()
	m.search = search{generation: m.search.generation + 1}
	return true
}

func (m *model) onLooked(msg looked) {
	if msg.generation != m.search.generation || m.search.stop == nil {
		return
	}
	m.stopSearch()
	m.message = message{}
	msg.then(m)
}
