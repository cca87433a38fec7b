package pane

import (
	"vyretop/megakernel/filter"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
)

var eventView = Kind{
	Spec: keymap.Spec{View: keymap.Events, Digit: "0", Traits: keymap.Table},
	New:  newEventPane, Want: layout.Want{Detail: true}, Head: tableHead, Command: "events", Prints: filter.EventColumns,
}

// eventPane is what the host did and what it found.
type eventPane struct {
	tablePane

	rows Events
}

func newEventPane(e *Env, k *Kind) Pane {
	p := &eventPane{}
	t := &Table{Env: e, View: keymap.Events, Follows: true, Make: func() Rows {
		p.rows.Frame = e.Frame()
		return &p.rows
	}}
	p.tablePane = tablePane{
		Env: e, table: t, spec: Spec{Kind: k, Detail: p.detail},
		heading: func(a *Arranged) Heading { return e.Look.EventsHeading(a.Rows, &a.Order, &t.TableState) },
	}
	return p
}

func (p *eventPane) detail(a cells.Area) int {
	_, row, ok := p.table.Selection()
	if !ok {
		return p.Look.DrawText(a, "Event", "Nothing is selected. Move with the arrows to read an event in full; G follows the newest again.")
	}
	return p.Look.DrawEvent(a, &p.Frame().Events[row])
}

// Enter implements Pane: it shows the task, or else the worker, that the selected event is about; false where it names
// none.
func (p *eventPane) Enter() bool {
	selectAny(p.table)
	_, row, ok := p.table.Selection()
	if !ok || row >= len(p.Frame().Events) {
		return false
	}
	at := p.Frame().Events[row].Place
	return at != nil && (at.Task != 0 && p.openTask(at.Task) || p.openWorker(at.Worker))
}
