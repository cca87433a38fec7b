package tui

import (
	tea "charm.land/bubbletea/v2"

	"vyretop/tui/census"
	"vyretop/tui/filter"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// resorting is the sorting of very many tasks, which takes longer than a key may wait. It is done outside of the
// model's goroutine, once at a time; until it is done the rows stay where they are.
type resorting struct {
	wanted, running bool
	benches         [2]workbench // one for the order on the screen, one for that in the making
	inUse           int          // the one on the screen
	choose          bool         // what is selected is to be visible then
}

// workbench is the memory that an order is made in.
type workbench struct {
	frame    pane.Frame
	census   census.Census
	look     pane.Look
	tasks    pane.Tasks
	arranger pane.Arranger
}

// resorted is a new order of the tasks, if what it was made for is still so.
type resorted struct {
	bench   int
	order   pane.Order
	sorting sorting
	filter  *filter.Expr
}

func (msg resorted) route(m *model) tea.Cmd {
	m.onResorted(msg)
	return nil
}

// showsMany reports whether the current table is one of very many tasks.
func (m *model) showsMany() (*pane.Tasks, bool) {
	v, ok := m.arranged.rows.(*pane.Tasks)
	return v, ok && v.Len() >= manyRows
}

// rearrange is for when the rows are to be chosen or sorted in another way, or are those of another moment.
func (m *model) rearrange() {
	if v, many := m.showsMany(); many && v.Show(m.frame(), m.control.requests.pendingTasks(m.now())) {
		m.resorting.wanted = true
		return
	}
	m.arranged = arrangement{}
}

// sortedBy reports whether very many tasks are shown as a filter wants them already, or will be.
func (m *model) sortedBy(text string) bool {
	_, many := m.showsMany()
	t := m.table()
	return many && t.Filter != nil && t.FilterText == text
}

// resort starts to sort the tasks anew, if it is time to.
func (m *model) resort() tea.Cmd {
	x := &m.resorting
	if _, many := m.showsMany(); !many { // another view, or few enough to have been sorted already
		x.wanted, x.choose = false, false
	}
	if !x.wanted || x.running {
		return nil
	}
	x.wanted, x.running = false, true
	bench := 1 - x.inUse
	b, state, by, tree := &x.benches[bench], *m.table(), m.sorting(), m.tree
	b.frame = pane.Frame{Target: &m.target, Snap: m.frame().Snap, Census: &b.census}
	looks := *m.look.Theme // which may be changed meanwhile
	b.look = pane.Look{Theme: &looks, Hex: m.look.Hex}
	return func() tea.Msg {
		b.census.Take(b.frame.Snap.Slots)
		order := b.arranger.Arrange(b.tasks.Renew(&b.frame, &b.look, nil), &state, nil)
		if tree {
			b.tasks.Tree(&order)
		}
		return resorted{bench, order, by, state.Filter}
	}
}

// onResorted shows a new order, unless another one was asked for meanwhile.
func (m *model) onResorted(msg resorted) {
	x := &m.resorting
	x.running = false
	if _, many := m.showsMany(); !many || m.tableTab() != keymap.Tasks || msg.sorting != m.sorting() || msg.filter != m.table().Filter {
		return
	}
	v := &x.benches[msg.bench].tasks
	if !v.Show(m.frame(), m.control.requests.pendingTasks(m.now())) {
		return
	}
	v.Look = &m.look
	x.inUse = msg.bench
	m.arranged = arrangement{rows: v, order: msg.order, at: m.now()}
	if x.choose && !x.wanted {
		x.choose = false
		m.selectVisible()
	}
}
