package tui

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// saved says what became of a snapshot that was to be saved.
type saved struct {
	file string
	err  error
}

func (msg saved) route(m *model) tea.Cmd {
	m.files.onSaved(msg)
	return nil
}

// save keeps the snapshot on the screen in a file, and says why.
func (fs *files) save(why string) tea.Cmd { return fs.saveFrame(fs.frame(), why) }

func (fs *files) saveFrame(f *pane.Frame, why string) tea.Cmd {
	keep := fs.saver
	if keep == nil || f == nil || f.Snap == nil {
		fs.say(theme.Warning, "there is nothing to save here")
		return nil
	}
	snap, log := f.Snap, f.Log
	return func() tea.Msg {
		file, err := keep(snap, log, why)
		return saved{file, err}
	}
}

// saveAlerted keeps the snapshot in which an alert asked for it.
func (fs *files) saveAlerted() tea.Cmd {
	why := fs.saving
	if why == "" {
		return nil
	}
	fs.saving = ""
	return fs.saveFrame(fs.latest, why)
}

func (fs *files) onSaved(x saved) {
	if x.err != nil {
		fs.fail(x.err)
		return
	}
	fs.say(theme.Good, "saved as "+shortPath(fs.home, x.file))
	at := fs.now().Sub(fs.target.Started)
	if f := fs.latest; f.Snap != nil {
		at = f.Snap.Taken
	}
	fs.shell.feed.events.add(pane.Event{HostEvent: megakernel.HostEvent{At: at, Kind: megakernel.EventSaved, Text: x.file}})
}
