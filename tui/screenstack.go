package tui

import (
	"cmp"
	"errors"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
)

// screenStack is what the terminal library runs: the dashboard of the target, and over it at most one of a recording that was
// opened there. The one below continues: it takes in what its target does, and draws nothing.
type screenStack struct {
	options Options
	base    *model
	over    *model // nil when nothing was opened
	close   func() error

	out   *outlet  // nil: what is drawn goes nowhere
	shown tea.View // that the library was given last
	held  tea.Msg  // with which the dashboard ends or pauses, once the terminal has answered; nil for none
}

// caughtUp comes when the terminal takes what is drawn again.
type caughtUp struct{}

// next is what a dashboard wants of the screenStack that it cannot do itself.
type next struct {
	open *opened
	back bool
	quit bool // once it is back
}

// owned is a message to the dashboard of what was opened. Its own messages come back in it, so that those of the one
// below are not taken for them.
type owned struct {
	to  *model
	msg tea.Msg
}

func (d *screenStack) top() *model {
	if d.over != nil {
		return d.over
	}
	return d.base
}

// Init implements tea.Model.
func (d *screenStack) Init() tea.Cmd { return d.base.Init() }

// View implements tea.Model.
func (d *screenStack) View() tea.View {
	if d.out == nil || !d.out.behind.Load() { // it takes nothing: frames would pile up
		d.shown = d.top().View()
	}
	return d.shown
}

// Update implements tea.Model.
func (d *screenStack) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return d, d.update(msg) }

func (d *screenStack) update(msg tea.Msg) tea.Cmd {
	cmd := d.deliver(msg)
	if t := d.base.terminal; t != nil {
		cmd = tea.Batch(cmd, d.answered(t, msg))
	}
	for _, m := range [...]*model{d.base, d.over} {
		if m != nil && m.files.next != (next{}) {
			n := m.files.next
			m.files.next = next{}
			cmd = tea.Batch(cmd, d.follow(n))
		}
	}
	return tea.Batch(cmd, d.pictures())
}

// deliver gives a message to whom it is for.
func (d *screenStack) deliver(msg tea.Msg) tea.Cmd {
	switch x := msg.(type) {
	case caughtUp:
		return nil // the newest frame is drawn
	case owned:
		if x.to != d.over {
			return tooLate(x.msg)
		}
		_, cmd := d.over.Update(x.msg)
		return own(d.over, cmd)
	case tea.KeyPressMsg:
		if x.String() == "ctrl+c" {
			return d.base.leaving.interrupt()
		}
	case tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.FocusMsg, tea.BlurMsg:
		return d.everywhere(msg)
	}
	if _, own := msg.(routed); own || d.over == nil {
		_, cmd := d.base.Update(msg)
		if d.over != nil {
			d.over.baseMoved()
		}
		return cmd
	}
	_, cmd := d.over.Update(msg)
	return own(d.over, cmd)
}

// tooLate is a message to a dashboard that was closed in the meantime.
func tooLate(msg tea.Msg) tea.Cmd {
	if o, ok := msg.(opened); ok && o.err == nil {
		_ = o.Close() // it was never shown
	}
	return nil
}

// everywhere is for what concerns the terminal.
func (d *screenStack) everywhere(msg tea.Msg) tea.Cmd {
	_, cmd := d.base.Update(msg)
	if d.over == nil {
		return cmd
	}
	_, over := d.over.Update(msg)
	return tea.Batch(cmd, own(d.over, over))
}

// own lets the messages of a dashboard that a command leads to come back to it.
func own(m *model, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for i := range msg {
				msg[i] = own(m, msg[i])
			}
			return msg
		default:
			if _, ok := msg.(routed); ok {
				return owned{m, msg}
			}
			return msg
		}
	}
}

// follow does what a dashboard wants.
func (d *screenStack) follow(n next) tea.Cmd {
	switch {
	case n.open != nil:
		return d.show(n.open)
	case n.back:
		err := d.drop()
		if err != nil {
			d.base.fail(err)
		}
		if n.quit {
			return d.base.leaving.quit()
		}
	}
	return nil
}

// show opens a dashboard over the one of the target, in the place of another one that is there.
func (d *screenStack) show(o *opened) tea.Cmd {
	options := d.options
	options.Source, options.Transport, options.Sink, options.Alerts, options.Save = o.Source, o.Transport, nil, o.Alerts, o.Save
	options.Owner = nil
	options.Subject, options.Title, options.Hint, options.Script = o.Subject, filepath.Base(o.path), "", nil
	m, err := newModel(options)
	if err != nil {
		d.top().fail(err)
		return nil
	}
	from := d.top()
	m.ctx, m.now, m.width, m.height = from.ctx, from.now, from.width, from.height
	m.look.Theme, *m.themes, m.pointer.mouse, m.sizes, m.commands.history = from.look.Theme, from.themes.with(m.shared), from.pointer.mouse, from.sizes, from.commands.history
	m.files.under, m.terminal = d.base, from.terminal
	m.files.below = cmp.Or(d.base.target.Workload, d.base.title)
	if o.Warning != "" {
		m.fail(errors.New(o.Warning))
	}
	if err := d.drop(); err != nil {
		m.fail(err)
	}
	d.over, d.close = m, o.Close
	m.settle()
	return own(m, m.Init())
}

// drop closes what was opened.
func (d *screenStack) drop() error {
	if d.over == nil {
		return nil
	}
	closed := d.close
	d.over, d.close = nil, nil
	d.base.dirty = true
	return closed()
}
