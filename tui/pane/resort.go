package pane

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel/filter"
	"vyretop/megakernel/stats"
)

// ManyRows is from how many rows on a table of tasks is filtered and sorted once in ResortInterval as a whole: with a
// million that takes a tenth of a second.
const ManyRows = 1 << 15

// resorting is the sorting of very many tasks, which takes longer than a key may wait. It is done outside of the
// dashboard's goroutine, once at a time; until it is done the rows stay where they are.
type resorting struct {
	wanted, running bool
	benches         [2]workbench // one for the order on the screen, one for that in the making
	inUse           int          // the one on the screen
	choose          bool         // what is selected is to be visible then
}

// workbench is the memory that an order is made in.
type workbench struct {
	frame    Frame
	look     Look
	tasks    Tasks
	arranger Arranger
}

// Resorted is a new order of the tasks, if what it was made for is still so.
type Resorted struct {
	of      *Table
	bench   int
	order   Order
	sorting sorting
	filter  *filter.Expr
}

// showsMany reports whether the table is one of very many tasks.
func (t *Table) showsMany() (*Tasks, bool) {
	v, ok := t.arranged.Rows.(*Tasks)
	return v, ok && t.Many && v.Len() >= ManyRows
}

// staysInView still shows the slots of very many tasks, with what is in them now, until they have been sorted again.
func (t *Table) staysInView() bool {
	v, many := t.showsMany()
	if !many || !v.Show(t.Frame(), t.Pending(true)) {
		return false
	}
	t.many.wanted = t.many.wanted || t.Now().Sub(t.arranged.at) >= ResortInterval
	return true
}

// resortLater has very many tasks sorted again; false for other tables.
func (t *Table) resortLater() bool {
	v, many := t.showsMany()
	if !many || !v.Show(t.Frame(), t.Pending(true)) {
		return false
	}
	t.many.wanted = true
	return true
}

// Sorting reports whether the table is being sorted.
func (t *Table) Sorting() bool { return t.many.running }

// SortsSoon reports whether the table will be sorted, or is.
func (t *Table) SortsSoon() bool { return t.many.wanted || t.many.running }

// Resort starts to sort the table again, if it is time to.
func (t *Table) Resort() tea.Cmd {
	x := &t.many
	if _, many := t.showsMany(); !many { // few enough to have been sorted already
		x.wanted, x.choose = false, false
	}
	if !x.wanted || x.running {
		return nil
	}
	x.wanted, x.running = false, true
	bench := 1 - x.inUse
	b, state, by := &x.benches[bench], t.TableState, t.sorting()
	b.frame = Frame{Target: t.Target, Snap: t.Frame().Snap, SlotCounts: b.frame.SlotCounts}
	if b.frame.SlotCounts == nil {
		b.frame.SlotCounts = new(stats.SlotCounts)
	}
	looks := *t.Look.Theme // which may change while it sorts
	b.look = Look{Theme: &looks, Hex: t.Look.Hex}
	tree := by.tree
	return func() tea.Msg {
		b.frame.SlotCounts.Take(b.frame.Snap.Slots)
		out := b.arranger.Arrange(b.tasks.Renew(&b.frame, &b.look, nil), &state, nil)
		if tree {
			b.tasks.Tree(&out)
		}
		return Resorted{t, bench, out, by, state.Filter}
	}
}

// Take shows a new order, unless another one was asked for since.
func (msg Resorted) Take() {
	t, x := msg.of, &msg.of.many
	x.running = false
	if _, many := t.showsMany(); !many || msg.sorting != t.sorting() || msg.filter != t.Filter {
		return
	}
	v := &x.benches[msg.bench].tasks
	if !v.Show(t.Frame(), t.Pending(true)) {
		return
	}
	v.Look = t.Look
	x.inUse = msg.bench
	t.arranged = Arranged{Rows: v, Order: msg.order, at: t.Now()}
	if x.choose && !x.wanted {
		x.choose = false
		t.selectVisible()
	}
}
