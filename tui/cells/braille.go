package cells

// brailleBase is the braille pattern without dots; brailleColumn are the bits of the dots of its left
// and its right column, from the bottom up.
//
// Source: The Unicode Standard, chapter 21.1, Braille Patterns.
const brailleBase = 0x2800

var brailleColumn = [2][4]rune{{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}

// Braille draws an area chart with two values a column and four dots a row, the last value at the
// right edge, scaled so that top fills the height. Absent values are left blank; a value above 0 shows
// at least one dot.
func (a Area) Braille(values []float64, top float64, s Style) {
	if len(values) > 2*a.W {
		values = values[len(values)-2*a.W:]
	}
	first := 2*a.W - len(values)
	for i, v := range values {
		if v < 0 || top <= 0 {
			continue
		}
		level := int(v/top*float64(4*a.H) + 0.5)
		if v > 0 {
			level = max(level, 1)
		}
		a.dots((first+i)/2, (first+i)%2, min(level, 4*a.H), s)
	}
}

// dots fills one column of dots from the bottom up.
func (a Area) dots(x, column, level int, s Style) {
	for y := a.H - 1; y >= 0 && level > 0; y-- {
		bits := rune(0)
		for _, bit := range brailleColumn[column][:min(level, 4)] {
			bits |= bit
		}
		c := &a.buf.Row(a.Y + y)[a.X+x]
		if c.Rune < brailleBase || c.Rune > brailleBase+0xff {
			c.Rune = brailleBase
		}
		c.Rune |= bits
		c.Style = s
		level -= 4
	}
}
