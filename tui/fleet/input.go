package fleet

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/prompt"
	"vyretop/tui/theme"
)

// input is a line being typed in the footer.
type input struct {
	sign     rune
	line     *prompt.Line
	problem  string
	choices  []string
	changed  func(text string) error
	accept   func(text string) (tea.Cmd, error)
	cancel   func()
	complete func() []string
}

// openFilter edits the filter; the table follows every key.
func (m *model) openFilter() {
	old := m.place.state.FilterText
	in := &input{sign: '/', line: prompt.New(m.history['/'])}
	in.changed = func(text string) error {
		err := m.setFilter(strings.TrimSpace(text))
		m.arrange()
		return err
	}
	in.accept = func(text string) (tea.Cmd, error) { return nil, in.changed(text) }
	in.cancel = func() { _ = in.changed("") }
	in.complete = func() []string {
		var names []string
		for _, f := range fields {
			names = append(names, f+"=")
		}
		return names
	}
	if old != "" {
		in.line.Set(old + " ")
	}
	m.modal = in
}

func (in *input) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	in.choices = nil
	switch key := msg.String(); {
	case key == "esc":
		m.modal = nil
		if in.cancel != nil {
			in.cancel()
		}
		return nil
	case key == "enter":
		return in.enter(m)
	case key == "tab":
		in.choices = in.line.Complete(in.complete())
	case in.line.Key(key):
	case msg.Text != "":
		in.line.Insert(msg.Text)
	}
	in.note()
	return nil
}

func (in *input) paste(m *model, text string) {
	in.line.Insert(text)
	in.note()
	m.dirty = true
}

func (in *input) note() {
	in.problem = ""
	if in.changed == nil {
		return
	}
	if err := in.changed(in.line.Text()); err != nil {
		in.problem = err.Error()
	}
}

// keptLines bounds the history of a prompt.
const keptLines = 100

func (in *input) enter(m *model) tea.Cmd {
	text := in.line.Text()
	m.modal = nil
	cmd, err := in.accept(text)
	if err != nil {
		in.problem, m.modal = err.Error(), in
		return nil
	}
	if text != "" {
		h := slices.DeleteFunc(m.history[in.sign], func(s string) bool { return s == text })
		h = append(h, text)
		m.history[in.sign] = h[max(len(h)-keptLines, 0):]
	}
	return cmd
}

func (in *input) draw(_ *model, screen, footer cells.Area) {
	footer.Fill(' ', theme.Plain)
	start := footer.Text(0, 0, string(in.sign), theme.Key)
	text := []rune(in.line.Text())
	from := min(max(in.line.Cursor()-(footer.W-start-2), 0), len(text))
	footer.Text(start, 0, string(text[from:]), theme.Plain)
	footer.Sub(cells.Rect{X: start + in.line.Cursor() - from, W: 1, H: 1}).Highlight()
	above, style := in.problem, cells.Style(theme.Danger)
	if above == "" && len(in.choices) > 1 {
		above, style = strings.Join(in.choices, "  "), theme.Dim
	}
	if above == "" {
		return
	}
	lines := pane.Lines(above, screen.W-2)
	h := min(len(lines), screen.H-1)
	area := screen.Sub(cells.Rect{Y: screen.H - 1 - h, W: screen.W, H: h})
	area.Fill(' ', style)
	pane.Wrap(area.Sub(cells.Rect{X: 1, W: screen.W - 2, H: h}), above, style)
}

// page is a text over the screen, closed by any key but those that move in it.
type page struct {
	title string
	lines []string
	top   int
}

func (p *page) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	height := max(m.h-3, 1)
	switch msg.String() {
	case "up", "k":
		p.top--
	case "down", "j":
		p.top++
	case "pgup", "ctrl+b":
		p.top -= height
	case "pgdown", "ctrl+f", "space":
		p.top += height
	default:
		m.modal = nil
	}
	p.top = max(min(p.top, len(p.lines)-height), 0)
	return nil
}

func (p *page) draw(m *model, screen, footer cells.Area) {
	body := screen.Sub(cells.Rect{W: screen.W, H: screen.H - 1})
	body.Fill(' ', theme.Plain)
	inner := m.look.Glyphs.Box(body, theme.Accent)
	body.Text(2, 0, " "+p.title+" ", theme.Title)
	y := 0
	for _, line := range p.lines[min(p.top, len(p.lines)):] {
		if y >= inner.H {
			break
		}
		y += max(pane.Wrap(inner.Sub(cells.Rect{X: 1, Y: y, W: inner.W - 2, H: inner.H - y}), line, theme.Plain), 1)
	}
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "up and down move, any other key closes", theme.Dim)
}
