package pane

import (
	"strings"

	"vyretop/tui/theme"
)

// Restore sorts the table as it was sorted last. A name that no column has is ignored.
func (t *Table) Restore() {
	if text := t.Sorted[string(t.View)]; text != "" {
		t.SortAs(strings.Split(text, ","))
	}
	t.Forget()
}

// SortAs sorts the table by the names of up to two columns; it reports whether there are such.
func (t *Table) SortAs(names []string) bool {
	if len(names) == 0 || len(names) > 2 {
		return false
	}
	columns := t.Make().Columns()
	by, ok := ParseSort(names[0], columns)
	var then SortKey
	if ok && len(names) > 1 {
		then, ok = ParseSort(names[1], columns)
	}
	if !ok {
		return false
	}
	t.SortKey, t.Then = by, then
	t.Rearrange()
	return true
}

// Resorted by the user: it is remembered, and the rows are sorted.
func (t *Table) sorted() {
	t.Remember()
	t.Rearrange()
}

// Remember notes how the table is sorted, for the next time; as it is at first is not noted.
func (t *Table) Remember() {
	if t.Sorted == nil {
		return
	}
	v := string(t.View)
	if t.SortKey == (SortKey{}) && t.Then == (SortKey{}) {
		delete(t.Sorted, v)
		return
	}
	columns := t.Arrange().Rows.Columns()
	t.Sorted[v] = t.SortName(columns)
	if t.Then.Sort != 0 {
		t.Sorted[v] += "," + t.Then.SortName(columns)
	}
}

// SortBy moves the sort column.
func (t *Table) SortBy(step int) {
	n := len(t.Arrange().Rows.Columns())
	t.Sort = (t.Sort + step + n) % n
	t.sorted()
}

// SortColumn sorts by a column, or the other way round when it is the sort column already.
func (t *Table) SortColumn(column int) {
	if t.Sort == column {
		t.Descending = !t.Descending
	} else {
		t.Sort = column
	}
	t.sorted()
}

// Reverse turns the order round.
func (t *Table) Reverse() {
	t.Descending = !t.Descending
	t.sorted()
}

// ThenBy makes the column that the table is sorted by the one that decides among equal rows, for when another one is
// chosen; a second time it is no longer so.
func (t *Table) ThenBy() {
	columns := t.Arrange().Rows.Columns()
	if t.Then == t.SortKey {
		t.Then = SortKey{}
		t.Say(theme.Plain, "equal rows are in the order of "+columns[0].ID)
	} else {
		t.Then = t.SortKey
		t.Say(theme.Plain, "then by "+t.Then.SortName(columns)+": choose the first sort column with < and >")
	}
	t.sorted()
}
