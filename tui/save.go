package tui

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/theme"
	"vyretop/tui/view"
)

// saved says what became of a moment that was to be saved.
type saved struct {
	file string
	err  error
}

// save keeps the moment on the screen in a file, and says why.
func (m *model) save(why string) tea.Cmd { return m.saveFrame(m.frame(), why) }

func (m *model) saveFrame(f *view.Frame, why string) tea.Cmd {
	keep := m.saver
	if keep == nil || f == nil || f.Snap == nil {
		m.say(theme.Warning, "there is nothing to save here")
		return nil
	}
	snap, log := f.Snap, f.Log
	return func() tea.Msg {
		file, err := keep(snap, log, why)
		return saved{file, err}
	}
}

// saveAlerted keeps the moment in which an alert asked for it.
func (m *model) saveAlerted() tea.Cmd {
	why := m.saving
	if why == "" {
		return nil
	}
	m.saving = ""
	return m.saveFrame(m.latest, why)
}

func (m *model) onSaved(x saved) {
	if x.err != nil {
		m.fail(x.err)
		return
	}
	m.say(theme.Good, "saved as "+m.shortPath(x.file))
	at := m.now().Sub(m.target.Started)
	if f := m.latest; f.Snap != nil {
		at = f.Snap.Taken
	}
	m.events.add(view.Event{HostEvent: megakernel.HostEvent{At: at, Kind: EventSaved, Text: x.file}})
}
