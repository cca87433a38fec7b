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

func (msg looked) route(m *model) tea.Cmd {
	m.position.onLooked(msg)
	return nil
}

// lookFor starts a search; what it returns is done when it has ended, unless something else was started in the meantime.
func (ps *position) lookFor(what string, find func(context.Context) (then func(*model))) tea.Cmd {
	ps.stopSearch()
	ctx, stop := context.WithCancel(ps.ctx)
	ps.search.stop = stop
	generation := ps.search.generation
	ps.say(theme.Plain, "looking for "+what+"; Esc stops it")
	return func() tea.Msg { return looked{generation, find(ctx)} }
}

// stopSearch ends the search that is under way, and reports whether there was one.
func (ps *position) stopSearch() bool {
	if ps.search.stop == nil {
		return false
	}
	ps.search.stop()
	ps.search = search{generation: ps.search.generation + 1}
	return true
}

func (ps *position) onLooked(msg looked) {
	if msg.generation != ps.search.generation || ps.search.stop == nil {
		return
	}
	ps.stopSearch()
	ps.message = message{}
	msg.then(ps.shell)
}
