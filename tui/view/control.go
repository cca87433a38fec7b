package view

import (
	"strconv"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// The columns of the control table.
const (
	ctIndex = iota
	ctName
	ctHex
	ctValue
)

var controlColumns = []Column{
	ctIndex: {ID: "word", Title: "word", Width: 7, Right: true},
	ctName:  {ID: "name", Title: "name", Width: 22},
	ctHex:   {ID: "hex", Title: "hex", Width: units.HexWidth, Keep: 1},
	ctValue: {ID: "value", Title: "decimal", Width: 10, Right: true},
}

// Control is the table of the control buffer's words; its rows are keyed by word index.
type Control struct {
	Frame *Frame
	Look  *Look
}

// Columns implements Rows.
func (v *Control) Columns() []Column { return controlColumns }

// Len implements Rows.
func (v *Control) Len() int {
	if v.Frame.Snap == nil {
		return 0
	}
	return len(v.Frame.Snap.Control)
}

// Key implements Rows.
func (v *Control) Key(row int) uint64 { return uint64(row) }

// Number implements Rows: the value of the word, and the index for the columns that name it.
func (v *Control) Number(row, column int) uint64 {
	if column == ctIndex || column == ctName {
		return uint64(row)
	}
	return uint64(v.Frame.Snap.Control[row])
}

// Append implements Rows.
func (v *Control) Append(dst []byte, row, column int) ([]byte, Cell) {
	word := v.Frame.Snap.Control[row]
	cell := Cell{}
	switch {
	case v.Frame.Changed.Has(row):
		cell.Style = theme.Changed
	case word == 0:
		cell.Style = theme.Dim
	}
	switch column {
	case ctIndex:
		return strconv.AppendInt(dst, int64(row), 10), Cell{Style: theme.Dim}
	case ctName:
		if v.Frame.Changed.Has(row) {
			cell.Glyph = v.Look.Glyphs.Mark
		}
		return append(dst, megakernel.ControlWordName(row)...), cell
	case ctHex:
		return units.AppendHex(dst, word), cell
	default:
		return strconv.AppendUint(dst, uint64(word), 10), cell
	}
}

// DrawControl draws the control words with their title.
func (l *Look) DrawControl(a cells.Area, v *Control, o *Order, s *TableState) {
	rest := l.title(a, "Control words", tableNote(v, o, s)+"  * changed within 1s")
	l.DrawTable(rest, v, o, s, "The control buffer has not been read yet.")
}

// DrawCounters draws the totals that the device publishes, beside the control words.
func (l *Look) DrawCounters(a cells.Area, f *Frame) {
	rest := l.title(a, "Counters", "totals since launch")
	if f.Snap == nil {
		l.empty(rest, "No snapshot yet.")
		return
	}
	for i, name := range megakernel.CounterNames {
		l.field(rest.Line(i), name, strconv.AppendUint(nil, f.Snap.Counters[i], 10), theme.Plain)
	}
}

// field draws a name and, aligned in a column of its own, a value.
func (l *Look) field(a cells.Area, name string, value []byte, s cells.Style) {
	a.Text(1, 0, name, theme.Dim)
	a.Fit(16, 0, a.W-16, value, false, l.Glyphs.Ellipsis, s)
}
