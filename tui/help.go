package tui

import (
	"fmt"
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

	at, list  cells.Rect // where it was drawn
	top, page int        // first row in sight, and how many are
}

func newHelp(m *model) *help {
	return &help{all: m.chrome.keys.Active(m.context()), line: prompt.New(nil)}
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
	case key == "esc" && h.line.Text() != "":
		h.line.Set("")
		h.selected = 0
	case key == "esc" || key == "f1" || key == "?":
		m.modal = nil
	case h.steps()[key] != 0:
		h.move(h.steps()[key])
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

// steps is by how many rows a key moves the selection: those that mean nothing to the line which is typed.
func (h *help) steps() map[string]int {
	page := max(h.page-1, 1)
	return map[string]int{
		"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1, "pgup": -page, "ctrl+b": -page, "pgdown": page, "ctrl+f": page,
	}
}

func (h *help) move(by int) {
	h.selected = min(max(h.selected+by, 0), max(len(h.matching())-1, 0))
}

// wheel moves the selection, which is always in sight.
func (h *help) wheel(by int) { h.move(by) }

// click runs what is under the pointer; one elsewhere closes the list.
func (h *help) click(m *model, at tea.Mouse) tea.Cmd {
	if !h.at.Contains(at.X, at.Y) {
		m.modal = nil
		return nil
	}
	if i := h.top + at.Y - h.list.Y; h.list.Contains(at.X, at.Y) && i < len(h.matching()) {
		m.modal = nil
		return m.run(h.matching()[i].ID)
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
	inner := m.box(screen, cells.Rect{X: (screen.W - w) / 2, W: w, H: screen.H - 1}, "Keys in "+string(m.tab), theme.Dim)
	h.at = cells.Rect{X: inner.X - 1, Y: inner.Y - 1, W: inner.W + 2, H: inner.H + 2}
	head, body := inner.SplitTop(1)
	x := head.Text(1, 0, "search: ", theme.Dim)
	x = head.Text(x, 0, h.line.Text(), theme.Strong)
	head.Set(x, 0, ' ', theme.Strong|cells.Reverse)
	count := fmt.Sprintf("%d of %d", len(h.matching()), len(h.all))
	if at := head.W - len(count) - 1; at > x+1 {
		head.Text(at, 0, count, theme.Dim)
	}
	h.drawList(m, body)
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "type to search   arrows and pages choose   Enter or a click runs   Esc closes", theme.Dim)
}

func (h *help) drawList(m *model, a cells.Area) {
	list := h.matching()
	h.list, h.page = a.Rect, a.H
	if len(list) == 0 {
		a.Text(1, 0, "No key matches. Esc clears the search.", theme.Dim)
		return
	}
	h.top = min(max(h.selected-a.H/2, 0), max(len(list)-a.H, 0))
	top := h.top
	text := helpKeys + 1 + min(longestKeys(list), max(a.W-helpText-helpKeys-1, helpLeast))
	section := ""
	m.drawBar(a, top, len(list))
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
