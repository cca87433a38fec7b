package repl

import (
	"io"
	"regexp"
	"strings"
)

// Sources give lines of files, each read once.
type Sources struct {
	Read func(name string) string
	all  map[string]file
}

type file struct {
	plain   []string
	colored [][]Token
}

// NewSources makes sources that read gives the texts of, by their names; "" where there is none.
func NewSources(read func(name string) string) Sources {
	return Sources{read, map[string]file{}}
}

func (s Sources) file(name string) file {
	f, ok := s.all[name]
	if !ok {
		all := strings.ReplaceAll(s.Read(name), "\r\n", "\n")
		f = file{strings.Split(all, "\n"), Highlight(all)}
		s.all[name] = f
	}
	return f
}

// Line is a line of a file, from 1; "" behind its end.
func (s Sources) Line(name string, line int) string {
	if list := s.file(name).plain; line <= len(list) {
		return list[line-1]
	}
	return ""
}

// Count is how many lines a file has; the end of the last one begins no other.
func (s Sources) Count(name string) int {
	list := s.file(name).plain
	if n := len(list); list[n-1] == "" {
		return n - 1
	}
	return len(list)
}

// Colored is Line with colors for a terminal.
func (s Sources) Colored(name string, line int) string {
	if list := s.file(name).colored; line <= len(list) {
		return ANSI(list[line-1])
	}
	return ""
}

// Colors writes colors to a terminal as they are, and everything else by way of a writer that makes it harmless.
type Colors struct {
	Text     io.Writer
	Terminal io.Writer
}

var colorSequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Write writes text with colors in it.
func (w Colors) Write(p []byte) (int, error) {
	at := 0
	for _, m := range append(colorSequence.FindAllIndex(p, -1), []int{len(p), len(p)}) {
		if _, err := w.Text.Write(p[at:m[0]]); err != nil {
			return 0, err
		}
		if _, err := w.Terminal.Write(p[m[0]:m[1]]); err != nil {
			return 0, err
		}
		at = m[1]
	}
	return len(p), nil
}
