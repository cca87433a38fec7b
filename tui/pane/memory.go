package pane

import (
	"fmt"
	"strconv"
	"time"

	"vyretop/engine/units"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// The columns of the memory table.
const (
	mmIndex = iota
	mmName
	mmHex
	mmValue
	mmMeaning
	mmChanged
)

var memoryColumns = []Column{
	mmIndex:   {ID: "word", Title: "word", Width: 9, Right: true},
	mmName:    {ID: "name", Title: "name", Width: 20, Grow: true},
	mmHex:     {ID: "hex", Title: "hex", Width: units.HexWidth, Keep: 3},
	mmValue:   {ID: "value", Title: "decimal", Width: 10, Right: true},
	mmMeaning: {ID: "meaning", Title: "meaning", Width: 10, Keep: 1},
	mmChanged: {ID: "changed", Title: "ago", Width: units.DurationWidth, Right: true, Keep: 2},
}

// Memory is a page of a buffer as a table; its rows are keyed by word index.
type Memory struct {
	Frame  *Frame
	Look   *Look
	Buffer Buffer
	First  int             // first word of the page
	Ages   []time.Duration // by word of the page: since it changed, or history.Never

	Problem string // why there are no words, "" when that is not known
}

func (v *Memory) words() []uint32 { return v.Frame.Page(v.Buffer, v.First) }

// At is the place of the word in a row.
func (v *Memory) At(row int) WordAt { return WordAt{v.Buffer, v.First + row} }

// Columns implements Rows.
func (v *Memory) Columns() []Column { return memoryColumns }

// Len implements Rows.
func (v *Memory) Len() int { return len(v.words()) }

// Key implements Rows.
func (v *Memory) Key(row int) uint64 { return uint64(v.First + row) }

// Number implements Rows. What has never changed comes last in the order of changes.
func (v *Memory) Number(row, column int) uint64 {
	switch column {
	case mmHex, mmValue:
		return uint64(v.words()[row])
	case mmChanged:
		return uint64(v.age(row))
	default:
		return v.Key(row)
	}
}

func (v *Memory) age(row int) time.Duration {
	if row < len(v.Ages) {
		return v.Ages[row]
	}
	return history.Never
}

// Append implements Rows.
func (v *Memory) Append(dst []byte, row, column int) ([]byte, Cell) {
	word, age := v.words()[row], v.age(row)
	cell := Cell{Style: wordStyle(word, age)}
	switch column {
	case mmIndex:
		return units.AppendIndex(dst, v.First+row, v.Look.Hex), Cell{Style: theme.Dim}
	case mmName:
		if fresh(age) {
			cell.Glyph = v.Look.Glyphs.Mark
		}
		return append(dst, v.At(row).Name()...), cell
	case mmHex:
		return units.AppendHex(dst, word), cell
	case mmMeaning:
		return append(dst, v.Frame.meaningOf(v.At(row))...), Cell{Style: theme.Dim}
	case mmChanged:
		return appendChanged(dst, age), cell
	default:
		return strconv.AppendUint(dst, uint64(word), 10), cell
	}
}

// How long a changed word looks different: first it stands out with a mark, then in color only,
// then in bold.
const (
	freshFor  = 500 * time.Millisecond
	recentFor = 2 * time.Second
	warmFor   = 6 * time.Second
)

func fresh(age time.Duration) bool { return age != history.Never && age <= freshFor }

func wordStyle(word uint32, age time.Duration) cells.Style {
	switch {
	case age == history.Never && word == 0:
		return theme.Dim
	case age == history.Never || age > warmFor:
		return theme.Plain
	case age <= freshFor:
		return theme.Changed
	case age <= recentFor:
		return theme.Warning
	default:
		return theme.Strong
	}
}

func appendChanged(dst []byte, age time.Duration) []byte {
	if age == history.Never {
		return append(dst, '-')
	}
	return units.AppendAge(dst, age)
}

// MemoryHeading is the heading of a page.
func (l *Look) MemoryHeading(v *Memory, o *Order, s *TableState) Heading {
	note := l.Note()
	if total := v.Frame.Size(v.Buffer); total > v.Len() && v.Len() > 0 {
		note = fmt.Appendf(note, "words %d..%d of %d  ", v.First, v.First+v.Len()-1, total)
	}
	note = append(appendTableNote(note, v, o, s), "  * changed"...)
	hint := v.Problem
	if hint == "" {
		hint = "This buffer has not been read yet."
	}
	if v.Buffer == ControlBuffer { // which is shown at first, and without memory of its own
		return Heading{"Memory: control", note, hint}
	}
	return Heading{"Memory: " + v.Buffer.String(), note, hint}
}

// DrawWord draws everything that can be said about a word.
func (l *Look) DrawWord(a cells.Area, f *Frame, at WordAt, age time.Duration) int {
	v, ok := f.Word(at)
	if !ok {
		return 1 + l.empty(l.title(a, "Word", ""), "No word is selected. Move with the arrows.")
	}
	rest := l.title(a, at.Name(), at.String())
	style := wordStyle(v, age)
	fields := []struct {
		name, value string
		style       cells.Style
	}{
		{"hex", string(units.AppendHex(nil, v)), style},
		{"decimal", strconv.FormatUint(uint64(v), 10), style},
		{"signed", strconv.FormatInt(int64(int32(v)), 10), theme.Plain},
		{"float", FormatWord(v, FloatFormat), theme.Plain},
		{"binary", FormatWord(v, BinaryFormat), theme.Plain},
		{"meaning", f.meaningOf(at), theme.Plain},
		{"written by", at.Owner(), theme.Plain},
		{"changed", changedText(age), theme.Plain},
	}
	for y, field := range fields {
		l.field(rest.Line(y), field.name, []byte(field.value), field.style)
	}
	return len(fields) + 1
}

func changedText(age time.Duration) string {
	if age == history.Never {
		return "not seen to change"
	}
	return units.Age(age) + " ago"
}

// DrawCounters draws the totals that the device publishes.
func (l *Look) DrawCounters(a cells.Area, f *Frame, names []string, values []uint64) int {
	rest := l.title(a, "Counters", "totals since launch")
	if f.Snap == nil {
		return 1 + l.empty(rest, "No snapshot yet.")
	}
	for i, name := range names {
		l.field(rest.Line(i), name, strconv.AppendUint(l.cell[:0], values[i], 10), theme.Plain)
	}
	return 1 + len(names)
}

// field draws a name and, aligned in a column of its own, a value.
func (l *Look) field(a cells.Area, name string, value []byte, s cells.Style) {
	a.Text(1, 0, name, theme.Dim)
	a.Fit(16, 0, a.W-16, value, false, l.Glyphs.Ellipsis, s)
}
