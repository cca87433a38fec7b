package pane

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"vyretop/engine/units"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Format is how a watched word is written.
type Format byte

// The formats, as they are typed behind a comma: "control[128],x".
const (
	HexFormat     Format = 'x'
	DecimalFormat Format = 'u'
	SignedFormat  Format = 'd'
	FloatFormat   Format = 'f'
	BinaryFormat  Format = 'b'
)

// Known reports whether there is such a format.
func (f Format) Known() bool {
	switch f {
	case HexFormat, DecimalFormat, SignedFormat, FloatFormat, BinaryFormat:
		return true
	}
	return false
}

// FormatWord writes a word in a format; an unknown one counts as decimal.
func FormatWord(v uint32, f Format) string {
	switch f {
	case HexFormat:
		return string(units.AppendHex(nil, v))
	case SignedFormat:
		return strconv.FormatInt(int64(int32(v)), 10)
	case FloatFormat:
		return strconv.FormatFloat(float64(math.Float32frombits(v)), 'g', 7, 32)
	case BinaryFormat:
		return fmt.Sprintf("%08b %08b %08b %08b", byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	default:
		return strconv.FormatUint(uint64(v), 10)
	}
}

// Watch is a word that stays in sight.
type Watch struct {
	WordAt
	Format Format
}

// DrawWatches lists the watched words: name, value and how long ago each changed. It returns the number of rows.
func (l *Look) DrawWatches(a cells.Area, f *Frame, watches []Watch, ages []time.Duration) int {
	rest := l.title(a, "Watch", strconv.Itoa(len(watches)))
	if len(watches) == 0 {
		return 1 + l.empty(rest, "W keeps the selected word in sight; :watch control[128],x does so with a format (x u d f b).")
	}
	for i, w := range watches {
		line := rest.Line(i)
		v, ok := f.Word(w.WordAt)
		value := "-"
		if ok {
			value = FormatWord(v, w.Format)
		}
		style := wordStyle(v, ages[i])
		name := max(line.W-12-units.DurationWidth-4, 12)
		line.Fit(1, 0, name, []byte(w.Name()), false, l.Glyphs.Ellipsis, theme.Plain)
		line.Fit(name+2, 0, 12, []byte(value), true, l.Glyphs.Ellipsis, style)
		line.Fit(name+15, 0, units.DurationWidth, appendChanged(nil, ages[i]), true, l.Glyphs.Ellipsis, theme.Dim)
	}
	return 1 + len(watches)
}
