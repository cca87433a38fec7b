package cells

import (
	"github.com/clipperhouse/displaywidth"

	"vyretop/megakernel/safe"
)

// Replacement stands for a character that cannot be shown in one column.
const Replacement = '?'

// clean returns r when it is exactly one visible column wide and harmless, else Replacement. Tabs and newlines
// become a space, because they separate words. Widths are those of a terminal with a western locale, whatever the
// environment of this process says: the box, block and braille glyphs that we draw ourselves are one column there.
// Text from outside that should stay readable goes through safe.Text first.
func clean(r rune) rune {
	switch {
	case r >= ' ' && r < 0x7f:
		return r
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case !safe.Harmful(r) && displaywidth.Rune(r) == 1:
		return r
	default:
		return Replacement
	}
}
