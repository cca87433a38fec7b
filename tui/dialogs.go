package tui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/prompt"
	"vyretop/tui/theme"
)

// choice is one answer to a question.
type choice struct {
	key, label string
	then       func(*model) tea.Cmd
}

var noChoice = choice{"n", "no", func(*model) tea.Cmd { return nil }}

// confirm asks a question in the footer. Esc, or any key that is not an answer, except q, leaves everything
// as it is; Enter chooses nothing, so that a stray Enter cannot.
type confirm struct {
	question string
	live     func(*model) string // the question while it changes; nil: question
	moot     func(*model) bool   // nothing is left to ask; nil: there always is
	answered string              // what the footer says then
	choices  []choice
}

func (c *confirm) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	for _, ch := range c.choices {
		if ch.key == key {
			m.modal = nil
			return ch.then(m)
		}
	}
	if key == "esc" {
		m.modal = nil
	}
	return nil
}

// asksLive reports whether a question is on the screen that changes with time, or that time may answer.
func (s *shared) asksLive() bool {
	c, ok := s.modal.(*confirm)
	return ok && (c.live != nil || c.moot != nil)
}

// dropMoot takes away a question that nothing is left to decide of.
func (m *model) dropMoot() {
	if c, ok := m.modal.(*confirm); ok && c.moot != nil && c.moot(m) {
		m.modal = nil
		m.say(theme.Plain, c.answered)
	}
}

func (c *confirm) paste(*model, string) tea.Cmd { return nil }

func (c *confirm) draw(m *model, _, footer cells.Area) {
	footer.Fill(' ', theme.Plain)
	question := c.question
	if c.live != nil {
		question = c.live(m)
	}
	x := footer.Text(1, 0, question, theme.Warning) + 2
	for _, ch := range c.choices {
		x = footer.Text(x, 0, ch.key, theme.Key|cells.Reverse)
		x = footer.Text(x+1, 0, ch.label, theme.Plain) + 2
	}
}

// notice shows a text that is too long for the footer, until a key is pressed. The keys that leave, and those that open a prompt, do so
// here, too: an error that comes while one is pressed must not swallow it, or what is typed next acts on the target, key by key.
type notice struct{ text string }

func (n *notice) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	m.modal = nil
	b := m.chrome.keys.Find(msg.String(), m.context())
	switch {
	case b == nil:
		return nil
	case b.ID == keymap.Quit:
		return m.leaving.quit()
	case b.ID == keymap.Command || b.ID == keymap.Filter:
		return m.run(b.ID)
	default:
		return nil
	}
}

func (n *notice) click(m *model, _ tea.Mouse) tea.Cmd {
	m.modal = nil
	return nil
}

func (n *notice) paste(*model, string) tea.Cmd { return nil }

func (n *notice) draw(m *model, screen, footer cells.Area) {
	lines := pane.Lines(n.text, screen.W-4)
	h := min(len(lines)+2, screen.H-1)
	box := screen.Sub(cells.Rect{Y: screen.H - 1 - h, W: screen.W, H: h})
	box.Fill(' ', theme.Plain)
	inner := m.look.Glyphs.Box(box, theme.Danger)
	pane.Wrap(inner.Sub(cells.Rect{X: 1, W: inner.W - 2, H: inner.H}), n.text, theme.Plain)
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "press any key; q leaves", theme.Dim)
}

// input is a line being typed in the footer.
type input struct {
	sign     rune   // '/' or ':', and whose earlier lines are recalled
	label    string // in front of the line, instead of the sign
	whole    bool   // completion is of the whole line, not of its last word
	line     *prompt.Line
	choices  []string // what completion left to choose from
	problem  string
	changed  func(m *model, text string) error // after every key; nil: nothing
	accept   func(m *model, text string) (tea.Cmd, error)
	cancel   func(m *model)
	complete func(text string) []string
}

func (cl *commandLine) open(in *input) {
	in.line = prompt.New(cl.history[in.sign])
	cl.modal = in
}

