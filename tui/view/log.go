package view

import (
	"fmt"
	"strconv"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// The columns of the log.
const (
	lgNumber = iota
	lgWorker
	lgTask
	lgOp
	lgText
)

var logColumns = []Column{
	lgNumber: {ID: "number", Title: "number", Width: 8, Right: true, Keep: 1},
	lgWorker: {ID: "worker", Title: "worker", Width: 6, Right: true, Keep: 3},
	lgTask:   {ID: "task", Title: "task", Width: 8, Right: true, Keep: 4},
	lgOp:     {ID: "op", Title: "op", Width: 9, Keep: 2},
	lgText:   {ID: "text", Title: "message", Width: 20, Grow: true},
}

// Log is the debug log as a table in the order of its records; its rows are keyed by the number of
// the record.
type Log struct{ Frame *Frame }

// Columns implements Rows.
func (v *Log) Columns() []Column { return logColumns }

// Len implements Rows.
func (v *Log) Len() int { return len(v.Frame.Log) }

// Key implements Rows.
func (v *Log) Key(row int) uint64 { return v.Frame.Log[row].Number }

// Number implements Rows; the text counts as the id of its format.
func (v *Log) Number(row, column int) uint64 {
	r := &v.Frame.Log[row]
	switch column {
	case lgWorker:
		return uint64(r.Worker)
	case lgTask:
		return uint64(r.Task)
	case lgOp:
		return uint64(r.Opcode)
	case lgText:
		return uint64(r.Format)
	default:
		return r.Number
	}
}

// Append implements Rows.
func (v *Log) Append(dst []byte, row, column int) ([]byte, Cell) {
	r := &v.Frame.Log[row]
	switch column {
	case lgOp:
		return v.Frame.appendOpcode(dst, r.Opcode), Cell{Style: theme.Dim}
	case lgText:
		return append(dst, r.Text(v.Frame.Target.Formats)...), Cell{Style: recordStyle(r)}
	case lgNumber:
		return strconv.AppendUint(dst, r.Number, 10), Cell{Style: theme.Dim}
	default:
		return strconv.AppendUint(dst, v.Number(row, column), 10), Cell{}
	}
}

// recordStyle makes faults stand out and the kernel's routine events recede behind the program's
// own messages.
func recordStyle(r *megakernel.LogRecord) cells.Style {
	if r.Format < megakernel.LogEventBase {
		return theme.Plain
	}
	if megakernel.Event(r.Format-megakernel.LogEventBase) == megakernel.EventFault {
		return theme.Fault
	}
	return theme.Dim
}

// LogHeading is the heading of the log.
func LogHeading(f *Frame, o *Order, s *TableState) Heading {
	return Heading{"Debug log", logNote(f, o, s), logHint}
}

const logHint = "No record yet. Kernels write here with debugf(\"text %u\", value); the kernel's own events appear here too."

func logNote(f *Frame, o *Order, s *TableState) string {
	note := strconv.Itoa(len(o.Rows)) + " shown  "
	if s.FilterText != "" {
		note += "/" + s.FilterText + "  "
	}
	note += logAccount(f)
	if !s.HasSelected {
		note += "  following"
	}
	return note
}

// logAccount says what became of the records that the kernel wrote.
func logAccount(f *Frame) string {
	if f.Snap == nil {
		return ""
	}
	note := fmt.Sprintf("%d written  %d lost  %d in flight", f.Snap.LogCursor, f.Snap.LogLost, f.Snap.InFlight)
	if f.LogSkipped > 0 {
		note += fmt.Sprintf("  %d too fast to show", f.LogSkipped)
	}
	return note
}

// DrawLogTail draws the newest records below another panel.
func (l *Look) DrawLogTail(a cells.Area, f *Frame) {
	head, body := a.SplitTop(1)
	l.rule(head, "log", logAccount(f))
	if len(f.Log) == 0 {
		l.empty(body, logHint)
		return
	}
	newest := f.Log[max(len(f.Log)-body.H, 0):]
	for y := range newest {
		l.drawRecord(body.Line(y), f, &newest[y])
	}
}

// drawRecord draws a record in one line: worker, task, operation, message.
func (l *Look) drawRecord(a cells.Area, f *Frame, r *megakernel.LogRecord) {
	var scratch [24]byte
	a.Fit(1, 0, 5, strconv.AppendUint(append(scratch[:0], 'w'), uint64(r.Worker), 10), false, l.Glyphs.Ellipsis, theme.Dim)
	a.Fit(7, 0, 9, strconv.AppendUint(append(scratch[:0], '#'), uint64(r.Task), 10), true, l.Glyphs.Ellipsis, theme.Plain)
	a.Fit(18, 0, 10, f.appendOpcode(scratch[:0], r.Opcode), false, l.Glyphs.Ellipsis, theme.Dim)
	a.Fit(29, 0, a.W-29, []byte(r.Text(f.Target.Formats)), false, l.Glyphs.Ellipsis, recordStyle(r))
}

// rule draws a horizontal line with a name and a note in it.
func (l *Look) rule(a cells.Area, name, note string) {
	a.Fill(l.Glyphs.Horizontal, theme.Dim)
	x := a.Text(1, 0, " "+name+" ", theme.Title)
	if note != "" {
		a.Text(x, 0, " "+note+" ", theme.Dim)
	}
}
