package pane

import (
	"slices"
	"strconv"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/words"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// The columns of the differences.
const (
	dfWord = iota
	dfName
	dfA
	dfB
	dfMeaning
	dfChange
	dfBuffer
)

var differenceColumns = []Column{
	dfWord:    {ID: "word", Title: "word", Width: 13, Keep: 2},
	dfName:    {ID: "name", Title: "name", Width: 26, Grow: true},
	dfA:       {ID: "a", Title: "A", Width: 10, Right: true},
	dfB:       {ID: "b", Title: "B", Width: 10, Right: true},
	dfMeaning: {ID: "meaning", Title: "meaning", Width: 18, Keep: 3},
	dfChange:  {ID: "change", Title: "B-A", Width: 11, Right: true, Keep: 1},
	dfBuffer:  {ID: "buffer", Title: "buffer", Off: true},
}

// Side is one of two snapshots that are compared.
type Side struct {
	Frame *Frame // its target and its snapshot, or nil
	Name  string // how it was chosen
}

// Differences are the words in which two snapshots differ, as a table. Its rows are keyed by buffer and word.
type Differences struct {
	Look  *Look
	All   bool // also words that change although nothing happens
	A, B  Side
	Found words.Differences
}

// Columns implements Rows.
func (v *Differences) Columns() []Column { return differenceColumns }

// Len implements Rows.
func (v *Differences) Len() int { return len(v.Found.List) }

// bufferShift is above the bits of a word's index in a key.
const bufferShift = 40

// Key implements Rows.
func (v *Differences) Key(row int) uint64 {
	d := &v.Found.List[row]
	return uint64(slices.Index(words.Buffers, d.Buffer))<<bufferShift | uint64(d.Index)
}

// InOrder reports whether the rows are sorted by a column as they are.
func (v *Differences) InOrder(column int) bool { return column == dfWord }

// Number implements Rows. A change counts by its size, whatever its direction.
func (v *Differences) Number(row, column int) uint64 {
	d := &v.Found.List[row]
	switch column {
	case dfA, dfMeaning:
		return uint64(d.A)
	case dfB:
		return uint64(d.B)
	case dfChange:
		return uint64(max(int64(int32(d.B-d.A)), -int64(int32(d.B-d.A))))
	case dfBuffer:
		return uint64(slices.Index(words.Buffers, d.Buffer))
	default:
		return v.Key(row)
	}
}

// At is the place of the word in a row.
func (v *Differences) At(row int) WordAt {
	d := &v.Found.List[row]
	return WordAt{bufferNamed(d.Buffer), d.Index}
}

// Append implements Rows.
func (v *Differences) Append(dst []byte, row, column int) ([]byte, Cell) {
	d := &v.Found.List[row]
	switch column {
	case dfWord:
		dst = append(append(dst, d.Buffer...), '[')
		return append(strconv.AppendInt(dst, int64(d.Index), 10), ']'), Cell{Style: theme.Dim}
	case dfName:
		return append(dst, v.At(row).Name()...), Cell{}
	case dfA:
		return v.appendSide(dst, d.A, !d.OnlyB), Cell{}
	case dfB:
		return v.appendSide(dst, d.B, !d.OnlyA), Cell{Style: theme.Warning}
	case dfMeaning:
		return v.appendMeaning(dst, row), Cell{}
	case dfBuffer:
		return append(dst, d.Buffer...), Cell{}
	default:
		return appendChange(dst, d), Cell{Style: theme.Dim}
	}
}

func (v *Differences) appendSide(dst []byte, w uint32, known bool) []byte {
	if !known {
		return append(dst, '-')
	}
	return units.AppendWord(dst, w, v.Look.Hex)
}

// appendMeaning writes what the word means on both sides, where that is more than a number.
func (v *Differences) appendMeaning(dst []byte, row int) []byte {
	d, at := &v.Found.List[row], v.At(row)
	a, b := "", ""
	if !d.OnlyB {
		a = v.A.Frame.meaningOf(at)
	}
	if !d.OnlyA {
		b = v.B.Frame.meaningOf(at)
	}
	if a == b {
		return append(dst, a...)
	}
	dst = append(appendOr(dst, a), ' ')
	return appendOr(append(append(dst, string(v.Look.Glyphs.Arrow)...), ' '), b)
}

func appendOr(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, '-')
	}
	return append(dst, text...)
}

func appendChange(dst []byte, d *words.Difference) []byte {
	if d.OnlyA || d.OnlyB {
		return append(dst, '-')
	}
	n := int64(int32(d.B - d.A))
	if n > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, n, 10)
}

// DiffChips are those of the differences: the buffers.
func DiffChips(*megakernel.Target) *Chips {
	var list []Chip
	for i, name := range words.Buffers {
		list = append(list, Chip{Value: filter.Value{Text: name, Number: uint64(i)}})
	}
	return &Chips{columns: differenceColumns, see: func(c *Chips, _ *Frame) { c.noteAll(0) }, Kinds: []ChipKind{{Name: "buffer", Column: dfBuffer, Chips: list}}}
}

