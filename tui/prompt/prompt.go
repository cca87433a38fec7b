// Package prompt is the one-line editor behind filters and commands: text, cursor, history and completion. It knows keys by the
// names of the terminal library and draws nothing itself.
package prompt

import (
	"slices"
	"strings"
)

// maxPromptRunes bounds the text of a line; what is typed or pasted beyond it is not taken.
const maxPromptRunes = 1000

// Line is a line being edited. The zero value is an empty line without history.
type Line struct {
	text   []rune
	cursor int

	history []string // oldest first
	recall  int      // how far back in history, 0 being the line itself
	draft   []rune   // the line while history is shown
}

// New makes an empty line that can recall the given earlier lines, oldest first.
func New(history []string) *Line { return &Line{history: history} }

// Text is the text of the line.
func (l *Line) Text() string { return string(l.text) }

// Cursor is the position of the cursor, in runes.
func (l *Line) Cursor() int { return l.cursor }

// Set replaces the text and puts the cursor behind it.
func (l *Line) Set(text string) {
	l.text = clip([]rune(text))
	l.cursor = len(l.text)
}

func clip(r []rune) []rune { return r[:min(len(r), maxPromptRunes)] }

// Insert puts text in at the cursor, as typing and pasting do. Line breaks become spaces.
func (l *Line) Insert(text string) {
	r := []rune(text)
	for i, c := range r {
		if c == '\n' || c == '\r' || c == '\t' {
			r[i] = ' '
		}
	}
	r = r[:min(len(r), maxPromptRunes-len(l.text))]
	l.text = slices.Insert(l.text, l.cursor, r...)
	l.cursor += len(r)
}

// Key edits the line and reports whether the key has a meaning here.
func (l *Line) Key(key string) bool {
	edit, ok := edits[key]
	if ok {
		edit(l)
	}
	return ok
}

var edits = map[string]func(*Line){
	"left":      func(l *Line) { l.cursor = max(l.cursor-1, 0) },
	"right":     func(l *Line) { l.cursor = min(l.cursor+1, len(l.text)) },
	"home":      func(l *Line) { l.cursor = 0 },
	"ctrl+a":    func(l *Line) { l.cursor = 0 },
	"end":       func(l *Line) { l.cursor = len(l.text) },
	"ctrl+e":    func(l *Line) { l.cursor = len(l.text) },
	"backspace": func(l *Line) { l.cut(max(l.cursor-1, 0), l.cursor) },
	"delete":    func(l *Line) { l.cut(l.cursor, min(l.cursor+1, len(l.text))) },
	"ctrl+u":    func(l *Line) { l.cut(0, l.cursor) },
	"ctrl+k":    func(l *Line) { l.cut(l.cursor, len(l.text)) },
	"ctrl+w":    func(l *Line) { l.cut(l.wordStart(), l.cursor) },
	"up":        func(l *Line) { l.step(1) },
	"down":      func(l *Line) { l.step(-1) },
}

func (l *Line) cut(from, to int) {
	l.text = slices.Delete(l.text, from, to)
	l.cursor = from
}

// wordStart is where the word before the cursor starts.
func (l *Line) wordStart() int {
	i := l.cursor
	for i > 0 && l.text[i-1] == ' ' {
		i--
	}
	for i > 0 && l.text[i-1] != ' ' {
		i--
	}
	return i
}

// step moves through the history; the line being written is kept as the newest entry.
func (l *Line) step(by int) {
	to := min(max(l.recall+by, 0), len(l.history))
	if to == l.recall {
		return
	}
	if l.recall == 0 {
		l.draft = slices.Clone(l.text)
	}
	l.recall = to
	if to == 0 {
		l.Set(string(l.draft))
	} else {
		l.Set(l.history[len(l.history)-to])
	}
}

// Complete replaces the word before the cursor by the longest beginning that all candidates which
// start with it share, with a space behind when there is only one. It returns those candidates.
func (l *Line) Complete(candidates []string) []string {
	start := l.wordStart()
	if start > 0 && l.cursor > 0 && l.text[l.cursor-1] == ' ' {
		start = l.cursor
	}
	fitting, common := l.complete(start, candidates)
	if len(fitting) == 1 && !strings.ContainsRune("=/", rune(common[len(common)-1])) {
		l.Insert(" ")
	}
	return fitting
}

// CompleteWhole is Complete of all that is before the cursor, and puts nothing behind it.
func (l *Line) CompleteWhole(candidates []string) []string {
	fitting, _ := l.complete(0, candidates)
	return fitting
}

// complete replaces the text from start to the cursor by what the candidates that begin with it share.
func (l *Line) complete(start int, candidates []string) (fitting []string, common string) {
	word := string(l.text[start:l.cursor])
	for _, c := range candidates {
		if !strings.HasPrefix(c, word) {
			continue
		}
		if fitting = append(fitting, c); len(fitting) == 1 {
			common = c
		} else {
			common = commonPrefix(common, c)
		}
	}
	if len(fitting) > 0 {
		l.cut(start, l.cursor)
		l.Insert(common)
	}
	return fitting, common
}

func commonPrefix(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[:i]
}
