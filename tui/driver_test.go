package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// driver runs a model without a terminal: messages go in, commands run at once, screens come out.
type driver struct {
	t     testing.TB
	m     *model
	clock time.Time
	quit  bool
	copy  string
}

var utf8Env = []string{"TERM=xterm-256color", "LANG=C.UTF-8"}

func newDriver(t testing.TB, w, h int, o Options) *driver {
	t.Helper()
	if o.Environ == nil {
		o.Environ = utf8Env
	}
	if o.Version == "" {
		o.Version = "test"
	}
	m, err := newModel(o)
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{t: t, m: m, clock: time.Unix(1_700_000_000, 0)}
	m.now = func() time.Time { return d.clock }
	m.feed.arrived = d.clock
	m.ctx = t.Context()
	m.control.window = time.Microsecond // measurements do not wait
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// send handles a message and everything it leads to, but for waiting: clocks and updates are the
// test's to send.
func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	d.m.ticking = true // no clock commands
	_, cmd := d.m.Update(msg)
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) { d.runTo(cmd, d.send) }

// runTo runs a command and sends on what comes of it.
func (d *driver) runTo(cmd tea.Cmd, send func(tea.Msg)) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.runTo(c, send)
		}
	case tea.QuitMsg:
		d.quit = true
	case updated, ticked:
	default:
		if text, ok := clipboardText(msg); ok {
			d.copy = text
			return
		}
		send(msg)
	}
}

// update shows the source's newest snapshot.
func (d *driver) update() {
	d.m.refresh()
	d.send(struct{}{}) // what that leads to
	d.tick()
}

// tick lets the model see the time. Its next clock is not waited for.
func (d *driver) tick() { d.m.Update(ticked{}) }

// keys presses keys, written as a list of names.
func (d *driver) keys(names ...string) {
	d.t.Helper()
	for _, n := range names {
		d.send(KeyPress(n))
	}
}

// typed types a text, character by character.
func (d *driver) typed(text string) {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.keys("space")
		} else {
			d.keys(string(r))
		}
	}
}

// screen is the text on screen.
func (d *driver) screen() string {
	d.m.View()
	lines := strings.Split(d.m.canvas.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func (d *driver) wantOnScreen(texts ...string) {
	d.t.Helper()
	s := d.screen()
	for _, text := range texts {
		if !strings.Contains(s, text) {
			d.t.Errorf("screen does not show %q:\n%s", text, s)
		}
	}
}

func (d *driver) wantNotOnScreen(text string) {
	d.t.Helper()
	if s := d.screen(); strings.Contains(s, text) {
		d.t.Errorf("screen shows %q:\n%s", text, s)
	}
}

func contextWithCancel(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}

// viewNames are all views.
func viewNames() (names []keymap.View) {
	for _, k := range pane.Kinds {
		names = append(names, k.View)
	}
	return names
}
