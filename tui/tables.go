package tui

import (
	"time"

	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// arrangement is the rows of the current table, made once per frame and change of sorting.
type arrangement struct {
	rows  pane.Rows
	order pane.Order
	at    time.Time // when it was made
}

// manyRows is from how many rows on a table of tasks is filtered and sorted once in resort as a whole: with a
// million that takes a tenth of a second.
const manyRows = 1 << 15

// outdate says that there is a new frame. A table of very many tasks goes on showing the slots that it shows, with
// what is in them now, until it has been sorted again.
func (m *model) outdate() {
	if v, many := m.showsMany(); many && v.Show(m.frame(), m.control.requests.pendingTasks(m.now())) {
		m.resorting.wanted = m.resorting.wanted || m.now().Sub(m.arranged.at) >= resort
		return
	}
	m.arranged = arrangement{}
}

// tableTab is the view whose table the current view uses.
func (m *model) tableTab() keymap.View { return m.panel().table }

// arrange is the current table, filtered and sorted.
func (m *model) arrange() *arrangement {
	if m.arranged.rows == nil {
		r := m.panel().rows(m)
		m.arranged = arrangement{rows: r, order: m.arranger.Arrange(r, m.table(), m.keptRanks()), at: m.now()}
		if v, ok := r.(*pane.Tasks); ok && m.tree {
			v.Tree(&m.arranged.order)
		}
		m.keepRanks()
	}
	return &m.arranged
}

// resort is how long rows stay where they are although the numbers that they are sorted by change.
// An order that changed with every frame could not be read, nor a row in it be chosen.
const resort = time.Second

// kept is the order that a table was last sorted into.
type kept struct {
	sorting sorting
	at      time.Time
	ranks   map[uint64]int32
}

// sorting is what a table is sorted by.
type sorting struct {
	tab      keymap.View
	by, then pane.SortKey
	tree     bool
}

func (m *model) sorting() sorting {
	t := m.table()
	return sorting{tab: m.tableTab(), by: t.SortKey, then: t.Then, tree: m.tree}
}

// keptRanks are the ranks to keep for now, or nil when it is time to sort.
func (m *model) keptRanks() map[uint64]int32 {
	_, typing := m.modal.(*input)
	asked := m.modal != nil && !typing // about what is on the screen, so that stays where it is
	if m.kept.sorting == m.sorting() && (asked || m.now().Sub(m.kept.at) < resort) {
		return m.kept.ranks
	}
	return nil
}

// keepRanks remembers a fresh order. The first column of every table is its identity, which does
// not change: there is nothing to keep.
func (m *model) keepRanks() {
	s := m.sorting()
	switch {
	case s.by.Sort == 0 || len(m.arranged.order.Rows) >= manyRows:
		m.kept = kept{}
	case m.keptRanks() == nil:
		m.kept = kept{sorting: s, at: m.now(), ranks: m.arranged.order.Ranks(m.arranged.rows)}
	}
}

// follows reports whether the current table sticks to its newest row while nothing is selected.
func (m *model) follows() bool {
	t := m.table()
	return (m.tab == keymap.Log || m.tab == keymap.Events) && t.Sort == 0 && !t.Descending
}

// settle brings what depends on the data back into bounds after a message was handled.
func (m *model) settle() {
	if m.message.text != "" && m.now().After(m.message.until) {
		m.message = message{}
	}
	if m.control.requests.waiting() > 0 {
		m.outdate() // waiting times are part of the rows
	}
	m.keepCursor()
	t, a := m.table(), m.arrange()
	if m.tableTab() == keymap.Workers && !t.HasSelected && len(a.order.Rows) > 0 {
		t.Selected, t.HasSelected = a.rows.Key(int(a.order.Rows[0])), true
	}
	last := m.topFor(a, len(a.order.Rows)-1)
	if at, ok := a.order.Position(a.rows, t); ok {
		t.Top = min(max(t.Top, m.topFor(a, at)), at)
	} else if m.follows() && !t.HasSelected {
		t.Top = last
	}
	t.Top = max(min(t.Top, last), 0)
}

// topFor is the first position to show for the row at another to be the last one on the screen.
func (m *model) topFor(a *arrangement, at int) int {
	if m.tab == keymap.Timeline { // a line of time is never wrapped
		return at - m.pageRows() + 1
	}
	return m.look.TopFor(a.rows, &a.order, at, m.layout().Main.W, m.pageRows())
}

// move selects the row that is by rows away from the selected one.
func (m *model) move(by int) {
	t, a := m.table(), m.arrange()
	n := len(a.order.Rows)
	if n == 0 {
		return
	}
	at, ok := a.order.Position(a.rows, t)
	switch {
	case ok:
		at += by
	case m.follows() && !t.HasSelected:
		at = n - 1 + min(by, 0)
	default:
		at = t.Top // the selected row is gone: start with the first visible one
	}
	m.selectAt(min(max(at, 0), n-1))
}

func (m *model) selectAt(position int) {
	t, a := m.table(), m.arrange()
	if position >= 0 && position < len(a.order.Rows) {
		t.Selected, t.HasSelected = a.rows.Key(int(a.order.Rows[position])), true
	}
}

// toBottom selects the last row; a table that follows goes back to following.
func (m *model) toBottom() {
	if m.follows() {
		m.table().HasSelected = false
		return
	}
	m.selectAt(len(m.arrange().order.Rows) - 1)
}

// selection is the key of the selected row, when that row still exists.
func (m *model) selection() (key uint64, row int, ok bool) {
	t, a := m.table(), m.arrange()
	at, ok := a.order.Position(a.rows, t)
	if !ok {
		return 0, 0, false
	}
	return t.Selected, int(a.order.Rows[at]), true
}

// sortBy moves the sort column.
func (m *model) sortBy(step int) {
	t := m.table()
	n := len(m.arrange().rows.Columns())
	t.Sort = (t.Sort + step + n) % n
	m.rememberSorting()
	m.rearrange()
}

// thenBy makes the column that the table is sorted by the one that decides among equal rows, for when another one is
// chosen; a second time it is no longer so.
func (m *model) thenBy() {
	t := m.table()
	if t.Then == t.SortKey {
		t.Then = pane.SortKey{}
		m.say(theme.Plain, "equal rows are in the order of "+m.arrange().rows.Columns()[0].ID)
	} else {
		t.Then = t.SortKey
		m.say(theme.Plain, "then by "+t.Then.SortName(m.arrange().rows.Columns())+": choose with < and > what to sort by first")
	}
	m.rememberSorting()
	m.rearrange()
}

// mark toggles the mark of the selected row and moves on.
func (m *model) mark() {
	key, _, ok := m.selection()
	if !ok {
		return
	}
	t := m.table()
	if t.Marks == nil {
		t.Marks = map[uint64]bool{}
	}
	if t.Marks[key] {
		delete(t.Marks, key)
	} else {
		t.Marks[key] = true
	}
	m.move(1)
}

// showTab changes the view.
func (m *model) showTab(v keymap.View) {
	if v != m.tab {
		m.lastTab, m.tab = m.tab, v
	}
	m.expanded = false
	m.arranged = arrangement{}
}
