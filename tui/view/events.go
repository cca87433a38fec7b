package view

import (
	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// The columns of the events.
const (
	evAt = iota
	evKind
	evText
)

var eventColumns = []Column{
	evAt:   {ID: "at", Title: "at", Width: 9, Right: true},
	evKind: {ID: "kind", Title: "kind", Width: 8},
	evText: {ID: "text", Title: "what the host did", Width: 20, Grow: true},
}

// Event is something that happened: on the host's side, or found out by the dashboard itself, and
// then with the words that show it.
type Event struct {
	megakernel.HostEvent
	Before, After []uint32
}

// The kinds of the events that the dashboard adds.
const (
	EventViolation = "violation" // the words of two snapshots contradict the protocol
	EventAlert     = "alert"
)

// Events is what happened on the host's side, as a table in the order of time; its rows are keyed
// by position, since events are only ever appended.
type Events struct{ Frame *Frame }

// Columns implements Rows.
func (v *Events) Columns() []Column { return eventColumns }

// Len implements Rows.
func (v *Events) Len() int { return len(v.Frame.Events) }

// Key implements Rows.
func (v *Events) Key(row int) uint64 { return uint64(row) }

// Number implements Rows. The time is in milliseconds.
func (v *Events) Number(row, column int) uint64 {
	if column == evAt {
		return uint64(max(v.Frame.Events[row].At.Milliseconds(), 0))
	}
	return uint64(row)
}

// Append implements Rows.
func (v *Events) Append(dst []byte, row, column int) ([]byte, Cell) {
	e := &v.Frame.Events[row]
	switch column {
	case evAt:
		return units.AppendClock(dst, e.At), Cell{Style: theme.Dim}
	case evKind:
		return append(dst, e.Kind...), Cell{Style: eventStyle(e)}
	default:
		return append(dst, e.Text...), Cell{}
	}
}

func eventStyle(e *Event) cells.Style {
	switch e.Kind {
	case "error", EventViolation:
		return theme.Danger
	case EventAlert:
		return theme.Warning
	case "command":
		return theme.Strong
	case "ack":
		return theme.Good
	case "slice":
		return theme.Dim
	default:
		return theme.Plain
	}
}

// EventsHeading is the heading of the events.
func EventsHeading(r Rows, o *Order, s *TableState) Heading {
	return Heading{"Events", tableNote(r, o, s), "Nothing has happened on the host's side yet. Commands and their answers, slices, violations and errors appear here."}
}
