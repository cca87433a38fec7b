package cells

import (
	"github.com/mattn/go-runewidth"

	"vyretop/megakernel/safe"
)

// Replacement stands for a character that cannot be shown in one column.
const Replacement = '?'

// width measures characters as a terminal with a western locale does, whatever the environment of
// this process says: the box, block and braille glyphs that we draw ourselves are one column there.
var width = runewidth.Condition{EastAsianWidth: false}

// clean returns r when it is exactly one visible column wide and harmless, else Replacement. Tabs and newlines
// become a space, because they separate words. Text from outside that should stay readable goes through safe.Text first.
func clean(r rune) rune {
	switch {
	case r >= ' ' && r < 0x7f:
		return r
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case !safe.Harmful(r) && width.RuneWidth(r) == 1:
		return r
	default:
		return Replacement
	}
}
