package tui

import (
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/theme"
)

// menu offers things to do, each with a key of its own.
type menu struct {
	title    string
	items    []menuItem
	selected int
}

// menuItem is one of them. What it shows was fixed when the menu was opened.
type menuItem struct {
	key, label string
	note       string // what it is about
	then       func(*model) tea.Cmd
}

// ofRow is what can be done with the selected row, in the order of its menu.
var ofRow = []string{
	keymap.Details, keymap.Zoom, keymap.Suppose, keymap.TasksOf, keymap.Pause, keymap.Continue, keymap.StepOne, keymap.Requeue,
	keymap.Edit, keymap.Break, keymap.Mark, keymap.LogOf, keymap.Watch, keymap.Yank,
}

// openRowMenu offers what can be done with the selected row, by the keys that do it without the menu.
func (m *model) openRowMenu() {
	x := &menu{title: "What to do with this in " + string(m.tab)}
	for _, id := range ofRow {
		b := m.chrome.keys.ByID(id)
		if len(b.Keys) > 0 && m.chrome.means(b.Keys[0], id) {
			x.items = append(x.items, menuItem{b.Keys[0], b.ID, b.Help, func(m *model) tea.Cmd { return m.run(id) }})
		}
	}
	x.items = append(x.items, menuItem{"?", keymap.Help, "all keys, to be searched", func(m *model) tea.Cmd { return m.run(keymap.Help) }})
	m.modal = x
}

// listKey is what the keys do that every dialog with a list has: leave it, and move in its n rows. It reports false for
// other keys.
func (s *shared) listKey(key string, selected *int, n int) (cmd tea.Cmd, ok bool) {
	switch key {
	case "esc", "q":
		s.modal = nil
	case "up", "k":
		*selected = max(*selected-1, 0)
	case "down", "j":
		*selected = min(*selected+1, max(n-1, 0))
	default:
		return nil, false
	}
	return nil, true
}

func (x *menu) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	if i := slices.IndexFunc(x.items, func(i menuItem) bool { return i.key == key }); i >= 0 {
		return x.choose(m, i)
	}
	if key == "enter" {
		return x.choose(m, x.selected)
	}
	cmd, _ := m.listKey(key, &x.selected, len(x.items))
	return cmd
}

func (x *menu) choose(m *model, i int) tea.Cmd {
	m.modal = nil
	return x.items[i].then(m)
}

func (x *menu) paste(*model, string) tea.Cmd { return nil }

// Columns of a menu.
const (
	menuWidth = 76
	menuLabel = 4  // at least: keys stand before it
	menuNote  = 16 // behind that of the label
)

// place is the box of the menu on a screen.
func (x *menu) place(screen cells.Rect) cells.Rect {
	return middle(screen, menuWidth, len(x.items)+2)
}

func (x *menu) draw(m *model, screen, footer cells.Area) {
	inner := m.box(screen, x.place(screen.Rect), x.title, theme.Dim)
	label := menuLabel
	for i := range x.items {
		label = max(label, utf8.RuneCountInString(keyName(x.items[i].key))+2)
	}
	for i, item := range x.items {
		line := inner.Line(i)
		line.Text(1, 0, keyName(item.key), theme.Key)
		line.Text(label, 0, item.label, theme.Plain)
		line.Fit(label+menuNote, 0, line.W-label-menuNote-1, []byte(item.note), false, m.look.Glyphs.Ellipsis, theme.Dim)
		if i == x.selected {
			line.Highlight()
		}
	}
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "a key or Enter chooses   arrows move   Esc closes", theme.Dim)
}

// click chooses the item under the pointer; a click beside the menu closes it.
func (x *menu) click(m *model, at tea.Mouse) tea.Cmd {
	box := x.place(cells.Rect{W: m.width, H: m.height})
	if !box.Contains(at.X, at.Y) {
		m.modal = nil
		return nil
	}
	if i := at.Y - box.Y - 1; i >= 0 && i < len(x.items) {
		return x.choose(m, i)
	}
	return nil
}
