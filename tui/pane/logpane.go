package pane

import (
	"slices"
	"strconv"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

var logView = Kind{
	Spec: keymap.Spec{
		View: keymap.Log, Digit: "5", Traits: keymap.Table | keymap.HasChips | keymap.HasModes | keymap.HasLog | keymap.OwnEnter,
		Keys: []keymap.OwnKey{
			{After: keymap.Details, Binding: keymap.Binding{
				ID: keymap.Follow, Keys: []string{"enter"}, Source: keymap.Any, Section: keymap.TableSection, Short: "its task", Help: "go to the task of the record, or else to its worker",
			}},
			{Binding: keymap.Binding{
				ID: keymap.Details + "-record", Keys: []string{"e"}, Source: keymap.Any, Section: keymap.TableSection, Short: "details", Help: "show the selected record in full",
			}},
		},
	},
	New: newLogPane, Want: layout.Want{Detail: true}, Head: tableHead, Command: "log", Prints: filter.LogColumns,
}

// logPane is the log of the kernel.
type logPane struct {
	tablePane

	rows   Log
	window time.Duration // how far back it goes; 0: all that is kept
}

func newLogPane(e *Env, k *Kind) Pane {
	p := &logPane{}
	t := &Table{Env: e, View: keymap.Log, Chips: LogChips, Follows: true, Make: func() Rows { return p.rows.Renew(e.Frame(), p.window) }}
	p.tablePane = tablePane{
		Env: e, table: t,
		heading: func(a *Arranged) Heading { return e.Look.LogHeading(e.Frame(), &a.Order, &t.TableState) },
		spec: Spec{
			Kind: k, Detail: p.detail, Vary: p.nextContext, Records: true, LogOf: p.logOf, Task: p.task,
			Verbs: []Verb{{Name: "window", Usage: "window 5s, or :window all", Words: []string{"all"}, Run: p.typedWindow}},
		},
	}
	return p
}

// detail draws the selected record in full.
func (p *logPane) detail(a cells.Area) int {
	_, row, ok := p.table.Selection()
	if !ok {
		return p.Look.DrawText(a, "Details", "Nothing is selected. Move with the arrows to read a record in full; G follows the newest again.")
	}
	return p.Look.DrawRow(a, "Record", p.table.Arrange().Rows, row)
}

// task is that of the selected record.
func (p *logPane) task() (id uint32, ok bool) {
	_, row, ok := p.table.Selection()
	v, isLog := p.table.Arrange().Rows.(*Log)
	if !ok || !isLog {
		return 0, false
	}
	r, _ := v.Record(row)
	return r.Task, true
}

// logOf is the filter for what the task of a record did.
func (p *logPane) logOf(key uint64, row int) string {
	if v, ok := p.table.Arrange().Rows.(*Log); ok {
		r, _ := v.Record(row)
		return "task=" + megakernel.TaskName(r.Task)
	}
	return "worker=" + strconv.FormatUint(key, 10)
}

// Enter implements Pane: it shows the task of the selected record, or its worker where the task is gone; false for
// records that are missing.
func (p *logPane) Enter() bool {
	selectAny(p.table)
	v, ok := p.table.Arrange().Rows.(*Log)
	_, row, selected := p.table.Selection()
	if !ok || !selected {
		return false
	}
	r, ok := v.Record(row)
	return ok && (p.openTask(r.Task) || p.openWorker(int(r.Worker)))
}

// contexts are what can become of log records that the filter does not match: they are hidden, stay
// near a match, or all stay and recede.
var contexts = []int{0, 3, AllRows}

// nextContext goes to the next of the contexts.
func (p *logPane) nextContext() {
	p.table.Context = contexts[(slices.Index(contexts, p.table.Context)+1)%len(contexts)]
}

// typedWindow limits the log to the records of the last while: "window 5s", "window all".
func (p *logPane) typedWindow(args []string) error {
	if len(args) != 1 {
		return usage("say how long")
	}
	d, err := time.ParseDuration(args[0])
	if args[0] == "all" {
		d, err = 0, nil
	}
	switch {
	case err != nil:
		return usage(args[0] + " is not a duration")
	case d < 0:
		return usage(args[0] + " is negative")
	}
	p.Show(keymap.Log)
	p.window = d
	return nil
}
