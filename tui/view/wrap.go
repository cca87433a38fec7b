package view

import (
	"strings"
	"unicode/utf8"

	"vyretop/tui/cells"
)

// Lines breaks text into lines of at most width columns, at spaces where there are any.
func Lines(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		out = append(out, wrapParagraph(paragraph, width)...)
	}
	return out
}

func wrapParagraph(text string, width int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(text) {
		for utf8.RuneCountInString(w) > width {
			if line != "" {
				out, line = append(out, line), ""
			}
			head := string([]rune(w)[:width])
			out, w = append(out, head), w[len(head):]
		}
		switch {
		case line == "":
			line = w
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) <= width:
			line += " " + w
		default:
			out, line = append(out, line), w
		}
	}
	return append(out, line)
}

// Wrap draws text into the area, line by line, and returns the number of rows used.
func Wrap(a cells.Area, text string, s cells.Style) int {
	lines := Lines(text, a.W)
	for y, line := range lines[:min(len(lines), a.H)] {
		a.Text(0, y, line, s)
	}
	return min(len(lines), a.H)
}
