package pane

import "slices"

// AllRows as Context keeps every row: those that match stand out instead.
const AllRows = -1

// Order is the visible rows of a table, filtered and sorted.
type Order struct {
	Rows   []int32
	Passes []bool // by position: whether the row passes the filter; nil when all do
	Total  int    // rows before filtering
}

// matches reports whether the row at a position passes the filter.
func (o *Order) matches(position int) bool { return o.Passes == nil || o.Passes[position] }

// Arrange filters and sorts. Equal rows are ordered by key, so that nothing moves without reason.
// Ranks, when not nil, are the positions that an earlier order gave to the keys: they are kept, and
// rows without one come last.
func Arrange(r Rows, s *TableState, ranks map[uint64]int32) Order {
	return new(Arranger).Arrange(r, s, ranks)
}

// keepAround drops the rows that are further from a match than the context.
func (o *Order) keepAround(r Rows, s *TableState) {
	row := filterRow{rows: r}
	match := make([]bool, len(o.Rows))
	until := -1 // last position that the match before keeps
	kept := o.Rows[:0]
	for i := range o.Rows {
		row.index = int(o.Rows[i])
		match[i] = s.Filter.Match(&row)
	}
	next := 0 // position of the first match that is not before i
	for i, at := range o.Rows[:len(match)] {
		for next < len(match) && (next < i || !match[next]) {
			next++
		}
		if match[i] {
			until = i + s.Context
		}
		if s.Context == AllRows || i <= until || (next < len(match) && next-i <= s.Context) {
			o.Passes = append(o.Passes, match[i])
			kept = append(kept, at)
		}
	}
	o.Rows = kept
}

// Ranks are the positions of the keys in the order, for Arrange to keep.
func (o *Order) Ranks(r Rows) map[uint64]int32 {
	ranks := make(map[uint64]int32, len(o.Rows))
	for i, row := range o.Rows {
		ranks[r.Key(int(row))] = int32(i)
	}
	return ranks
}

// Position is where the selected row is in the order.
func (o *Order) Position(r Rows, s *TableState) (int, bool) {
	if !s.HasSelected {
		return 0, false
	}
	i := slices.IndexFunc(o.Rows, func(row int32) bool { return r.Key(int(row)) == s.Selected })
	return max(i, 0), i >= 0
}

// filterRow shows one row of a table to a filter.
type filterRow struct {
	rows    Rows
	index   int
	scratch []byte
}

// Text implements filter.Row.
func (f *filterRow) Text(column int) []byte {
	f.scratch, _ = f.rows.Append(f.scratch[:0], f.index, column)
	return f.scratch
}

// Number implements filter.Row.
func (f *filterRow) Number(column int) uint64 { return f.rows.Number(f.index, column) }

// FieldNames are the names of the columns, for filters.
func FieldNames(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.ID
	}
	return names
}
