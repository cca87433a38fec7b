package tui

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// copier copies what is on the screen.
type copier struct {
	*shared

	shell     *model
	subject   string // how commands name the target; "" where they cannot
	clipboard bool   // the terminal has one
}

// openYank offers what can be copied from where the selection is. Cell and row are those of this position.
func (cp *copier) openYank() {
	x := &menu{title: "Copy"}
	add := func(key, label, text string) {
		x.items = append(x.items, menuItem{key, label, text, func(m *model) tea.Cmd { return m.copier.copyOut(text) }})
	}
	if _, row, ok := cp.shell.table().Selection(); ok {
		r := cp.shell.table().Arrange().Rows
		cell, _ := r.Append(nil, row, cp.shell.table().Sort)
		add("c", "cell "+r.Columns()[cp.shell.table().Sort].ID, string(cell))
		add("r", "row", rowText(r, row))
		add("j", "row as JSON", rowJSON(r, row))
	}
	x.items = append(x.items, menuItem{"p", "panel as text", "all rows of " + string(cp.shell.tab), func(m *model) tea.Cmd { return m.copier.copyOut(m.copier.panelText()) }})
	if line := cp.commandLine(); cp.subject != "" && line != "" {
		label := "command line"
		if text := cp.shell.table().FilterText; text != "" && !commandFilters(cp.shell.shown().Spec().Kind, text) {
			label = "line, all rows"
		}
		add("l", label, line)
	}
	cp.modal = x
}

// maxClipboard is the longest text, encoded, that terminals are known to take: xterm and tmux stop at 100,000
// bytes of a control sequence, which leaves 74,994 bytes of text.
const maxClipboard = 100_000 - len("\x1b]52;c;\x07")

// copyOut copies a text to the clipboard of the terminal, which is the user's own one also over SSH and in tmux,
// or where that cannot be to a file, and says how much went which way.
func (cp *copier) copyOut(text string) tea.Cmd {
	size := strconv.Itoa(len(text)) + " B"
	switch encoded := base64.StdEncoding.EncodedLen(len(text)); {
	case !cp.clipboard:
		cp.copyToFile(text, size+" to ", ": this terminal has no clipboard")
		return nil
	case encoded > maxClipboard:
		cp.copyToFile(text, size+" to ", fmt.Sprintf(": OSC 52 takes %d B at most", base64.StdEncoding.DecodedLen(maxClipboard)))
		return nil
	}
	cp.say(theme.Good, "copied "+size+" via OSC 52")
	return tea.SetClipboard(text)
}

// copyToFile writes a text to a new file of the user's own and says so.
func (cp *copier) copyToFile(text, before, after string) {
	f, err := os.CreateTemp("", "vyretop-*.txt")
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		cp.fail(fmt.Errorf("copying to a file: %w. Fix: set TMPDIR to a directory with room", err))
		return
	}
	cp.say(theme.Good, "copied "+before+f.Name()+after)
}

// hasClipboard reports whether a terminal is likely to know OSC 52.
func hasClipboard(environ []string) bool {
	for _, e := range environ {
		if term, ok := strings.CutPrefix(e, "TERM="); ok {
			return !slices.Contains([]string{"", "dumb", "linux"}, term)
		}
	}
	return false
}

// rowText is the texts of a row, as they stand on the screen but whole.
func rowText(r pane.Rows, row int) string {
	var out []string
	for i := range r.Columns() {
		text, _ := r.Append(nil, row, i)
		out = append(out, string(text))
	}
	return strings.Join(out, "\t")
}

// rowJSON is the texts of a row by the names of their columns, in the order of the columns.
func rowJSON(r pane.Rows, row int) string {
	out := []byte{'{'}
	for i, c := range r.Columns() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, c.ID), ':')
		text, _ := r.Append(nil, row, i)
		value, err := json.Marshal(string(text))
		if err != nil {
			value = []byte("null") // cannot be: every string has a JSON form
		}
		out = append(out, value...)
	}
	return string(append(out, '}'))
}

// panelText is a table with all its rows in columns, or what else the panel shows, as it stands there.
func (cp *copier) panelText() string {
	if cp.shell.shown().Spec().Text {
		cp.shell.draw()
		return areaText(cp.shell.canvas.Area(cp.shell.layout().Main))
	}
	a := cp.shell.table().Arrange()
	lines := [][]string{pane.FieldNames(a.Rows.Columns())}
	for _, row := range a.Order.Rows {
		lines = append(lines, strings.Split(rowText(a.Rows, int(row)), "\t"))
	}
	return columnText(lines, a.Rows.Columns())
}

// columnText aligns cells as the columns are.
func columnText(lines [][]string, columns []pane.Column) string {
	width := make([]int, len(columns))
	for _, line := range lines {
		for i, cell := range line[:len(columns)] {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line[:len(columns)] {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if columns[i].Right {
				cell = pad + cell
			} else {
				cell += pad
			}
			text.WriteString(cell + "  ")
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	return b.String()
}

// areaText is what stands in a part of the screen.
func areaText(a cells.Area) string {
	var b strings.Builder
	for _, line := range strings.Split(a.String(), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// commandLine is the command that prints what the view shows, of the same snapshot where that is one of a
// recording, and with the same filter.
func (cp *copier) commandLine() string {
	var at *time.Duration
	if !cp.live() {
		now, _ := cp.transport.Position()
		at = &now
	}
	s := cp.shell.shown().Spec()
	if s.Line != nil {
		return shellLine(s.Line(cp.subject, at))
	}
	of := cp.subject
	if at != nil {
		of += "@" + at.String()
	}
	line := []string{s.Command, of}
	if s.Options != nil {
		line = append(line, s.Options()...)
	}
	if text := cp.shell.table().FilterText; commandFilters(s.Kind, text) {
		line = append(line, "--filter", text)
	}
	return shellLine(line)
}

// shellLine writes a command of vyretop for a shell, "" where there is none.
func shellLine(args []string) string {
	if len(args) == 0 {
		return ""
	}
	line := "vyretop"
	for _, a := range args {
		line += " " + shellWord(a)
	}
	return line
}

// commandFilters reports whether the command that prints a view knows all columns that a filter names.
func commandFilters(k *pane.Kind, text string) bool {
	if k.Prints == nil || text == "" {
		return false
	}
	_, err := filter.Parse(text, k.Prints.Names(filter.Command))
	return err == nil
}

// shellWord quotes a word for a POSIX shell.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("/._-@:=", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
