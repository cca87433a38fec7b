package pane

import (
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

const workerTraits = keymap.WorkerRows | keymap.HasLog

var workerView = Kind{
	Spec: keymap.Spec{View: keymap.Workers, Digit: "2", Traits: workerTraits | keymap.Table | keymap.Markable | keymap.HasChips},
	New:  newWorkerPane, Want: layout.Want{Log: true, Detail: true}, Head: tableHead, Command: "workers", Prints: filter.WorkerColumns,
}

var overview = Kind{
	Spec: keymap.Spec{View: keymap.Overview, Short: "over", Digit: "1", Traits: workerTraits | keymap.Table | keymap.Markable},
	New:  newOverview, Want: layout.Want{Log: true, Detail: true}, Counts: true, Head: tableHead, Command: "snapshot",
}

// workerTable is the table of workers, which several panes show.
func (e *Env) workerTable() *Table {
	if e.workers == nil {
		var rows Workers
		e.workers = &Table{Env: e, View: keymap.Workers, Chips: WorkerChips, Always: true, Make: func() Rows {
			rows = Workers{Frame: e.Frame(), Look: e.Look, Pending: e.Pending(false)}
			return &rows
		}}
	}
	return e.workers
}

// onWorkers is a pane that shows the table of workers.
func onWorkers(e *Env, k *Kind) tablePane {
	t := e.workerTable()
	return tablePane{
		Env: e, table: t,
		heading: func(a *Arranged) Heading { return e.Look.WorkersHeading(a.Rows, &a.Order, &t.TableState) },
		spec: Spec{
			Kind: k, Detail: func(a cells.Area) int { return e.Look.DrawWorkerDetail(a, e.Frame(), t.worker()) },
			Track: func() (Track, bool) { return workerTrack(t.worker()), true },
			Task: func() (id uint32, ok bool) {
				w := e.Frame().Worker(t.worker())
				if w == nil || w.State != megakernel.WorkerRunning {
					return 0, false
				}
				return w.TaskID, true
			},
		},
	}
}

// worker is the id of the selected worker, or -1.
func (t *Table) worker() int {
	if !t.HasSelected {
		return -1
	}
	return int(t.Selected)
}

func newWorkerPane(e *Env, k *Kind) Pane {
	p := onWorkers(e, k)
	return &p
}

// overviewPane is the workers, and where there is room below them what they ran.
type overviewPane struct{ tablePane }

func newOverview(e *Env, k *Kind) Pane { return &overviewPane{onWorkers(e, k)} }

// Draw implements Pane.
func (p *overviewPane) Draw(a cells.Area) {
	arr := p.table.Arrange()
	rows := p.Frame().OperationRows()
	height := max(min(a.H, len(arr.Order.Rows)+tableHead+1), a.H-rows)
	if rows == 0 || a.H-height < rows {
		height = a.H
	}
	top, below := a.SplitTop(height)
	p.Look.DrawPanel(top, p.heading(arr), arr.Rows, &arr.Order, &p.table.TableState)
	if height < a.H {
		p.Look.DrawOperations(below, p.Frame())
	}
}
