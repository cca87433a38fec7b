package pane

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// The columns of the log.
const (
	lgNumber = iota
	lgAt
	lgWorker
	lgTask
	lgOp
	lgKind
	lgText
)

var logColumns = []Column{
	lgNumber: {ID: "number", Title: "number", Width: 8, Right: true, Keep: 2},
	lgAt:     {ID: "at", Title: "read at", Width: 8, Right: true, Keep: 1},
	lgWorker: {ID: "worker", Title: "worker", Width: 6, Right: true, Keep: 4},
	lgTask:   {ID: "task", Title: "task", Width: 8, Right: true, Keep: 5},
	lgOp:     {ID: "op", Title: "op", Width: 9, Keep: 3},
	lgKind:   {ID: "kind", Title: "kind", Off: true},
	lgText:   {ID: "text", Title: "message", Width: 20, Grow: true},
}

// LogFields are the names of the columns of the log, for filters.
func LogFields() []string { return FieldNames(logColumns) }

// Log is the debug log as a table in the order of its records, with a row wherever records are
// missing. A record's row is keyed by its number.
type Log struct {
	Frame *Frame
	rows  []logRow
	whole int // rows at the start that are the records of those numbers
}

// logRow is a record, or the records that are missing behind one.
type logRow struct {
	record  int32
	missing uint64 // not 0: that many records behind this one are not there
	flight  bool   // they are reserved and not written yet
}

// missingKey marks the keys of rows that are no record.
const missingKey = 1 << 63

// NewLog lists the records of a frame that were read within the last while; 0 means all.
func NewLog(f *Frame, last time.Duration) *Log { return new(Log).Renew(f, last) }

// Renew is NewLog in the memory of an earlier table, which it returns.
func (v *Log) Renew(f *Frame, last time.Duration) *Log {
	v.Frame = f
	first := 0
	if last > 0 {
		first, _ = slices.BinarySearch(f.LogAt, f.end()-last)
	}
	if v.rows = v.rows[:v.whole]; first == 0 && unbroken(f.Log) {
		v.addWhole(len(f.Log))
	} else {
		v.addBroken(first)
	}
	if n := len(v.rows); n > 0 && f.Snap != nil && f.Snap.InFlight > 0 {
		v.rows = append(v.rows, logRow{record: v.rows[n-1].record, missing: f.Snap.InFlight, flight: true})
	}
	return v
}

// unbroken reports whether no record is missing between the first and the last.
func unbroken(log []megakernel.LogRecord) bool {
	n := len(log)
	return n == 0 || log[n-1].Number-log[0].Number == uint64(n-1)
}

// addWhole lists n records between which none is missing: most rows are as they were in the frame before.
func (v *Log) addWhole(n int) {
	v.rows = slices.Grow(v.rows, max(n-len(v.rows), 0)+1)
	for i := len(v.rows); i < n; i++ {
		v.rows = append(v.rows, logRow{record: int32(i)})
	}
	v.rows, v.whole = v.rows[:n], n
}

// addBroken lists the records from one on, and what is missing between them.
func (v *Log) addBroken(first int) {
	log := v.Frame.Log
	v.rows, v.whole = slices.Grow(v.rows[:0], len(log)-first+1), 0
	for i := first; i < len(log); i++ {
		if i > first {
			if n := log[i].Number - log[i-1].Number - 1; n > 0 {
				v.rows = append(v.rows, logRow{record: int32(i - 1), missing: n})
			}
		}
		v.rows = append(v.rows, logRow{record: int32(i)})
	}
}

// Record is the record of a row; ok is false where records are missing.
func (v *Log) Record(row int) (r *megakernel.LogRecord, ok bool) {
	return &v.Frame.Log[v.rows[row].record], v.rows[row].missing == 0
}

// Columns implements Rows.
func (v *Log) Columns() []Column { return logColumns }

// Len implements Rows.
func (v *Log) Len() int { return len(v.rows) }

// Key implements Rows.
func (v *Log) Key(row int) uint64 {
	r, ok := v.Record(row)
	if !ok {
		return r.Number | missingKey
	}
	return r.Number
}

// InOrder reports whether the rows are sorted by a column as they are.
func (v *Log) InOrder(column int) bool { return column == lgNumber }

// Number implements Rows; the text counts as the id of its format, the time in milliseconds.
func (v *Log) Number(row, column int) uint64 {
	r, _ := v.Record(row)
	switch column {
	case lgAt:
		return uint64(v.at(row).Milliseconds())
	case lgWorker:
		return uint64(r.Worker)
	case lgTask:
		return uint64(r.Task)
	case lgOp:
		return uint64(r.Opcode)
	case lgText:
		return uint64(r.Format)
	case lgKind:
		return uint64(megakernel.KindOf(r.Format))
	default:
		return r.Number
	}
}

