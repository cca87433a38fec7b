package pane

import (
	"slices"
	"strconv"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// Pending says what a row waits for after the user asked for it, such as "pausing", and since when.
type Pending struct {
	Verb string
	For  time.Duration
}

// The columns of the worker table.
const (
	wkID = iota
	wkState
	wkTask
	wkOp
	wkPC
	wkBeat
	wkBusy
	wkActivations
	wkDone
	wkLanes
	wkYields
	wkIdle
	wkUnit
	wkDevice
)

var workerColumns = []Column{
	wkID:          {ID: "id", Title: "id", Width: 4, Right: true},
	wkState:       {ID: "state", Title: "state", Width: 16},
	wkTask:        {ID: "task", Title: "task", Width: 10, Right: true, Keep: 10},
	wkOp:          {ID: "op", Title: "op", Width: 8, Grow: true, Keep: 8},
	wkPC:          {ID: "pc", Title: "pc", Width: pcWidth, Right: true, Keep: 7},
	wkBeat:        {ID: "age", Title: "beat", Width: 6, Right: true, Keep: 9},
	wkBusy:        {ID: "busy", Title: "busy", Width: 5, Right: true, Keep: 5},
	wkActivations: {ID: "acts", Title: "acts", Width: 5, Right: true, Keep: 6},
	wkDone:        {ID: "done", Title: "done", Width: 5, Right: true, Keep: 4},
	wkLanes:       {ID: "lanes", Title: "lanes", Width: 5, Right: true, Keep: 3},
	wkYields:      {ID: "yields", Title: "yields", Width: 6, Right: true, Keep: 2},
	wkIdle:        {ID: "idle", Title: "idle", Width: 5, Right: true, Keep: 1},
	wkUnit:        {ID: "unit", Title: "unit", Width: 5, Right: true, Keep: 1},
	wkDevice:      {ID: "device", Title: "device", Width: 6, Right: true, Keep: 8},
}

// Workers is the worker table of a frame; its rows are keyed by worker id.
type Workers struct {
	Frame   *Frame
	Look    *Look
	Pending map[uint64]Pending // by worker id
}

// Columns implements Rows. Where time is not counted, no worker is known to be busy; and where the device does not tell
// which of its units a worker is on there is no such column, nor one of devices where there is one.
func (v *Workers) Columns() []Column {
	columns := workerColumns
	if v.Frame.Target.Clock == "" {
		columns = untimedColumns
	}
	switch {
	case v.Frame.Target.Numbering().Several():
		return columns
	case !slices.ContainsFunc(v.Frame.Workers, func(w megakernel.Worker) bool { return w.Unit != 0 }):
		return columns[:wkUnit]
	default:
		return columns[:wkDevice]
	}
}

// untimedColumns are the columns, with the one that a target without a clock cannot fill made the first to go.
var untimedColumns = func() []Column {
	out := slices.Clone(workerColumns)
	out[wkBusy].Keep = 1
	for i := range out {
		if i != wkBusy && out[i].Keep > 0 {
			out[i].Keep++
		}
	}
	return out
}()

// Len implements Rows.
func (v *Workers) Len() int { return len(v.Frame.Workers) }

// Key implements Rows.
func (v *Workers) Key(row int) uint64 { return uint64(v.Frame.Workers[row].ID) }

// Number implements Rows. The age of the heartbeat is in milliseconds, the time
// a worker was busy in millionths.
func (v *Workers) Number(row, column int) uint64 {
	w := &v.Frame.Workers[row]
	switch column {
	case wkState:
		return uint64(w.State)
	case wkTask:
		return uint64(w.TaskID)
	case wkOp:
		return uint64(w.Opcode)
	case wkPC:
		return uint64(w.PC)
	case wkBeat:
		return uint64(max(v.Frame.Beats[row], 0).Milliseconds())
	case wkBusy:
		share, _ := v.busy(row)
		return uint64(1e6 * share)
	case wkDevice:
		device, _ := v.Frame.Target.Numbering().OfWorker(w.ID)
		return uint64(device)
	default:
		return uint64(workerCounter(w, column))
	}
}

// workerCounter is the value of a column that shows a plain number.
func workerCounter(w *megakernel.Worker, column int) uint32 {
	switch column {
	case wkActivations:
		return w.Activations
	case wkDone:
		return w.Done
	case wkLanes:
		return w.Lanes
	case wkYields:
		return w.Yields
	case wkIdle:
		return w.IdlePasses
	case wkUnit:
		return w.Unit
	default:
		return uint32(w.ID)
	}
}

// busy is the share of its time that a worker was busy.
func (v *Workers) busy(row int) (share float64, ok bool) {
	if o := v.Frame.occupancyOf(row); o != nil && o.Share != nil {
		return o.Share.Busy, true
	}
	return 0, false
}

// Append implements Rows.
func (v *Workers) Append(dst []byte, row, column int) ([]byte, Cell) {
	w := &v.Frame.Workers[row]
	switch column {
	case wkID:
		return strconv.AppendInt(dst, int64(w.ID), 10), Cell{}
	case wkState:
		return v.appendState(dst, w)
	case wkBeat:
		return v.appendBeat(dst, w, v.Frame.Beats[row])
	case wkBusy:
		if share, ok := v.busy(row); ok {
			return units.AppendPercent(dst, share), Cell{}
		}
		return append(dst, '-'), Cell{Style: theme.Dim}
	case wkUnit:
		if w.Unit != 0 {
			return strconv.AppendUint(dst, uint64(w.Unit-1), 10), Cell{}
		}
		return append(dst, '-'), Cell{Style: theme.Dim}
	case wkDevice:
		return strconv.AppendUint(dst, v.Number(row, column), 10), Cell{}
	case wkTask, wkOp, wkPC:
		if w.Slot == megakernel.NoSlot {
			return append(dst, '-'), Cell{Style: theme.Dim}
		}
		return v.appendTask(dst, w, column), Cell{}
	default:
		return units.AppendCount(dst, uint64(workerCounter(w, column))), Cell{}
	}
}

func (v *Workers) appendState(dst []byte, w *megakernel.Worker) ([]byte, Cell) {
	legend := theme.OfWorker(w.State)
	cell := Cell{Style: legend.Style, Glyph: legend.Symbol(&v.Look.Glyphs)}
	if p, ok := v.Pending[uint64(w.ID)]; ok {
		cell.Style = theme.Warning
		return appendPending(dst, p), cell
	}
	return append(dst, legend.Word...), cell
}

// appendPending writes "pausing 3ms".
func appendPending(dst []byte, p Pending) []byte {
	dst = append(append(dst, p.Verb...), ' ')
	return units.AppendAge(dst, p.For)
}

// slowBeat is the age from which the heartbeat of a running worker is worth a look.
const slowBeat = time.Second

func (v *Workers) appendBeat(dst []byte, w *megakernel.Worker, age time.Duration) ([]byte, Cell) {
	switch {
	case w.State == megakernel.WorkerAbsent, age == history.Never:
		return append(dst, '-'), Cell{Style: theme.Dim}
	case age >= slowBeat && w.State == megakernel.WorkerRunning:
		return units.AppendAge(dst, age), Cell{Style: theme.Danger}
	default:
		return units.AppendAge(dst, age), Cell{}
	}
}

func (v *Workers) appendTask(dst []byte, w *megakernel.Worker, column int) []byte {
	switch column {
	case wkTask:
		return appendTask(dst, w.TaskID)
	case wkOp:
		return v.Frame.appendOpcode(dst, w.Opcode)
	default:
		return appendPC(dst, w.PC)
	}
}

// pcWidth is the width of the columns of pcs.
const pcWidth = 6

// appendPC writes a pc in at most pcWidth columns. Handlers keep positions and flags in it, so it is rounded only where that does
// not fit.
func appendPC(dst []byte, pc uint32) []byte {
	if pc < 1_000_000 {
		return strconv.AppendUint(dst, uint64(pc), 10)
	}
	return units.AppendCount(dst, uint64(pc))
}

// appendOpcode writes the name of an opcode, or its number in hex when it has none.
func (f *Frame) appendOpcode(dst []byte, op uint32) []byte {
	if name := f.OpcodeName(op); name != "" {
		return append(dst, name...)
	}
	return append(append(dst, "op "...), strconv.FormatUint(uint64(op), 10)...)
}

// WorkersHeading is the heading of the worker table.
func (l *Look) WorkersHeading(r Rows, o *Order, s *TableState) Heading {
	return Heading{"Workers", appendTableNote(l.Note(), r, o, s), "No worker has started yet. They appear when the first slice runs."}
}

func appendSortKey(dst []byte, r Rows, k SortKey) []byte {
	dst = append(dst, r.Columns()[k.Sort].ID...)
	if k.Descending {
		dst = append(dst, " down"...)
	}
	return dst
}

// appendTableNote says how many rows are shown, how they are sorted and filtered.
func appendTableNote(dst []byte, r Rows, o *Order, s *TableState) []byte {
	if s.FilterText != "" {
		dst = append(strconv.AppendInt(dst, int64(len(o.Rows)), 10), '/')
	}
	dst = strconv.AppendInt(dst, int64(o.Total), 10)
	if s.FilterText != "" {
		dst = append(append(dst, "  /"...), s.FilterText...)
	}
	dst = appendSortKey(append(dst, "  by "...), r, s.SortKey)
	if s.Then.Sort != 0 && s.Then.Sort != s.Sort {
		dst = appendSortKey(append(dst, ", then "...), r, s.Then)
	}
	if n := len(s.Marks); n > 0 {
		dst = append(strconv.AppendInt(append(dst, "  "...), int64(n), 10), " marked"...)
	}
	return dst
}
