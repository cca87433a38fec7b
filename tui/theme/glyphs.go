package theme

import "vyretop/tui/cells"

// Glyphs is the set of symbols for a kind of terminal. All are one column wide.
type Glyphs struct {
	Unicode    bool
	Ellipsis   rune
	Cursor     rune // in front of the selected row
	Mark       rune // in front of a marked row
	Ascending  rune
	Descending rune
	Rest       rune // unfilled part of a gauge
	Separator  rune // between fields of the header
	Horizontal rune
	Dot        rune // of a dotted line
	Vertical   rune
	Arrow      rune // from old to new
	Times      rune
	Played     rune // part of the bar of time
	Head       rune // position on the bar of time
	Thumb      rune // part of a list that is in sight
	Columns    cells.Ramp
	Bar        cells.Ramp
	corners    [4]rune // top left, top right, bottom left, bottom right
}

var unicodeGlyphs = Glyphs{
	Unicode: true, Ellipsis: '…', Cursor: '▸', Mark: '*', Ascending: '▲', Descending: '▼', Rest: '░',
	Separator: '·', Horizontal: '─', Dot: '·', Vertical: '│', Arrow: '→', Times: '×', Played: '━', Head: '●', Thumb: '┃',
	Columns: cells.BlockRamp, Bar: cells.BarRamp, corners: [4]rune{'╭', '╮', '╰', '╯'},
}

var asciiGlyphs = Glyphs{
	Ellipsis: '~', Cursor: '>', Mark: '*', Ascending: '^', Descending: 'v', Rest: '.',
	Separator: '-', Horizontal: '-', Dot: '.', Vertical: '|', Arrow: '>', Times: 'x', Played: '=', Head: 'O', Thumb: '#',
	Columns: cells.ASCIIRamp, Bar: cells.ASCIIBar, corners: [4]rune{'+', '+', '+', '+'},
}

var (
	blockShades = []rune(" ░▒▓█")
	asciiShades = []rune(" .+%#")
)

// Shades are the glyphs of growing density, from empty to full.
func (g *Glyphs) Shades() []rune {
	if g.Unicode {
		return blockShades
	}
	return asciiShades
}

// Box draws a frame along the edge of the area and returns what is inside of it.
func (g *Glyphs) Box(a cells.Area, s cells.Style) cells.Area {
	for x := range a.W {
		a.Set(x, 0, g.Horizontal, s)
		a.Set(x, a.H-1, g.Horizontal, s)
	}
	for y := range a.H {
		a.Set(0, y, g.Vertical, s)
		a.Set(a.W-1, y, g.Vertical, s)
	}
	a.Set(0, 0, g.corners[0], s)
	a.Set(a.W-1, 0, g.corners[1], s)
	a.Set(0, a.H-1, g.corners[2], s)
	a.Set(a.W-1, a.H-1, g.corners[3], s)
	return a.Sub(cells.Rect{X: 1, Y: 1, W: a.W - 2, H: a.H - 2})
}