func (v *Log) at(row int) time.Duration {
	if i := int(v.rows[row].record); i < len(v.Frame.LogAt) {
		return v.Frame.LogAt[i]
	}
	return 0
}

// Append implements Rows.
func (v *Log) Append(dst []byte, row, column int) ([]byte, Cell) {
	r, ok := v.Record(row)
	if !ok {
		return v.appendMissing(dst, row, column)
	}
	switch column {
	case lgOp:
		return v.Frame.appendOpcode(dst, r.Opcode), Cell{Style: theme.Dim}
	case lgText:
		return r.AppendText(dst, v.Frame.Target.Formats), Cell{Style: recordStyle(r)}
	case lgNumber:
		return strconv.AppendUint(dst, r.Number, 10), Cell{Style: theme.Dim}
	case lgAt:
		return units.AppendClock(dst, v.at(row)), Cell{Style: theme.Dim}
	case lgTask:
		return appendTask(dst, r.Task), Cell{}
	case lgKind:
		return append(dst, megakernel.KindOf(r.Format).String()...), Cell{}
	default:
		return strconv.AppendUint(dst, v.Number(row, column), 10), Cell{}
	}
}

// appendMissing says how many records are not there, and why.
func (v *Log) appendMissing(dst []byte, row, column int) ([]byte, Cell) {
	if column != lgText {
		return dst, Cell{}
	}
	dst = strconv.AppendUint(dst, v.rows[row].missing, 10)
	if v.rows[row].flight {
		return append(dst, " in flight: reserved by a worker, not written yet"...), Cell{Style: theme.Dim}
	}
	return append(dst, " records are missing here: overwritten, or too fast to show"...), Cell{Style: theme.Warning}
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
func (l *Look) LogHeading(f *Frame, o *Order, s *TableState) Heading {
	return Heading{"Debug log", appendLogNote(l.Note(), f, o, s), logHint(f)}
}

// logHint says why there is no record.
func logHint(f *Frame) string {
	if f.Snap != nil {
		if off := f.Snap.Logging.Text(); off == "off" {
			return "The debug log is off: :log all turns it on."
		}
	}
	return "No record yet. Kernels write here with debugf(\"text %u\", value); the kernel's own events appear here too."
}

func appendLogNote(dst []byte, f *Frame, o *Order, s *TableState) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(o.Rows)), 10), " shown  "...)
	if s.FilterText != "" {
		dst = append(append(dst, contextName(s.Context)...), " /"...)
		dst = append(append(dst, s.FilterText...), "  "...)
	}
	dst = appendLogAccount(dst, f)
	if !s.HasSelected {
		dst = append(dst, "  following"...)
	}
	return dst
}

// contextName says what happens to rows that do not match.
func contextName(n int) string {
	switch n {
	case 0:
		return "only"
	case AllRows:
		return "search"
	default:
		return "around " + strconv.Itoa(n)
	}
}

// appendLogAccount says what became of the records that the kernel wrote.
func appendLogAccount(dst []byte, f *Frame) []byte {
	if f.Snap == nil {
		return dst
	}
	written := uint64(f.Snap.LogCursor) // as published last: the newest record may be ahead of it
	if n := len(f.Log); n > 0 {
		written = max(written, f.Log[n-1].Number+1)
	}
	dst = append(strconv.AppendUint(dst, written, 10), " written  "...)
	dst = append(strconv.AppendUint(dst, f.Snap.LogLost, 10), " lost"...)
	dst = append(appendLostKinds(dst, f.Snap), "  "...)
	dst = append(strconv.AppendUint(dst, f.Snap.InFlight, 10), " in flight"...)
	if f.LogSkipped > 0 {
		dst = append(strconv.AppendUint(append(dst, "  "...), f.LogSkipped, 10), " not shown"...)
	}
	return dst
}

// appendLostKinds says of which kinds lost records were.
func appendLostKinds(dst []byte, s *megakernel.Snapshot) []byte {
	sep := " ("
	for e, n := range s.LogLostKinds {
		if n > 0 {
			dst = append(append(append(append(dst, sep...), megakernel.Event(e).String()...), ' '), units.Count(n)...)
			sep = ", "
		}
	}
	if sep != " (" {
		dst = append(dst, ')')
	}
	return dst
}

// rule draws a horizontal line with a name and a note in it.
func (l *Look) rule(a cells.Area, name string, note []byte) {
	a.Fill(l.Glyphs.Horizontal, theme.Dim)
	x := a.Text(1, 0, " "+name+" ", theme.Title)
	if len(note) > 0 {
		x = a.Text(x, 0, " ", theme.Dim)
		a.Fit(x, 0, min(utf8.RuneCount(note), a.W-x-1), note, false, l.Glyphs.Ellipsis, theme.Dim)
		a.Text(x+utf8.RuneCount(note), 0, " ", theme.Dim)
	}
}
