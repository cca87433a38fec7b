package tui

import (
	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// panel is what a view shows and how it is moved through. A view whose draw is nil is a table of its
// rows.
type panel struct {
	table   keymap.View // whose rows, selection and sorting the view uses
	rows    func(*model) pane.Rows
	heading func(*model, *pane.Arranged) pane.Heading
	draw    func(*model, cells.Area)
	detail  func(*model, cells.Area) int         // of what is selected, and how many rows that takes; nil: there is none
	chips   func(*megakernel.Target) *pane.Chips // that filter the table; nil: there are none
	want    layout.Want
	head    int // rows above the first row of data, without that of chips
}

// tableHead is the rows above the first row of a table: the title and the heads of the columns.
const tableHead = 2

func (m *model) panel() *panel { return &panels[m.tab] }

var panels [keymap.NumViews]panel

// init fills the table: the functions in it use the table themselves.
func init() {
	workers := panel{
		table: keymap.Workers, rows: (*model).workerRows, heading: (*model).workersHeading,
		detail: (*model).drawWorker, chips: pane.WorkerChips, want: layout.Want{Log: true, Detail: true}, head: tableHead,
	}
	panels[keymap.Workers] = workers
	overview := workers
	overview.chips = nil
	overview.draw = (*model).drawOverview
	panels[keymap.Overview] = overview
	panels[keymap.Timeline] = panel{
		table: keymap.Workers, rows: (*model).workerRows, draw: func(m *model, a cells.Area) { m.timeline.drawTimeline(a) },
		detail: (*model).drawWorker, want: layout.Want{Detail: true}, head: pane.TimelineHead,
	}
	panels[keymap.Tasks] = panel{
		table: keymap.Tasks, rows: (*model).taskRows, detail: (*model).drawTask,
		heading: func(m *model, a *pane.Arranged) pane.Heading {
			return m.look.TasksHeading(a.Rows, &a.Order, &m.table().TableState)
		},
		chips: pane.TaskChips, want: layout.Want{Log: true, Detail: true}, head: tableHead,
	}
	panels[keymap.Ring] = panel{
		table: keymap.Ring, rows: noRows, draw: func(m *model, a cells.Area) { m.ring.drawRing(a) }, detail: func(m *model, a cells.Area) int { return m.ring.drawSlot(a) },
		want: layout.Want{Detail: true}, head: pane.RingHead,
	}
	panels[keymap.Log] = panel{
		table: keymap.Log, rows: func(m *model) pane.Rows { return m.rows.log.Renew(m.frame(), m.logWindow) },
		heading: func(m *model, a *pane.Arranged) pane.Heading {
			return m.look.LogHeading(m.frame(), &a.Order, &m.table().TableState)
		},
		detail: (*model).drawRecord, chips: pane.LogChips, want: layout.Want{Detail: true}, head: tableHead,
	}
	panels[keymap.Memory] = panel{
		table: keymap.Memory, rows: func(m *model) pane.Rows { return m.memory.memoryRows() },
		heading: func(m *model, a *pane.Arranged) pane.Heading {
			return m.look.MemoryHeading(m.memory.memoryRows(), &a.Order, &m.table().TableState)
		},
		detail: func(m *model, a cells.Area) int { return m.memory.drawWordDetail(a) }, want: layout.Want{Detail: true}, head: tableHead,
	}
	panels[keymap.Launch] = panel{
		table: keymap.Launch, rows: noRows, draw: func(m *model, a cells.Area) { m.details.drawLaunch(a) }, head: pane.LaunchHead,
	}
	panels[keymap.Fairness] = panel{
		table: keymap.Fairness, rows: func(m *model) pane.Rows { return m.fairnessRows() },
		heading: func(m *model, a *pane.Arranged) pane.Heading {
			return m.look.FairnessHeading(m.fairnessRows(), &a.Order, &m.table().TableState)
		},
		detail: func(m *model, a cells.Area) int { return m.look.DrawFairnessDetail(a, m.fairnessRows()) },
		want:   layout.Want{Detail: true}, head: tableHead,
	}
	panels[keymap.Diff] = panel{
		table: keymap.Diff, rows: func(m *model) pane.Rows { return m.diff.differences() },
		heading: func(m *model, a *pane.Arranged) pane.Heading {
			return m.look.DiffHeading(m.diff.differences(), &a.Order, &m.table().TableState)
		},
		detail: func(m *model, a cells.Area) int { return m.diff.drawDifference(a) }, chips: pane.DiffChips, want: layout.Want{Detail: true}, head: tableHead,
	}
	panels[keymap.Events] = panel{
		table: keymap.Events, rows: (*model).eventRows,
		heading: func(m *model, a *pane.Arranged) pane.Heading {
			return m.look.EventsHeading(a.Rows, &a.Order, &m.table().TableState)
		},
		detail: (*model).drawEvent, want: layout.Want{Detail: true}, head: tableHead,
	}
}

func noRows(*model) pane.Rows { return pane.NoRows{} }

// rows are the tables that are made with every frame.
type rows struct {
	workers  pane.Workers
	tasks    pane.Tasks
	log      pane.Log
	events   pane.Events
	fairness pane.Fairness
	memory   pane.Memory
	launch   pane.Launch
}

func (m *model) workerRows() pane.Rows {
	m.rows.workers = pane.Workers{Frame: m.frame(), Look: &m.look, Pending: m.control.requests.pendingWorkers(m.now())}
	return &m.rows.workers
}

func (m *model) workersHeading(a *pane.Arranged) pane.Heading {
	return m.look.WorkersHeading(a.Rows, &a.Order, &m.table().TableState)
}

func (m *model) eventRows() pane.Rows {
	m.rows.events.Frame = m.frame()
	return &m.rows.events
}

func (m *model) taskRows() pane.Rows {
	return m.rows.tasks.Renew(m.frame(), &m.look, m.control.requests.pendingTasks(m.now()))
}

func (m *model) fairnessRows() *pane.Fairness {
	if v, ok := m.table().Made().(*pane.Fairness); ok {
		return v
	}
	return m.rows.fairness.Renew(m.frame(), &m.look, m.fairness)
}

// worker is the id of the selected worker, or -1.
func (m *model) worker() int {
	t := m.tables[keymap.Workers]
	if !t.HasSelected {
		return -1
	}
	return int(t.Selected)
}

func (m *model) drawWorker(a cells.Area) int {
	return m.look.DrawWorkerDetail(a, m.frame(), m.worker())
}

func (m *model) drawTask(a cells.Area) int {
	t := m.table()
	return m.look.DrawTaskDetail(a, m.frame(), t.Selected, t.HasSelected)
}

// drawOverview draws the workers and, where there is room below them, what they ran.
func (m *model) drawOverview(a cells.Area) {
	arr := m.table().Arrange()
	rows := m.frame().OperationRows()
	table := max(min(a.H, len(arr.Order.Rows)+tableHead+1), a.H-rows)
	if rows == 0 || a.H-table < rows {
		table = a.H
	}
	top, below := a.SplitTop(table)
	m.look.DrawPanel(top, m.workersHeading(arr), arr.Rows, &arr.Order, &m.table().TableState)
	if table < a.H {
		m.look.DrawOperations(below, m.frame())
	}
}

func (tp *timelinePane) drawTimeline(a cells.Area) {
	arr := tp.shell.table().Arrange()
	if v, ok := arr.Rows.(*pane.Workers); ok {
		tp.look.DrawTimeline(a, v, &arr.Order, &tp.shell.table().TableState, &tp.Timeline)
	}
}

// drawRecord draws the selected record of the log or of the events in full.
func (m *model) drawRecord(a cells.Area) int {
	_, row, ok := m.table().Selection()
	if !ok {
		return m.look.DrawText(a, "Details", "Nothing is selected. Move with the arrows to read a record in full; G follows the newest again.")
	}
	return m.look.DrawRow(a, "Record", m.table().Arrange().Rows, row)
}

func (m *model) drawEvent(a cells.Area) int {
	_, row, ok := m.table().Selection()
	if !ok {
		return m.look.DrawText(a, "Event", "Nothing is selected. Move with the arrows to read an event in full; G follows the newest again.")
	}
	return m.look.DrawEvent(a, &m.frame().Events[row])
}

// drawMain draws the panel of the view, or what is selected in it when that is expanded.
func (m *model) drawMain(a cells.Area) {
	p := m.panel()
	switch {
	case m.expanded && p.detail != nil:
		m.details.drawDetail(a)
	case p.draw != nil:
		p.draw(m, a)
	default:
		m.drawTable(a)
	}
}

// drawTable draws the table of the view below its heading and its chips.
func (m *model) drawTable(a cells.Area) {
	arr := m.table().Arrange()
	h := m.panel().heading(m, arr)
	below := m.look.DrawHeading(a, h)
	if c := m.chips(a.Rect); c != nil {
		line, rest := below.SplitTop(1)
		m.look.DrawChips(line, c, firstKey(m.chrome.binding(keymap.Chips)), m.chosenChip())
		below = rest
	}
	m.look.DrawTable(below, arr.Rows, &arr.Order, &m.table().TableState, h.Hint)
}

// drawSide draws the details of the selection beside the main panel.
func (m *model) drawSide(a cells.Area) {
	if a.Empty() {
		return
	}
	for y := range a.H {
		a.Set(1, y, m.look.Glyphs.Vertical, theme.Dim)
	}
	m.details.drawDetail(a.Sub(cells.Rect{X: 3, W: a.W - 3, H: a.H}))
}

func (m *model) layout() layout.Layout {
	var want layout.Want
	if !m.expanded {
		want = m.panel().want
	}
	want.Scrub, want.Sizes = true, m.sizes
	want.Progress = m.frame().ProgressRows(m.height >= layout.Tall)
	want.Strip = len(m.frame().Workers) + pane.StripFrame
	if m.tab == keymap.Overview && !m.expanded {
		want.Counts = pane.CountRows(m.width)
	}
	return layout.Compute(m.width, m.height, want)
}

// counterValues are the totals that the device publishes.
func (mp *memory) counterValues() []uint64 {
	if s := mp.frame().Snap; s != nil {
		return s.Counters[:]
	}
	return make([]uint64, megakernel.NumCounters)
}
