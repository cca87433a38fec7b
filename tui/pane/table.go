package pane

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Column describes one column of a table.
type Column struct {
	ID    string // name in filters and for sorting
	Title string
	Width int  // least width in columns
	Grow  bool // takes a share of the width that is left
	Right bool // numbers
	Keep  int  // columns with the smallest Keep are dropped first when space is short; 0 is never dropped
	Off   bool // never on the screen: for filters, sorting and the details of a row
}

// Cell is how one value is drawn. Glyph, when not 0, goes in front of the text.
type Cell struct {
	Style cells.Style
	Glyph rune
}

// Rows is a table's content. Rows are numbered from 0 in an order that does not matter.
type Rows interface {
	// Columns are those of the table, in the order of their numbers.
	Columns() []Column
	// Len is the number of rows.
	Len() int
	// Key identifies what the row shows across snapshots: a worker, a task; never a position.
	Key(row int) uint64
	// Append writes the text of a cell behind dst.
	Append(dst []byte, row, column int) ([]byte, Cell)
	// Number is what the column is sorted and compared by.
	Number(row, column int) uint64
}

// SortKey is what a table is sorted by.
type SortKey struct {
	Sort       int // column
	Descending bool
}

// SortName is how a key is written: the name of its column, behind "-" where it is descending.
func (k SortKey) SortName(columns []Column) string {
	if k.Descending {
		return "-" + columns[k.Sort].ID
	}
	return columns[k.Sort].ID
}

// ParseSort reads what SortName writes.
func ParseSort(name string, columns []Column) (k SortKey, ok bool) {
	name, k.Descending = strings.CutPrefix(name, "-")
	k.Sort = slices.IndexFunc(columns, func(c Column) bool { return c.ID == name })
	return k, k.Sort >= 0
}

// TableState is what the user did to a table.
type TableState struct {
	Selected    uint64 // key of the selected row
	HasSelected bool
	Top         int // first visible position in the order
	SortKey
	Then       SortKey // among rows that are equal by that; the first column, which is the identity, is what comes last anyway
	Filter     *filter.Expr
	FilterText string
	Context    int // rows around a match that stay, or AllRows; 0 hides all others
	Marks      map[uint64]bool
	Sought     *filter.Expr // the last filter that was kept, for going from match to match
	SoughtText string
}

// gutter is the columns in front of a row: the cursor and the mark.
const gutter = 2

// placed is a column that fits.
type placed struct{ column, x, width int }

// maxPlaced is more columns than any table has.
const maxPlaced = 32

// fit chooses the columns that fit into width and gives what is left to those that grow. Columns
// are dropped by their Keep, never cut.
func fit(out *[maxPlaced]placed, columns []Column, width int) []placed {
	used := gutter - 1
	var dropped [maxPlaced]bool
	for i := range columns {
		if dropped[i] = columns[i].Off; !dropped[i] {
			used += columns[i].Width + 1
		}
	}
	for used > width {
		drop := -1
		for i, c := range columns {
			if !dropped[i] && c.Keep > 0 && (drop < 0 || c.Keep <= columns[drop].Keep) {
				drop = i
			}
		}
		if drop < 0 {
			break
		}
		dropped[drop] = true
		used -= columns[drop].Width + 1
	}
	return place(out[:0], columns, &dropped, max(width-used, 0))
}

func place(out []placed, columns []Column, dropped *[maxPlaced]bool, spare int) []placed {
	growing := 0
	for i, c := range columns {
		if c.Grow && !dropped[i] {
			growing++
		}
	}
	x := gutter
	for i, c := range columns {
		if dropped[i] {
			continue
		}
		w := c.Width
		if c.Grow {
			w += spare / growing
			spare -= spare / growing
			growing--
		}
		out = append(out, placed{column: i, x: x, width: w})
		x += w + 1
	}
	return out
}

// ColumnAt is the column whose place covers x in a table of the given width.
func ColumnAt(columns []Column, width, x int) (int, bool) {
	var places [maxPlaced]placed
	for _, p := range fit(&places, columns, width) {
		if x >= p.x && x < p.x+p.width {
			return p.column, true
		}
	}
	return 0, false
}

// DrawTable draws the header row and the rows from s.Top on. Hint is what to say when there is no
// row at all.
func (l *Look) DrawTable(a cells.Area, r Rows, o *Order, s *TableState, hint string) {
	columns := fit(&l.columns, r.Columns(), a.W)
	head, body := a.SplitTop(1)
	l.drawHead(head, r.Columns(), columns, s)
	if len(o.Rows) == 0 {
		if o.Total > 0 {
			hint = s.noneLeft(o.Total)
		}
		l.empty(body, hint)
		return
	}
	for y, at := 0, s.Top; y < body.H && at < len(o.Rows); at++ {
		row, h := int(o.Rows[at]), 1
		if l.Wrap {
			h = l.height(r, row, columns)
		}
		line := body.Sub(cells.Rect{Y: y, W: body.W, H: h})
		l.drawRow(line, r, row, columns, s, l.cell[:0])
		if !o.matches(at) {
			line.Restyle(otherStyle)
		}
		y += h
	}
}

