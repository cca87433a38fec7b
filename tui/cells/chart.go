package cells

// Ramp is the glyphs of a chart from empty to full.
type Ramp []rune

// The ramps: eighths of a block from the bottom, eighths from the left, and what a terminal without
// Unicode can show.
var (
	BlockRamp = Ramp(" ▁▂▃▄▅▆▇█")
	BarRamp   = Ramp(" ▏▎▍▌▋▊▉█")
	ASCIIRamp = Ramp(" .:-=+*#")
	ASCIIBar  = Ramp(" |")
)

// Absent marks a column of a chart for which nothing is known; it stays blank.
const Absent = -1

// Columns draws one column per value, the last value at the right edge, scaled so that top fills
// the height of the area. Absent values are left blank; a value above 0 shows at least the lowest
// visible mark, so that "little" and "nothing" look different.
func (a Area) Columns(values []float64, top float64, ramp Ramp, s Style) {
	if len(values) > a.W {
		values = values[len(values)-a.W:]
	}
	steps := len(ramp) - 1
	for i, v := range values {
		if v < 0 || top <= 0 {
			continue
		}
		level := int(v/top*float64(steps*a.H) + 0.5)
		if v > 0 {
			level = max(level, 1)
		}
		a.column(a.W-len(values)+i, min(level, steps*a.H), ramp, s)
	}
}

func (a Area) column(x, level int, ramp Ramp, s Style) {
	steps := len(ramp) - 1
	for y := a.H - 1; y >= 0 && level > 0; y-- {
		part := min(level, steps)
		a.Set(x, y, ramp[part], s)
		level -= part
	}
}

// Gauge fills the first row from the left to the share part of its width; part is clamped to 0..1.
// What is not filled shows the rune rest.
func (a Area) Gauge(part float64, ramp Ramp, rest rune, s, dim Style) {
	steps := len(ramp) - 1
	level := int(min(max(part, 0), 1)*float64(a.W*steps) + 0.5)
	for x := range a.W {
		switch n := min(max(level-x*steps, 0), steps); n {
		case 0:
			a.Set(x, 0, rest, dim)
		default:
			a.Set(x, 0, ramp[n], s)
		}
	}
}
