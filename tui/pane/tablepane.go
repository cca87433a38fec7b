package pane

import (
	"time"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
)

// Table is the rows of a pane, filtered and sorted, with what the user did to them. Panes of the same rows share one.
type Table struct {
	*Env
	TableState

	View keymap.View // under whose name its sorting is remembered

	Make    func() Rows
	Chips   func(*megakernel.Target) *Chips // nil: it has none
	Follows bool                            // sticks to its newest row while nothing is selected and it is not sorted
	Always  bool                            // some row is always selected
	Tree    bool                            // of tasks: children stand below their parents
	Many    bool                            // of tasks, which may be too many to be sorted while a key waits

	many     resorting
	chips    *Chips // nil until they were shown
	arranged Arranged
	arranger Arranger // memory of the order in it
	kept     kept
}

// Arranged is the rows of a table and their order, made once per frame and change of sorting.
type Arranged struct {
	Rows  Rows
	Order Order
	at    time.Time // when it was made
}

// Arrange is the table as it is shown.
func (t *Table) Arrange() *Arranged {
	if t.arranged.Rows == nil {
		r := t.Make()
		t.arranged = Arranged{Rows: r, Order: t.arranger.Arrange(r, &t.TableState, t.keptRanks()), at: t.Now()}
		if v, ok := r.(*Tasks); ok && t.Tree {
			v.Tree(&t.arranged.Order)
		}
		t.keepRanks()
	}
	return &t.arranged
}

// Made is the rows as they were made for the frame, nil before they were.
func (t *Table) Made() Rows { return t.arranged.Rows }

// Outdate says that a new frame has come.
func (t *Table) Outdate() {
	if !t.staysInView() {
		t.Forget()
	}
}

// Forget has the rows made again, for when they are others or are shown in another way.
func (t *Table) Forget() { t.arranged = Arranged{} }

// Rearrange is for when the rows are to be chosen or sorted in another way, or are those of another time.
func (t *Table) Rearrange() {
	if !t.resortLater() {
		t.Forget()
	}
}

// ResortInterval is how long rows stay where they are although the numbers that they are sorted by change.
// An order that changed with every frame could not be read, nor a row in it be chosen.
const ResortInterval = time.Second

// kept is the order that a table was last sorted into.
type kept struct {
	sorting sorting
	at      time.Time
	ranks   map[uint64]int32
}

// sorting is what a table is sorted by.
type sorting struct {
	by, then SortKey
	tree     bool
}

func (t *Table) sorting() sorting { return sorting{by: t.SortKey, then: t.Then, tree: t.Tree} }

// keptRanks are the ranks to keep for now, or nil when it is time to sort.
func (t *Table) keptRanks() map[uint64]int32 {
	if t.kept.sorting == t.sorting() && (t.Asking() || t.Now().Sub(t.kept.at) < ResortInterval) {
		return t.kept.ranks
	}
	return nil
}

// keepRanks remembers a fresh order. The first column of every table is its identity, which does
// not change: there is nothing to keep.
func (t *Table) keepRanks() {
	s := t.sorting()
	switch {
	case s.by.Sort == 0 || len(t.arranged.Order.Rows) >= ManyRows:
		t.kept = kept{}
	case t.keptRanks() == nil:
		t.kept = kept{sorting: s, at: t.Now(), ranks: t.arranged.Order.Ranks(t.arranged.Rows)}
	}
}

// Following reports whether the table sticks to its newest row while nothing is selected.
func (t *Table) Following() bool { return t.Follows && t.Sort == 0 && !t.Descending }

// Settle brings the selection and the first row in sight into bounds, with topFor as the first position to show for the row at
// another to be the last one on the screen.
func (t *Table) Settle(topFor func(at int) int) {
	a := t.Arrange()
	if t.Always && !t.HasSelected && len(a.Order.Rows) > 0 {
		t.Selected, t.HasSelected = a.Rows.Key(int(a.Order.Rows[0])), true
	}
	last := topFor(len(a.Order.Rows) - 1)
	if at, ok := a.Order.Position(a.Rows, &t.TableState); ok {
		t.Top = min(max(t.Top, topFor(at)), at)
	} else if t.Following() && !t.HasSelected {
		t.Top = last
	}
	t.Top = max(min(t.Top, last), 0)
}

// Move selects the row that is by rows away from the selected one.
func (t *Table) Move(by int) {
	a := t.Arrange()
	n := len(a.Order.Rows)
	if n == 0 {
		return
	}
	at, ok := a.Order.Position(a.Rows, &t.TableState)
	switch {
	case ok:
		at += by
	case t.Following() && !t.HasSelected:
		at = n - 1 + min(by, 0)
	default:
		at = t.Top // the selected row is gone: start with the first visible one
	}
	t.SelectAt(min(max(at, 0), n-1))
}

// selectAny selects the first row in sight where none is selected: the newest one of a table that follows.
func selectAny(t *Table) {
	if _, _, ok := t.Selection(); !ok {
		t.Move(0)
	}
}

// SelectAt selects the row at a position, if there is one.
func (t *Table) SelectAt(position int) {
	a := t.Arrange()
	if position >= 0 && position < len(a.Order.Rows) {
		t.Selected, t.HasSelected = a.Rows.Key(int(a.Order.Rows[position])), true
	}
}

// Select selects a row by its key.
func (t *Table) Select(key uint64) { t.Selected, t.HasSelected = key, true }

// Jump selects the first row, or the last; a table that follows goes back to following there.
func (t *Table) Jump(last bool) {
	switch {
	case !last:
		t.SelectAt(0)
	case t.Following():
		t.HasSelected = false
	default:
		t.SelectAt(len(t.Arrange().Order.Rows) - 1)
	}
}

// Selection is the key of the selected row, when that row still exists.
func (t *Table) Selection() (key uint64, row int, ok bool) {
	a := t.Arrange()
	at, ok := a.Order.Position(a.Rows, &t.TableState)
	if !ok {
		return 0, 0, false
	}
	return t.Selected, int(a.Order.Rows[at]), true
}

// ToggleMark marks the selected row, or no longer, and moves on.
func (t *Table) ToggleMark() {
	key, _, ok := t.Selection()
	if !ok {
		return
	}
	if t.Marks == nil {
		t.Marks = map[uint64]bool{}
	}
	if t.Marks[key] {
		delete(t.Marks, key)
	} else {
		t.Marks[key] = true
	}
	t.Move(1)
}