// DoneHidden is the filter that the table of tasks begins with.
const DoneHidden = "!state=done"

// noneLeft says why a table with rows shows none of them.
func (s *TableState) noneLeft(rows int) string {
	switch {
	case s.FilterText == DoneHidden && rows == 1:
		return "1 done task is hidden. Esc shows it, / looks for others."
	case s.FilterText == DoneHidden:
		return strconv.Itoa(rows) + " done tasks are hidden. Esc shows them, / looks for others."
	}
	return "No row passes the filter " + s.FilterText + ". / changes it, Esc clears it."
}

// otherStyle lets a row that does not match recede.
func otherStyle(s cells.Style) cells.Style {
	if s&cells.Reverse != 0 {
		return s
	}
	return theme.Dim
}

func (l *Look) drawHead(a cells.Area, all []Column, columns []placed, s *TableState) {
	for _, p := range columns {
		c := &all[p.column]
		style := theme.Strong
		title := append(l.cell[:0], c.Title...)
		first, second := p.column == s.Sort, p.column == s.Then.Sort && s.Then.Sort != 0
		if (first || second) && len(title) >= p.width {
			p = p.widened(c.Right, a.W)
		}
		if first {
			style |= cells.Reverse
			title = l.appendArrow(title, p.width, s.Descending)
		} else if second {
			title = l.appendArrow(title, p.width, s.Then.Descending)
		}
		a.Fit(p.x, 0, p.width, title, c.Right, l.Glyphs.Ellipsis, style)
	}
}

// widened is the place of a title that takes the blank beside its column, too, which is on the side to which it does not align.
func (p placed) widened(right bool, width int) placed {
	switch {
	case right:
		p.x, p.width = p.x-1, p.width+1
	case p.x+p.width < width:
		p.width++
	}
	return p
}

// appendArrow says behind the title of a column how the table is sorted by it; a title that leaves no room is shortened.
func (l *Look) appendArrow(title []byte, width int, descending bool) []byte {
	if len(title) >= width { // titles are ASCII
		title = title[:max(width-1, 0)]
	}
	if descending {
		return utf8.AppendRune(title, l.Glyphs.Descending)
	}
	return utf8.AppendRune(title, l.Glyphs.Ascending)
}

func (l *Look) drawRow(a cells.Area, r Rows, row int, columns []placed, s *TableState, scratch []byte) {
	key := r.Key(row)
	if s.Marks[key] {
		a.Set(1, 0, l.Glyphs.Mark, theme.Warning)
	}
	all := r.Columns()
	for _, p := range columns {
		text, cell := r.Append(scratch[:0], row, p.column)
		x, w := p.x, p.width
		if cell.Glyph != 0 {
			a.Set(x, 0, cell.Glyph, cell.Style)
			x, w = x+2, w-2
		}
		l.drawText(a.Sub(cells.Rect{X: x, W: w, H: a.H}), text, &all[p.column], cell.Style, s)
	}
	if s.HasSelected && key == s.Selected {
		a.Set(0, 0, l.Glyphs.Cursor, theme.Strong)
		a.Restyle(selectedStyle)
	}
}

// drawMatch marks what the filter found in a text that Fit has drawn.
func (l *Look) drawMatch(a cells.Area, text []byte, at, n int, right bool) {
	x := utf8.RuneCount(text[:at])
	if total := utf8.RuneCount(text); right && total < a.W {
		x += a.W - total
	}
	a.Sub(cells.Rect{X: x, W: utf8.RuneCount(text[at : at+n]), H: 1}).Restyle(func(cells.Style) cells.Style { return theme.Match })
}

// selectedStyle keeps the hues of the selected row and makes the rest of it even.
func selectedStyle(s cells.Style) cells.Style {
	if s == theme.Dim || s == theme.Done || s == theme.Strong {
		s = theme.Plain
	}
	return s | cells.Reverse
}

// NoRows is a table without rows, for views that draw something else.
type NoRows struct{}

// Columns implements Rows.
func (NoRows) Columns() []Column { return noColumns }

var noColumns = []Column{{ID: "none"}}

// Len implements Rows.
func (NoRows) Len() int { return 0 }

// Key implements Rows.
func (NoRows) Key(int) uint64 { return 0 }

// Append implements Rows.
func (NoRows) Append(dst []byte, _, _ int) ([]byte, Cell) { return dst, Cell{} }

// Number implements Rows.
func (NoRows) Number(int, int) uint64 { return 0 }
