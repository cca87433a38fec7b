package pane

import (
	"strings"

	"vyretop/tui/cells"
)

// Lines breaks text into lines of at most width columns, at spaces where there are any.
func Lines(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	var out []string
	for more := true; more; {
		var line string
		line, text, more = nextLine(text, width)
		out = append(out, line)
	}
	return out
}

// nextLine cuts the first line off a text; more is false when that was the last one. A word longer
// than a line is cut.
func nextLine(text string, width int) (line, rest string, more bool) {
	text = strings.TrimLeft(text, " ")
	columns, space := 0, -1
	for i, r := range text {
		if r == '\n' {
			return strings.TrimRight(text[:i], " "), text[i+1:], true
		}
		if columns == width {
			if r == ' ' {
				space = i
			}
			if space < 0 {
				space = i
			}
			return strings.TrimRight(text[:space], " "), text[space:], strings.Trim(text[space:], " ") != ""
		}
		if r == ' ' {
			space = i
		}
		columns++
	}
	return strings.TrimRight(text, " "), "", false
}

// Wrap draws text into the area, line by line, and returns the number of rows that it takes, which may be more
// than there are.
func Wrap(a cells.Area, text string, s cells.Style) int { return wrapFrom(a, 0, text, s) }

// wrapFrom is Wrap from a row on, which may be above the area.
func wrapFrom(a cells.Area, row int, text string, s cells.Style) int {
	if a.W <= 0 {
		return 0
	}
	y := row
	for more := true; more; y++ {
		var line string
		line, text, more = nextLine(text, a.W)
		a.Text(0, y, line, s)
	}
	return y - row
}
