package pane

import (
	"cmp"
	"math"
	"slices"
)

// Arranger is the memory of an order, for one that is made with every frame.
type Arranger struct {
	rows    []int32
	every   []int32 // 0, 1, 2 …
	row     filterRow
	entries []entry
	spare   []entry
}

// Arrange is the function Arrange. The order that it returned before is no longer valid.
func (x *Arranger) Arrange(r Rows, s *TableState, ranks map[uint64]int32) Order {
	n := r.Len()
	if s.Filter == nil && sorted(r, s, ranks) {
		for i := len(x.every); i < n; i++ {
			x.every = append(x.every, int32(i))
		}
		return Order{Rows: x.every[:n], Total: n}
	}
	o := Order{Rows: slices.Grow(x.rows[:0], n), Total: n}
	x.row.rows = r
	for i := range n {
		x.row.index = i
		if s.Context != 0 || s.Filter.Match(&x.row) {
			o.Rows = append(o.Rows, int32(i))
		}
	}
	x.rows = o.Rows
	x.sort(&o, r, s, ranks)
	if s.Context != 0 && s.FilterText != "" {
		o.keepAround(r, s)
	}
	return o
}

// entry is what a row is sorted by.
type entry struct {
	number, then, key uint64 // numbers are inverted for falling orders
	rank, row         int32
}

// entry is what a row is sorted by, without its rank.
func (s *TableState) entry(r Rows, row int) entry {
	e := entry{number: s.number(r, row), key: r.Key(row), row: int32(row)}
	if s.Then.Sort != 0 {
		e.then = s.Then.number(r, row)
	}
	return e
}

func (e *entry) compare(o *entry) int {
	return cmp.Or(cmp.Compare(e.rank, o.rank), cmp.Compare(e.number, o.number), cmp.Compare(e.then, o.then), cmp.Compare(e.key, o.key))
}

// radixRows is from how many rows on sorting by digits is faster.
const radixRows = 1 << 14

// inOrder is a table whose rows are sorted by a column as they are.
type inOrder interface{ InOrder(column int) bool }

// sorted reports whether the rows need no sorting.
func sorted(r Rows, s *TableState, ranks map[uint64]int32) bool {
	v, ok := r.(inOrder)
	return ok && ranks == nil && !s.Descending && v.InOrder(s.Sort)
}

func (x *Arranger) sort(o *Order, r Rows, s *TableState, ranks map[uint64]int32) {
	if sorted(r, s, ranks) {
		return
	}
	x.entries = x.entries[:0]
	for _, row := range o.Rows {
		e := s.entry(r, int(row))
		if ranks != nil {
			e.rank = rank(ranks, e.key)
		}
		x.entries = append(x.entries, e)
	}
	compare := func(a, b entry) int { return a.compare(&b) }
	switch {
	case slices.IsSortedFunc(x.entries, compare):
		return
	case ranks == nil && len(x.entries) >= radixRows:
		x.radix()
	default:
		slices.SortFunc(x.entries, compare)
	}
	for i := range x.entries {
		o.Rows[i] = x.entries[i].row
	}
}

// number is what a row is sorted by, rising.
func (k SortKey) number(r Rows, row int) uint64 {
	n := r.Number(row, k.Sort)
	if k.Descending {
		return ^n
	}
	return n
}

func rank(ranks map[uint64]int32, key uint64) int32 {
	if i, ok := ranks[key]; ok {
		return i
	}
	return math.MaxInt32
}

// Digits of an entry for radix: 16 bits each, those of the key first.
const (
	digitBits   = 16
	partDigits  = 64 / digitBits
	entryDigits = 3 * partDigits
)

func (e *entry) digit(i int) uint16 {
	part := e.number
	switch i / partDigits {
	case 0:
		part = e.key
	case 1:
		part = e.then
	}
	return uint16(part >> (digitBits * (i % partDigits)))
}

// radix sorts the entries, which have no ranks, digit by digit from the least one on. Digits that are the same
// everywhere cost a look only.
func (x *Arranger) radix() {
	n := len(x.entries)
	x.spare = slices.Grow(x.spare[:0], n)[:n]
	var places [1 << digitBits]int32
	for d := range entryDigits {
		clear(places[:])
		for i := range x.entries {
			places[x.entries[i].digit(d)]++
		}
		if int(places[x.entries[0].digit(d)]) == n {
			continue
		}
		at := int32(0)
		for i, count := range places {
			places[i], at = at, at+count
		}
		for i := range x.entries {
			place := &places[x.entries[i].digit(d)]
			x.spare[*place] = x.entries[i]
			*place++
		}
		x.entries, x.spare = x.spare, x.entries
	}
}
