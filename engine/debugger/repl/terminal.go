package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// Terminal runs a REPL for a person: with line editing, history and completion.
type Terminal struct {
	REPL      *REPL
	In, Out   *os.File // of one terminal
	Prompt    string
	Interrupt func(end func()) (done func()) // has the next Ctrl-C call end until done is called
	Leaving   func() string                  // what to ask before quit leaves, "" for nothing; nil: nothing
	Answered  func(answer string)            // told what was answered
}

// Run reads and carries out commands up to quit, Ctrl-D or the end of ctx.
func (t *Terminal) Run(ctx context.Context) error {
	in, err := cancelreader.NewReader(t.In)
	if err != nil {
		return err
	}
	defer in.Close()
	defer context.AfterFunc(ctx, func() { in.Cancel() })()
	editor := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{&keys{in: in}, t.Out}, t.Prompt)
	editor.History = &history{}
	editor.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		return t.complete(editor, line, pos, key)
	}
	for {
		line, err := t.read(editor)
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			fmt.Fprintln(t.Out) // the prompt stays behind
			return ctx.Err()
		case err != nil && !errors.Is(err, term.ErrPasteIndicator):
			return err
		}
		if err := t.do(ctx, line); errors.Is(err, ErrQuit) {
			return t.leave(editor)
		}
	}
}

// leave asks what is to be asked before quit leaves.
func (t *Terminal) leave(editor *term.Terminal) error {
	if t.Leaving == nil {
		return nil
	}
	question := t.Leaving()
	if question == "" {
		return nil
	}
	editor.SetPrompt(question)
	answer, err := t.read(editor)
	if err == nil {
		t.Answered(strings.TrimSpace(answer))
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return err
}

// read reads a line with the terminal in raw mode.
func (t *Terminal) read(editor *term.Terminal) (string, error) {
	state, err := term.MakeRaw(int(t.In.Fd()))
	if err != nil {
		return "", err
	}
	defer term.Restore(int(t.In.Fd()), state)
	if w, h, err := term.GetSize(int(t.Out.Fd())); err == nil && w > 0 && h > 0 {
		if err := editor.SetSize(w, h); err != nil {
			return "", err
		}
	}
	return editor.ReadLine()
}

// do carries out a command, which Ctrl-C stops.
func (t *Terminal) do(ctx context.Context, line string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer t.Interrupt(cancel)()
	t.REPL.WithContext(ctx)
	err := t.REPL.Do(line)
	if err != nil && !errors.Is(err, ErrQuit) {
		t.REPL.print("error", err.Error(), nil)
	}
	return err
}

// complete completes the word before the cursor; several candidates are printed.
func (t *Terminal) complete(editor *term.Terminal, line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	word, list := t.REPL.Candidates(line[:pos])
	if len(list) == 0 {
		return line, pos, true
	}
	common := list[0]
	for _, c := range list {
		for !strings.HasPrefix(c, common) {
			common = common[:len(common)-1]
		}
	}
	switch {
	case len(list) == 1:
		common += " "
	case common == word:
		io.WriteString(editor, strings.Join(list, "  ")+"\n")
	}
	done := line[:pos-len(word)] + common
	return done + line[pos:], len(done), true
}

// keys has Ctrl-C clear the line that is edited.
type keys struct {
	in   io.Reader
	rest []byte
}

// The control characters that a terminal in raw mode sends, or that the editor takes.
const (
	ctrlC, ctrlE, ctrlU = 3, 5, 21
)

// Read reads what was typed.
func (k *keys) Read(p []byte) (int, error) {
	if len(k.rest) == 0 {
		buf := make([]byte, max(1, len(p)/2))
		n, err := k.in.Read(buf)
		for _, b := range buf[:n] {
			if b == ctrlC {
				k.rest = append(k.rest, ctrlE, ctrlU)
			} else {
				k.rest = append(k.rest, b)
			}
		}
		if err != nil && n == 0 {
			return 0, err
		}
	}
	n := copy(p, k.rest)
	k.rest = k.rest[n:]
	return n, nil
}

// history holds the commands typed, without empty lines and repetitions.
type history struct{ lines []string }

// maxHistory bounds the history.
const maxHistory = 1000

// Add keeps a line.
func (h *history) Add(line string) {
	if strings.TrimSpace(line) == "" || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return
	}
	if h.lines = append(h.lines, line); len(h.lines) > maxHistory {
		h.lines = h.lines[1:]
	}
}

// Len is how many lines there are.
func (h *history) Len() int { return len(h.lines) }

// At is a line, the latest one first.
func (h *history) At(i int) string { return h.lines[len(h.lines)-1-i] }