// DiffHeading is the heading of the differences: the two snapshots, and what is left out.
func (l *Look) DiffHeading(v *Differences, o *Order, s *TableState) Heading {
	note := v.A.appendTo(l.Note(), 'A')
	note = v.B.appendTo(note, 'B')
	note = appendTableNote(note, v, o, s)
	if more := v.Found.Total - v.Len(); more > 0 {
		note = append(strconv.AppendInt(append(note, "  "...), int64(more), 10), " more"...)
	}
	if v.All {
		note = append(note, "  all words"...)
	}
	if n := v.Found.Volatile; n > 0 {
		note = append(strconv.AppendInt(append(note, "  "...), int64(n), 10), " volatile"...)
	}
	return Heading{"Diff", note, v.hint()}
}

// Of reports whether one of the snapshots is of a target.
func (v *Differences) Of(t *megakernel.Target) bool {
	return (v.A.known() && v.A.Frame.Target == t) || (v.B.known() && v.B.Frame.Target == t)
}

// same reports whether both are the same snapshot of a target.
func (v *Differences) same() bool {
	a, b := v.A.Frame, v.B.Frame
	return a.Target == b.Target && a.Snap.Taken == b.Snap.Taken
}

// known reports whether there is such a snapshot.
func (x *Side) known() bool { return x.Frame != nil && x.Frame.Snap != nil }

// Taken is when it was.
func (x *Side) taken() time.Duration { return x.Frame.Snap.Taken }

func (x *Side) appendTo(dst []byte, letter byte) []byte {
	dst = append(dst, letter, ' ')
	if !x.known() {
		return append(dst, "-  "...)
	}
	dst = units.AppendClock(dst, x.taken())
	if x.Name != "" {
		dst = append(append(dst, ' '), x.Name...)
	}
	return append(dst, "  "...)
}

// hint says what to do where nothing differs, or nothing is compared.
func (v *Differences) hint() string {
	switch {
	case !v.A.known():
		return "Press d to compare later samples with this one, or set a marker with m: what is on the screen is then compared with it, word by word. " +
			":diff 1s 2.5s compares two times, :diff m1 now a marker with the present, :diff base what was opened with the screen below it."
	case v.same():
		return "A and B are the same snapshot. Resume, or move through time: what changes is listed here, word by word."
	case v.Found.Volatile > 0:
		return "No word differs, but for those that change although nothing happens: v compares them too."
	default:
		return "No word differs."
	}
}

// Columns of the details of a difference.
const (
	diffLabel = 2
	diffA     = 13
	diffSide  = 15 // columns of a side, at least
)

// DrawDifference draws a row in full: what both sides hold, in every form.
func (l *Look) DrawDifference(a cells.Area, v *Differences, row int) int {
	d, at := &v.Found.List[row], v.At(row)
	rest := l.title(a, at.Name(), at.String())
	side := max((rest.W-diffA)/2, diffSide)
	line := func(y int, name, x, z string, style cells.Style) {
		rest.Text(diffLabel, y, name, theme.Dim)
		rest.Fit(diffA, y, side-1, []byte(x), false, l.Glyphs.Ellipsis, theme.Plain)
		rest.Fit(diffA+side, y, rest.W-diffA-side, []byte(z), false, l.Glyphs.Ellipsis, style)
	}
	both := func(f func(w uint32) string) (x, z string) {
		x, z = "-", "-"
		if !d.OnlyB {
			x = f(d.A)
		}
		if !d.OnlyA {
			z = f(d.B)
		}
		return x, z
	}
	line(1, "at", string(units.AppendClock(nil, v.A.taken()))+" "+v.A.Name, string(units.AppendClock(nil, v.B.taken()))+" "+v.B.Name, theme.Plain)
	for y, form := range []struct {
		name string
		of   func(uint32) string
	}{
		{"hex", func(w uint32) string { return string(units.AppendHex(nil, w)) }},
		{"decimal", func(w uint32) string { return strconv.FormatUint(uint64(w), 10) }},
		{"signed", func(w uint32) string { return strconv.FormatInt(int64(int32(w)), 10) }},
		{"float", func(w uint32) string { return FormatWord(w, FloatFormat) }},
	} {
		x, z := both(form.of)
		line(y+2, form.name, x, z, theme.Changed)
	}
	x, z := "", ""
	if !d.OnlyB {
		x = v.A.Frame.meaningOf(at)
	}
	if !d.OnlyA {
		z = v.B.Frame.meaningOf(at)
	}
	line(6, "meaning", x, z, theme.Changed)
	rest.Text(diffLabel, 7, "B-A", theme.Dim)
	rest.Text(diffA, 7, string(appendChange(nil, d)), theme.Plain)
	rest.Text(diffLabel, 8, "written by", theme.Dim)
	rest.Text(diffA, 8, at.Owner(), theme.Plain)
	return 10
}
