package tui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// sheet shows a text of many lines until it is closed.
type sheet struct {
	title string
	text  string
	width int      // for which lines was made
	lines []string // of text, those broken that are wider
	top   int
	page  int // rows that were last drawn
}

func newSheet(title, text string) *sheet {
	return &sheet{title: title, text: strings.TrimRight(text, "\n")}
}

// fold breaks the lines that are wider than width. Others stay as they are: they may be the rows of a table.
func (x *sheet) fold(width int) {
	if x.lines != nil && x.width == width {
		return
	}
	x.width, x.lines = width, nil
	for line := range strings.SplitSeq(x.text, "\n") {
		if utf8.RuneCountInString(line) <= width {
			x.lines = append(x.lines, line)
			continue
		}
		x.lines = append(x.lines, hung(line, width)...)
	}
}

// hung breaks a line that is wider than width. What is in the last column of a table, behind two spaces or more, continues in
// that column.
func hung(line string, width int) []string {
	text := []rune(line)
	at := 0
	for i := 2; i < len(text); i++ {
		if text[i] != ' ' && text[i-1] == ' ' && text[i-2] == ' ' {
			at = i
		}
	}
	if at > width*2/3 { // too little would be left for it
		at = 0
	}
	lines := pane.Lines(string(text[at:]), width-at)
	for i := range lines {
		if i == 0 {
			lines[i] = string(text[:at]) + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", at) + lines[i]
		}
	}
	return lines
}

func (x *sheet) key(m *model, msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "q", "enter":
		m.modal = nil
	case "up", "k":
		x.top--
	case "down", "j":
		x.top++
	case "pgup", "ctrl+b":
		x.top -= x.page
	case "pgdown", "ctrl+f", "space":
		x.top += x.page
	case "ctrl+u":
		x.top -= (x.page + 1) / 2
	case "ctrl+d":
		x.top += (x.page + 1) / 2
	case "g", "home":
		x.top = 0
	case "G", "end":
		x.top = len(x.lines)
	case "y":
		return m.copier.copyOut(x.text + "\n")
	}
	x.wheel(0)
	return nil
}

// wheel scrolls, as far as there is text.
func (x *sheet) wheel(by int) { x.top = max(min(x.top+by, len(x.lines)-x.page), 0) }

func (x *sheet) paste(*model, string) tea.Cmd { return nil }

func (x *sheet) draw(m *model, screen, footer cells.Area) {
	inner := m.box(screen, cells.Rect{W: screen.W, H: screen.H - 1}, x.title, theme.Dim)
	x.fold(inner.W - 2)
	x.page = max(inner.H, 1)
	x.wheel(0) // fewer lines on a wider screen
	m.drawBar(inner, x.top, len(x.lines))
	for y := range min(inner.H, len(x.lines)-x.top) {
		inner.Fit(1, y, inner.W-2, []byte(x.lines[x.top+y]), false, m.look.Glyphs.Ellipsis, theme.Plain)
	}
	if m.message.text != "" {
		m.drawMessage(footer)
		return
	}
	footer.Fill(' ', theme.Plain)
	footer.Text(1, 0, "arrows scroll   y copies   Esc closes", theme.Dim)
}
