package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/prompt"
	"vyretop/tui/theme"
)

// help lists the keys that mean something in the current view. Typing searches, Enter runs: it is
// the palette of commands as well.
type help struct {
	all      []*keymap.Binding
	line     *prompt.Line
	selected int
}

func newHelp(m *model) *help {
	return &help{all: keymap.Active(m.keys, m.context()), line: prompt.New(nil)}
}

// matching are the bindings that contain every typed word in their key, name or text.
func (h *help) matching() []*keymap.Binding {
	words := strings.Fields(strings.ToLower(h.line.Text()))
	var out []*keymap.Binding
	for _, b := range h.all {
		text := strings.ToLower(strings.Join(b.Keys, " ") + " " + b.ID + " " + b.Help)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, b)
		}
	}
	return out
}

func (h *help) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	list := h.matching()
	switch key := msg.String(); {
	case key == "ctrl+c":
		return tea.Quit
	case key == "esc" && h.line.Text() != "":
		h.line.Set("")
		h.selected = 0
	case key == "esc" || key == "f1" || key == "?":
		m.modal = nil
	case key == "up":
		h.selected = max(h.selected-1, 0)
	case key == "down":
		h.selected = min(h.selected+1, max(len(list)-1, 0))
	case key == "enter":
		m.modal = nil
		if h.selected < len(list) {
			return m.run(list[h.selected].ID)
		}
	case h.line.Key(key):
		h.selected = 0
	case msg.Text != "":
		h.line.Insert(msg.Text)
		h.selected = 0
	}
	return nil
}

func (h *help) paste(_ *model, text string) tea.Cmd {
	h.line.Insert(text)
	h.selected = 0
	return nil
}

// helpKeys is the column in which the keys start in the help. Behind them its texts have helpText columns at
// least, as long as that leaves helpLeast to the keys.
const helpKeys, helpLeast, helpText = 8, 14, 60

// helpWidth is the width of the help where the screen has it.
const helpWidth = 100

func (h *help) draw(m *model, screen, footer cells.Area) {
	w := min(screen.W, helpWidth)
	inner := m.box(screen, cells.Rect{X: (screen.W - w) / 2, W: w, H: screen.H - 1}, "Keys in "+m.tab.String(), theme.Dim)
	head, body := inner.SplitTop(1)
	x := head.Text(1, 0, "search: ", theme.Dim)
	x = head.Text(x, 0, h.line.Text(), theme.Strong)
	head.Set(x, 0, ' ', theme.Strong|cells.Reverse)
	h.drawList(m, body)
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "type to search   arrows choose   Enter runs   Esc closes", theme.Dim)
}

func (h *help) drawList(m *model, a cells.Area) {
	list := h.matching()
	if len(list) == 0 {
		a.Text(1, 0, "No key matches. Esc clears the search.", theme.Dim)
		return
	}
	top := min(max(h.selected-a.H/2, 0), max(len(list)-a.H, 0))
	text := helpKeys + 1 + min(longestKeys(list), max(a.W-helpText-helpKeys-1, helpLeast))
	section := ""
	for y := 0; y < a.H && top+y < len(list); y++ {
		b, line := list[top+y], a.Line(y)
		if b.Section != section {
			section = b.Section
			line.Text(1, 0, section, theme.Title)
		}
		line.Fit(helpKeys, 0, text-helpKeys-1, []byte(keyNames(b.Keys)), false, m.look.Glyphs.Ellipsis, theme.Key)
		line.Fit(text, 0, line.W-text-1, []byte(b.Help), false, m.look.Glyphs.Ellipsis, theme.Plain)
		if top+y == h.selected {
			line.Sub(cells.Rect{X: 7, W: line.W - 7, H: 1}).Highlight()
		}
	}
}

// longestKeys is how many columns the keys of a list need.
func longestKeys(list []*keymap.Binding) int {
	n := helpLeast
	for i := range list {
		n = max(n, utf8.RuneCountInString(keyNames(list[i].Keys)))
	}
	return n
}

// keyNames writes keys as people read them: "p", "Ctrl-L", "F5".
func keyNames(keys []string) string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = keyName(k)
	}
	return strings.Join(names, " ")
}

func keyName(k string) string {
	if len([]rune(k)) == 1 {
		return k
	}
	if name, ok := longNames[k]; ok {
		return name
	}
	parts := strings.Split(k, "+")
	for i, p := range parts {
		r := []rune(p)
		r[0] = unicode.ToUpper(r[0])
		parts[i] = string(r)
	}
	return strings.Join(parts, "-")
}

var longNames = map[string]string{"pgup": "PgUp", "pgdown": "PgDn", "delete": "Del"}
