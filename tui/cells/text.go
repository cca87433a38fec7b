package cells

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// Replacement stands for a character that cannot be shown in one column.
const Replacement = '?'

// width measures characters as a terminal with a western locale does, whatever the environment of
// this process says: the box, block and braille glyphs that we draw ourselves are one column there.
var width = runewidth.Condition{EastAsianWidth: false}

// Clean returns s as Text would draw it, for text from outside that goes to the terminal another way.
func Clean(s string) string { return strings.Map(clean, s) }

// clean returns r when it is exactly one visible column wide, else Replacement. Tabs and newlines
// become a space, because they separate words.
func clean(r rune) rune {
	switch {
	case r >= ' ' && r < 0x7f:
		return r
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r < 0xa0:
		return Replacement
	case width.RuneWidth(r) == 1:
		return r
	default:
		return Replacement
	}
}
