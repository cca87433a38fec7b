package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Headless is the dashboard without a terminal: keys go in, frames come out. What a key leads to is
// carried out before Press returns; nothing moves between two calls.
type Headless struct {
	m   *model
	now time.Time
}

// NewHeadless opens the dashboard on a screen of w columns and h rows. The errors are those of Run.
func NewHeadless(ctx context.Context, o Options, w, h int) (*Headless, error) {
	m, err := newModel(o)
	if err != nil {
		return nil, err
	}
	x := &Headless{m: m, now: m.now()}
	m.ctx = ctx
	m.now = func() time.Time { return x.now }
	m.feed.arrived = x.now
	x.Resize(w, h)
	return x, nil
}

// Resize changes the size of the screen.
func (x *Headless) Resize(w, h int) { x.send(tea.WindowSizeMsg{Width: w, Height: h}) }

// Press presses keys, named as in the key map: "p", "ctrl+l", "enter", "space".
func (x *Headless) Press(keys ...string) {
	for _, k := range keys {
		x.send(KeyPress(k))
	}
}

// Refresh shows the source's newest snapshot, slightly later.
func (x *Headless) Refresh(later time.Duration) {
	x.now = x.now.Add(later)
	x.m.refresh()
	x.m.Update(ticked{}) // its next clock is not waited for
}

// Frame is the screen: rows separated by newlines, styled with SGR sequences.
func (x *Headless) Frame() string { return x.m.View().Content }

// send handles a message and all that it leads to, but for waiting for the source or the clock.
func (x *Headless) send(msg tea.Msg) {
	x.m.ticking = true
	_, cmd := x.m.Update(msg)
	x.run(cmd)
}

func (x *Headless) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			x.run(c)
		}
	case routed:
		x.send(msg)
	}
}

var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
	"delete": tea.KeyDelete, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1, "f5": tea.KeyF5, "f10": tea.KeyF10,
}

// KeyPress is the message for a key, named as in the key map.
func KeyPress(name string) tea.KeyPressMsg {
	k := tea.Key{}
	for {
		rest, ctrl := strings.CutPrefix(name, "ctrl+")
		rest, shift := strings.CutPrefix(rest, "shift+")
		if !ctrl && !shift {
			break
		}
		if ctrl {
			k.Mod |= tea.ModCtrl
		}
		if shift {
			k.Mod |= tea.ModShift
		}
		name = rest
	}
	code, special := keyCodes[name]
	switch {
	case special:
		k.Code = code
		if name == "space" {
			k.Text = " "
		}
	default:
		k.Code = []rune(name)[0]
		if k.Mod == 0 {
			k.Text = name
		}
	}
	return tea.KeyPressMsg(k)
}
