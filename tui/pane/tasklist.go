package pane

import (
	"slices"
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/theme"
)

// The columns of the task table.
const (
	tkID = iota
	tkState
	tkPriority
	tkOp
	tkPC
	tkData
	tkYields
	tkRequeues
	tkTenant
	tkAge
	tkEpoch
	tkParent
	tkSlot
	tkDevice
)

var taskColumns = []Column{
	tkID:       {ID: "id", Title: "task", Width: 10, Right: true},
	tkState:    {ID: "state", Title: "state", Width: 16},
	tkPriority: {ID: "priority", Title: "prio", Width: 8, Keep: 12},
	tkOp:       {ID: "op", Title: "op", Width: 9, Grow: true, Keep: 11},
	tkPC:       {ID: "pc", Title: "pc", Width: pcWidth, Right: true, Keep: 10},
	tkData:     {ID: "data", Title: "data", Width: 10, Right: true, Keep: 9},
	tkYields:   {ID: "yields", Title: "yields", Width: 6, Right: true, Keep: 8},
	tkRequeues: {ID: "requeues", Title: "requ", Width: 5, Right: true, Keep: 7},
	tkTenant:   {ID: "tenant", Title: "tenant", Width: 6, Right: true, Keep: 5},
	tkAge:      {ID: "age", Title: "age", Width: 5, Right: true, Keep: 4},
	tkEpoch:    {ID: "epoch", Title: "epoch", Width: 10, Right: true, Keep: 3},
	tkParent:   {ID: "parent", Title: "parent", Width: 10, Right: true, Keep: 2},
	tkSlot:     {ID: "slot", Title: "slot", Width: 7, Right: true, Keep: 6},
	tkDevice:   {ID: "device", Title: "device", Width: 6, Right: true, Keep: 8},
}

// taskWord is the word of the slot that a column shows.
var taskWord = [...]int{
	tkID: tasks.WordTaskID, tkState: tasks.WordState, tkPriority: tasks.WordPriority,
	tkOp: tasks.WordOpcode, tkPC: tasks.WordContinuationPC, tkData: tasks.WordContinuationData,
	tkYields: tasks.WordYieldCount, tkRequeues: tasks.WordRequeueCount, tkTenant: tasks.WordTenant,
	tkAge: tasks.WordAgeTicks, tkEpoch: tasks.WordResumeEpoch, tkParent: tasks.WordParentTaskID,
}

// Tasks is the task table of a frame: every slot that is not empty. Its rows are keyed by TaskKey.
type Tasks struct {
	Frame   *Frame
	Look    *Look
	Pending map[uint64]Pending // by TaskKey
	slots   []int32
	depth   []int32 // by row: generations below its root, once Tree was called
}

// TaskKey identifies a task: its id, and the slot where it was seen.
func TaskKey(id uint32, slot int) uint64 { return uint64(id)<<32 | uint64(uint32(slot)) }

// SplitTaskKey is the inverse of TaskKey.
func SplitTaskKey(key uint64) (id uint32, slot int) { return uint32(key >> 32), int(uint32(key)) }

// Renew collects the occupied slots of a frame in the memory of v, an earlier table or a new one, which it returns.
func (v *Tasks) Renew(f *Frame, l *Look, pending map[uint64]Pending) *Tasks {
	*v = Tasks{Frame: f, Look: l, Pending: pending, slots: v.slots[:0]}
	if f.Snap == nil {
		return v
	}
	n := f.Snap.NumSlots()
	v.slots = slices.Grow(v.slots, n-min(f.State(tasks.Empty), n))
	for i := range n {
		if f.SlotCounts.Codes[i].State() != tasks.Empty {
			v.slots = append(v.slots, int32(i))
		}
	}
	return v
}

// Show goes over to another frame without listing its slots again; it reports false for a ring of another size.
func (v *Tasks) Show(f *Frame, pending map[uint64]Pending) bool {
	if f.Snap == nil || v.Frame.Snap == nil || f.Snap.NumSlots() != v.Frame.Snap.NumSlots() {
		return false
	}
	v.Frame, v.Pending = f, pending
	return true
}

// Columns implements Rows. A target with one device has no column of devices.
func (v *Tasks) Columns() []Column {
	if v.Frame.Target.Numbering().Several() {
		return taskColumns
	}
	return taskColumns[:tkDevice]
}

// Len implements Rows.
func (v *Tasks) Len() int { return len(v.slots) }

// Key implements Rows.
func (v *Tasks) Key(row int) uint64 {
	slot := int(v.slots[row])
	return TaskKey(v.Frame.Snap.Slot(slot)[tasks.WordTaskID], slot)
}

// Number implements Rows.
func (v *Tasks) Number(row, column int) uint64 {
	slot := int(v.slots[row])
	switch column {
	case tkSlot:
		return uint64(slot)
	case tkDevice:
		device, _, _ := v.Frame.Target.Numbering().OfSlot(uint32(slot))
		return uint64(device)
	}
	return uint64(v.Frame.Snap.Slot(slot)[taskWord[column]])
}

// Append implements Rows.
func (v *Tasks) Append(dst []byte, row, column int) ([]byte, Cell) {
	n := uint32(v.Number(row, column))
	switch column {
	case tkState:
		return v.appendState(dst, row, tasks.State(n))
	case tkPriority:
		if n >= tasks.NumPriorities {
			return units.AppendCount(append(dst, '?'), uint64(n)), Cell{Style: theme.Unknown}
		}
		p := tasks.Priority(n)
		return append(dst, p.String()...), Cell{Style: theme.PriorityStyle(p)}
	case tkID, tkParent:
		return appendTask(dst, n), Cell{Style: countStyle(uint64(n))}
	case tkOp:
		if megakernel.Ending(v.Frame.Snap.Slot(int(v.slots[row]))) {
			return append(v.appendBranch(dst, row), megakernel.EndingName...), Cell{}
		}
		return v.Frame.appendOpcode(v.appendBranch(dst, row), n), Cell{}
	case tkData:
		return units.AppendWord(dst, n, v.Look.Hex), Cell{}
	case tkEpoch:
		if n == megakernel.HeldEpoch { // it waits for a command
			return append(dst, "none"...), Cell{Style: theme.Dim}
		}
		return strconv.AppendUint(dst, uint64(n), 10), Cell{}
	case tkPC:
		return appendPC(dst, n), Cell{}
	case tkYields, tkRequeues, tkAge:
		return units.AppendCount(dst, uint64(n)), Cell{}
	default:
		return strconv.AppendUint(dst, uint64(n), 10), Cell{}
	}
}

func (v *Tasks) appendState(dst []byte, row int, s tasks.State) ([]byte, Cell) {
	legend := theme.OfTask(s)
	cell := Cell{Style: legend.Style, Glyph: legend.Symbol(&v.Look.Glyphs)}
	if p, ok := v.Pending[v.Key(row)]; ok {
		cell.Style = theme.Warning
		return appendPending(dst, p), cell
	}
	if s >= tasks.NumStates {
		return units.AppendHex(dst, uint32(s)), cell
	}
	return append(dst, legend.Word...), cell
}

// TasksHeading is the heading of the task table.
func (l *Look) TasksHeading(r Rows, o *Order, s *TableState) Heading {
	return Heading{"Tasks", appendTableNote(l.Note(), r, o, s), "No task is in the ring. Tasks appear when the host submits them; view 0 shows what the host did."}
}
