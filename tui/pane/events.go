package pane

import (
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// The columns of the events.
const (
	evAt = iota
	evKind
	evLatency
	evText
)

var eventColumns = []Column{
	evAt:   {ID: "at", Title: "at", Width: 9, Right: true},
	evKind: {ID: "kind", Title: "kind", Width: 16},
	evText: {ID: "text", Title: "what happened", Width: 20, Grow: true},

	evLatency: {ID: "latency", Title: "took", Width: units.DurationWidth, Right: true, Keep: 1},
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

// Number implements Rows. The time is in milliseconds, the latency in nanoseconds.
func (v *Events) Number(row, column int) uint64 {
	switch e := &v.Frame.Events[row]; column {
	case evAt:
		return uint64(max(e.At.Milliseconds(), 0))
	case evLatency:
		return uint64(max(e.Latency, 0))
	default:
		return uint64(row)
	}
}

// Append implements Rows.
func (v *Events) Append(dst []byte, row, column int) ([]byte, Cell) {
	e := &v.Frame.Events[row]
	switch column {
	case evAt:
		return units.AppendClock(dst, e.At), Cell{Style: theme.Dim}
	case evKind:
		return append(dst, e.Kind...), Cell{Style: eventStyle(e)}
	case evLatency:
		if e.Latency == 0 {
			return append(dst, '-'), Cell{Style: theme.Dim}
		}
		return units.AppendDuration(dst, e.Latency), Cell{}
	default:
		return append(dst, e.Text...), Cell{}
	}
}

func eventStyle(e *Event) cells.Style {
	switch e.Kind {
	case "error", megakernel.EventReloadRefused, EventViolation, megakernel.EventVerificationFailed:
		return theme.Danger
	case EventAlert, "hit", megakernel.EventUndefined, megakernel.EventBreakMoved, megakernel.EventBreakRemoved:
		return theme.Warning
	case "command":
		return theme.Strong
	case "ack", megakernel.EventReloaded, megakernel.EventVerified:
		return theme.Good
	case "slice":
		return theme.Dim
	default:
		return theme.Plain
	}
}

// EventsHeading is the heading of the events.
func (l *Look) EventsHeading(r Rows, o *Order, s *TableState) Heading {
	return Heading{"Events", appendTableNote(l.Note(), r, o, s), "Nothing has happened on the host's side yet. Commands and their answers, slices, violations and errors appear here."}
}

// DrawEvent draws an event in full, with the words that show it.
func (l *Look) DrawEvent(a cells.Area, e *Event) int {
	rest := l.title(a, "Event", units.Clock(e.At)+"  "+e.Kind)
	text := Wrap(sub(rest), e.Text, theme.Plain)
	if len(e.After) == 0 {
		return 1 + text
	}
	_, rest = rest.SplitTop(text + 1)
	rest.Text(1, 0, "word", theme.Strong)
	rest.Fit(8, 0, units.HexWidth, []byte("before"), true, l.Glyphs.Ellipsis, theme.Strong)
	rest.Fit(21, 0, units.HexWidth, []byte("after"), true, l.Glyphs.Ellipsis, theme.Strong)
	_, rest = rest.SplitTop(1)
	for i, after := range e.After {
		style := theme.Dim
		if i < len(e.Before) && e.Before[i] != after {
			style = theme.Changed
			rest.Set(19, i, l.Glyphs.Arrow, style)
		}
		rest.Fit(1, i, 5, strconv.AppendInt(l.cell[:0], int64(i), 10), true, l.Glyphs.Ellipsis, theme.Dim)
		if i < len(e.Before) {
			l.drawWord(rest.Line(i), 8, e.Before[i], theme.Dim)
		}
		l.drawWord(rest.Line(i), 21, after, style)
	}
	return 3 + text + len(e.After)
}
