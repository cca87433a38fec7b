package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// chips are those of the current view, of what it shows now; nil where it has none, or no room for them.
func (m *model) chips(main cells.Rect) *pane.Chips {
	if m.expanded {
		return nil
	}
	_, chosen := host{m}.ChipBar()
	return m.table().ChipsIn(main, chosen)
}

// chipBar moves among the chips of a table, which stay in its line.
type chipBar struct{ chip int }

func (m *model) openChips() {
	c := m.chips(m.layout().Main)
	if c == nil {
		m.say(theme.Plain, "there is nothing to tell rows apart by yet; / filters by any column")
		return
	}
	x := &chipBar{}
	x.toKind(c, 0)
	m.modal = x
}

func (x *chipBar) paste(*model, string) tea.Cmd { return nil }

func (x *chipBar) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	c := m.chips(m.layout().Main)
	if c == nil { // the screen became too small for them
		m.modal = nil
		return nil
	}
	switch key := msg.String(); key {
	case "esc", "q":
		m.modal = nil
	case "left", "h":
		x.move(c, -1)
	case "right", "l":
		x.move(c, 1)
	case "up", "k", "shift+tab":
		x.toKind(c, -1)
	case "down", "j", "tab":
		x.toKind(c, 1)
	case "space":
		m.chipFilter(c.Toggled(c.Open, x.chip))
	case "enter":
		m.chipFilter(c.Only(c.Open, x.chip))
	case "a":
		m.chipFilter(c.All(c.Open))
	default:
		m.fromChips(key)
	}
	return nil
}

// fromChips does what a key of the table means among its chips: that which leads here leads back.
func (m *model) fromChips(key string) {
	switch {
	case m.chrome.means(key, keymap.Chips):
		m.modal = nil
	case m.chrome.means(key, keymap.Unfilter):
		m.table().ClearFilter()
	case m.chrome.means(key, keymap.Filter):
		m.modal = nil
		m.commands.openFilter()
	}
}

// move goes to the next chip of the kind.
func (x *chipBar) move(c *pane.Chips, by int) {
	list := c.Shown(c.Open)
	at := slices.Index(list, x.chip)
	x.chip = list[min(max(at+by, 0), len(list)-1)]
}

// toKind opens the next kind.
func (x *chipBar) toKind(c *pane.Chips, by int) {
	kinds := c.Useful()
	at := max(slices.Index(kinds, c.Open), 0)
	c.Open = kinds[(at+by+len(kinds))%len(kinds)]
	x.chip = c.Shown(c.Open)[0]
}

func (x *chipBar) draw(_ *model, _, footer cells.Area) {
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "Space hides or shows  Enter only this  a all  arrows, Tab move  Esc closes", theme.Dim)
}

// click does what a click on the chips does without the cursor among them; one elsewhere takes it away.
func (x *chipBar) click(m *model, at tea.Mouse) tea.Cmd {
	if !m.clickChips(at) {
		m.modal = nil
		return nil
	}
	c := m.chips(m.layout().Main)
	if list := c.Shown(c.Open); !slices.Contains(list, x.chip) {
		x.chip = list[0]
	}
	return nil
}

// chipFilter puts the filter that chips lead to on the table.
func (vs *views) chipFilter(text string) {
	if err := vs.table().KeepFilter(text); err != nil {
		vs.fail(err)
	}
}

// clickChips presses the chip under the pointer, or opens the kind whose name is there; the right button shows rows of
// that chip only. It reports false elsewhere.
func (m *model) clickChips(at tea.Mouse) bool {
	main := m.layout().Main
	c := m.chips(main)
	if c == nil || at.Y != main.Y+1 || at.X < main.X || at.X >= main.X+main.W {
		return false
	}
	_, chosen := host{m}.ChipBar()
	for _, p := range c.Places(main.W, chosen) {
		if x := at.X - main.X; x < p.X || x >= p.X+p.W {
			continue
		}
		switch {
		case p.Chip < 0:
			c.Open = p.Kind
		case at.Button == tea.MouseRight:
			m.chipFilter(c.Only(p.Kind, p.Chip))
		default:
			m.chipFilter(c.Toggled(p.Kind, p.Chip))
		}
		break
	}
	return true
}
