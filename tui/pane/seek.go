package pane

import (
	"slices"
	"sort"

	"vyretop/megakernel/filter"
)

// Nearest is the row of the order that is closest to the row with the given key in all, the order
// before filtering; of two that are as close, the later one. ok is false when the order is empty or
// all has no such key.
func (o *Order) Nearest(r Rows, all *Order, key uint64) (row int, ok bool) {
	from := slices.IndexFunc(all.Rows, func(row int32) bool { return r.Key(int(row)) == key })
	if from < 0 || len(o.Rows) == 0 {
		return 0, false
	}
	passes := make(map[int32]bool, len(o.Rows))
	for _, row := range o.Rows {
		passes[row] = true
	}
	for d := range all.Rows {
		for _, at := range [...]int{from + d, from - d} {
			if at >= 0 && at < len(all.Rows) && passes[all.Rows[at]] {
				return int(all.Rows[at]), true
			}
		}
	}
	return 0, false
}

// Behind is the position of the first row that is sorted behind the selected one, which need not be in the order: where
// that is gone, of the first one.
func (o *Order) Behind(r Rows, s *TableState) int {
	for row := range r.Len() {
		if r.Key(row) != s.Selected {
			continue
		}
		at := s.entry(r, row)
		return sort.Search(len(o.Rows), func(i int) bool {
			e := s.entry(r, int(o.Rows[i]))
			return e.compare(&at) > 0
		})
	}
	return 0
}

// Match is the first position that e matches, from position at on in steps of step.
func (o *Order) Match(r Rows, e *filter.Expr, at, step int) (int, bool) {
	row := filterRow{rows: r}
	for ; at >= 0 && at < len(o.Rows); at += step {
		if row.index = int(o.Rows[at]); e.Match(&row) {
			return at, true
		}
	}
	return 0, false
}

// Matches reports whether a row of a table passes a filter.
func Matches(r Rows, e *filter.Expr, row int) bool { return e.Match(&filterRow{rows: r, index: row}) }
