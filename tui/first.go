package tui

import (
	"cmp"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"vyretop/tui/cells"
)

// showFirst draws the first frame at once where the output is a terminal. The terminal library would draw
// nothing before its clock ticks for the first time; it enters the alternate screen again then, which is no
// change, and draws everything anew. The returned function leaves the screen where the library has not come
// to that.
func showFirst(m *model, output io.Writer) (takeBack func()) {
	file, ok := cmp.Or[io.Writer](output, os.Stdout).(term.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return func() {}
	}
	w, h, err := term.GetSize(file.Fd())
	if err != nil || w <= 0 || h <= 0 {
		return func() {}
	}
	m.width, m.height = w, h
	m.settle()
	m.View()
	frame := append([]byte(ansi.SetModeAltScreenSaveCursor+ansi.ResetModeTextCursorEnable), cells.AppendFirst(nil, &m.canvas, m.look.Palette)...)
	out := &colorprofile.Writer{Forward: file, Profile: m.profile()}
	_, _ = out.Write(frame) // a terminal that is gone shows again in the library
	return func() {
		if !m.begun {
			_, _ = io.WriteString(file, ansi.SetModeTextCursorEnable+ansi.ResetModeAltScreenSaveCursor)
		}
	}
}
