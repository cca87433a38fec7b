package tui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/graphics"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// pixelsOf is the terminal of a dashboard, of which nothing is known yet.
func pixelsOf(o *Options) *graphics.Terminal { return &graphics.Terminal{Never: o.Without.Pixels} }

// cellOf is the pixels of a cell where the terminal draws pictures now: nothing is over the pane.
func cellOf(m *model) (size image.Point, ok bool) {
	if m.terminal == nil || m.modal != nil || m.expanded || !pictorial(&m.look) || m.layout().Kind == layout.Status {
		return image.Point{}, false
	}
	return m.terminal.Cell()
}

// pictorial reports whether the screen may have pictures: it has colors, and characters for half blocks.
func pictorial(look *pane.Look) bool {
	return look.Theme.Mode == theme.Color && look.Glyphs.Unicode
}

// redraw draws the screen afresh.
func redraw(m *model) tea.Cmd {
	if m.terminal != nil {
		m.terminal.Forget()
	}
	return tea.ClearScreen
}

// answered takes in what the terminal says of its pixels, and what happens to the screen.
func (d *screenStack) answered(t *graphics.Terminal, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return raw(t.Resize(msg.Width, msg.Height, screenPixels(d.out.to)))
	case tea.ResumeMsg, caughtUp:
		t.Forget()
	default:
		if t.Take(msg) {
			d.top().dirty = true
		}
	}
	return d.release(msg)
}

// pictures asks for the terminal's pixels once a pane wants them, and draws with them.
func (d *screenStack) pictures() tea.Cmd {
	m, t := d.top(), d.base.terminal
	if t == nil || d.held != nil {
		return nil
	}
	var drawing *graphics.Drawing
	if s := m.shown().Spec(); s.Picture != nil && !s.Absent && pictorial(&m.look) {
		if ask := t.Ask(m.files.environ); ask != "" {
			return raw(ask)
		}
		drawing = s.Picture()
	}
	if t.Redraw() {
		m.dirty = true
		return tea.ClearScreen
	}
	text := t.Next(drawing)
	if text == nil {
		return nil
	}
	return func() tea.Msg { return tea.RawMsg{Msg: text()} }
}

// leave takes the pictures off the screen before the terminal library gives the terminal back: what is written by its own means comes
// after it has left the screen. It is held back, for a time, until the terminal has answered.
func (d *screenStack) leave(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case tea.QuitMsg, tea.SuspendMsg, tea.InterruptMsg:
	default:
		return msg
	}
	if d.held == nil && d.base.terminal.Waiting() {
		d.held = msg
		return held{}
	}
	d.held = nil
	if gone := d.base.terminal.Leave(); gone != "" {
		_, _ = d.out.Write([]byte(gone)) // a terminal that is gone is told of by the library
	}
	return msg
}

// held says that the end of the dashboard, or its pause, waits for an answer of the terminal; late, that it has waited for long enough.
type (
	held struct{}
	late struct{}
)

// release ends the dashboard, or pauses it, once the terminal has answered.
func (d *screenStack) release(msg tea.Msg) tea.Cmd {
	_, tooLate := msg.(late)
	switch _, began := msg.(held); {
	case d.held == nil:
		return nil
	case began:
		return tea.Tick(leaveTime, func(time.Time) tea.Msg { return late{} })
	case tooLate || !d.base.terminal.Waiting():
		end := d.held
		return func() tea.Msg { return end }
	}
	return nil
}

// raw writes a text beside the frames.
func raw(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	return tea.Raw(text)
}
