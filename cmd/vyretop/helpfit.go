package main

import (
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// fittedHelp is a terminal that the lists of the help are written to. The library gives the names as many columns as the longest one
// needs, and leaves it to the terminal to break the descriptions, which it does within words.
type fittedHelp struct{ file *os.File }

func (f fittedHelp) Read(p []byte) (int, error) { return f.file.Read(p) }
func (f fittedHelp) Close() error               { return f.file.Close() }
func (f fittedHelp) Fd() uintptr                { return f.file.Fd() }

func (f fittedHelp) Write(p []byte) (int, error) {
	width := columns(f.file)
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text, ended := strings.CutSuffix(line, "\n")
		b.WriteString(fitEntry(text, width))
		if ended {
			b.WriteByte('\n')
		}
	}
	if _, err := f.file.WriteString(b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// helpIndent is how far the library indents the entries of a list.
const helpIndent = 4

// fitEntry writes an entry of a list, a name and a description, in lines of at most width cells: names have less than half of them. Other
// lines stay as they are.
func fitEntry(line string, width int) string {
	plain := ansi.Strip(line)
	name, rest, ok := strings.Cut(strings.TrimLeft(plain, " "), "  ")
	if !ok || len(plain)-len(strings.TrimLeft(plain, " ")) != helpIndent || strings.TrimSpace(rest) == "" {
		return line
	}
	nameEnd := helpIndent + ansi.StringWidth(name)
	from := ansi.StringWidth(plain) - ansi.StringWidth(strings.TrimLeft(rest, " "))
	at := min(from, width*9/20)
	head := ansi.Truncate(line, nameEnd, "")
	if nameEnd+2 > at {
		head += "\n" + strings.Repeat(" ", at)
	} else {
		head += strings.Repeat(" ", at-nameEnd)
	}
	return head + wrapWords(ansi.TruncateLeft(line, from, ""), width-at-1, at)
}

// wrapWords breaks a text at spaces into lines of at most width cells, and indents those behind the first. A hyphen does not end a line: it may be
// that of a flag.
func wrapWords(text string, width, indent int) string {
	var b strings.Builder
	column := 0
	for i, w := range strings.Fields(text) {
		n := ansi.StringWidth(w)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += n
	}
	return b.String()
}
