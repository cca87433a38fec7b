//go:build unix

package run

import (
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// terminal is the state of a terminal before a dashboard takes it.
type terminal struct {
	file  *os.File
	state *term.State // nil: the file is not a terminal
}

func stateOf(f *os.File) terminal {
	state, err := term.GetState(f.Fd())
	if err != nil {
		return terminal{file: f}
	}
	return terminal{f, state}
}

// modes are what a dashboard sets: mouse reports, focus reports, key encodings, bracketed paste, the alternate screen, a hidden cursor.
var modes = ansi.ResetModeSynchronizedOutput + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr + ansi.ResetModeFocusEvent +
	ansi.ResetModifyOtherKeys + ansi.KittyKeyboard(0, 1) + ansi.ResetModeBracketedPaste + ansi.SetModeAutoWrap + ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable

// restore gives the terminal back as it was: a process that was killed cannot.
func (t terminal) restore(out io.Writer) {
	if t.state == nil {
		return
	}
	_, _ = io.WriteString(out, modes)
	_ = term.Restore(t.file.Fd(), t.state) // the terminal may be gone
}