func (in *input) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	in.choices = nil
	switch key := msg.String(); {
	case key == "esc":
		m.modal = nil
		in.cancel(m)
		return nil
	case key == "enter":
		return in.enter(m)
	case key == "tab":
		in.tab()
	case in.line.Key(key):
	case msg.Text != "":
		in.line.Insert(msg.Text)
	}
	in.note(m)
	return nil
}

// tab completes what is typed, and lists what is left to choose from.
func (in *input) tab() {
	if in.complete == nil {
		return
	}
	candidates := in.complete(in.line.Text())
	if !in.whole {
		in.choices = in.line.Complete(candidates)
		return
	}
	in.choices = in.line.CompleteWhole(candidates)
}

// note shows at once what the line as typed so far does, or what is wrong with it.
func (in *input) note(m *model) {
	in.problem = ""
	if in.changed == nil {
		return
	}
	if err := in.changed(m, in.line.Text()); err != nil {
		in.problem = err.Error()
	}
}

func (in *input) enter(m *model) tea.Cmd {
	text := in.line.Text()
	m.modal = nil // what is accepted may open a dialog of its own
	cmd, err := in.accept(m, text)
	if errors.Is(err, ErrControl) { // no other text would do
		m.fail(err)
		return nil
	}
	if err != nil {
		in.problem, m.modal = err.Error(), in
		return nil
	}
	m.commands.remember(in.sign, text)
	return cmd
}

// keptLines bounds the history of a prompt.
const keptLines = 100

func (cl *commandLine) remember(sign rune, text string) {
	if text == "" {
		return
	}
	h := slices.DeleteFunc(cl.history[sign], func(s string) bool { return s == text })
	h = append(h, text)
	cl.history[sign] = h[max(len(h)-keptLines, 0):]
}

func (in *input) paste(m *model, text string) tea.Cmd {
	in.line.Insert(text)
	in.note(m)
	return nil
}

func (in *input) draw(m *model, screen, footer cells.Area) {
	footer.Fill(' ', theme.Plain)
	label := in.label
	if label == "" {
		label = string(in.sign)
	}
	start := footer.Text(0, 0, label, theme.Key)
	text := []rune(in.line.Text())
	from := min(max(in.line.Cursor()-(footer.W-start-2), 0), len(text))
	footer.Text(start, 0, string(text[from:]), theme.Plain)
	footer.Sub(cells.Rect{X: start + in.line.Cursor() - from, W: 1, H: 1}).Highlight()
	above, style := in.problem, theme.Danger
	if above == "" && len(in.choices) > 1 {
		above, style = strings.Join(in.choices, "  "), theme.Dim
	}
	if above != "" {
		in.drawAbove(screen, above, style)
	}
}

// drawAbove draws a text in the lines above the prompt.
func (in *input) drawAbove(screen cells.Area, text string, style cells.Style) {
	lines := pane.Lines(text, screen.W-2)
	h := min(len(lines), screen.H-1)
	above := screen.Sub(cells.Rect{Y: screen.H - 1 - h, W: screen.W, H: h})
	above.Fill(' ', style)
	pane.Wrap(above.Sub(cells.Rect{X: 1, W: screen.W - 2, H: h}), text, style)
}

// openFilter edits the filter of the current table; the table follows every key.
func (cl *commandLine) openFilter() {
	old := cl.shell.table().FilterText
	in := &input{
		sign:    '/',
		changed: func(m *model, text string) error { return m.table().SetFilter(text) },
		accept:  func(m *model, text string) (tea.Cmd, error) { return nil, m.table().KeepFilter(text) },
		cancel:  func(m *model) { m.table().ClearFilter() },
	}
	in.complete = func(string) []string {
		var names []string
		for _, n := range cl.shell.table().Fields() {
			names = append(names, n+"=")
		}
		return names
	}
	cl.open(in)
	if old != "" {
		in.line.Set(old + " ") // what is typed narrows it; Ctrl-U starts afresh
	}
}
