package pane

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// TaskChips are those of the task table: state, operation, priority and tenant.
func TaskChips(t *megakernel.Target) *Chips {
	return &Chips{columns: taskColumns, see: seeTasks, Kinds: []ChipKind{
		{Name: "state", Column: tkState, Chips: stateChips(), All: true}, opcodeKind(tkOp, t), {Name: "prio", Column: tkPriority, Chips: priorityChips(), All: true},
		{Name: "tenant", Column: tkTenant, Chips: numberChips(megakernel.Tenants)},
	}}
}

// Kinds of tasks, in the order of TaskChips.
const (
	taskStates = iota
	taskOps
	taskPriorities
	taskTenants
)

// seeTasks takes what the slot counts of a frame say. Which operations there are is known of the target.
func seeTasks(c *Chips, f *Frame) {
	for s, n := range f.SlotCounts.States[:tasks.NumStates] {
		if n > 0 && tasks.State(s) != tasks.Empty {
			c.noteNumber(taskStates, uint64(s))
		}
	}
	for p, g := range f.SlotCounts.Priorities[:tasks.NumPriorities] {
		if g.Live() > 0 {
			c.note(taskPriorities, p)
		}
	}
	for t := range megakernel.Tenants {
		if f.SlotCounts.Tenant(t).Live() > 0 {
			c.note(taskTenants, t)
		}
	}
	c.noteAll(taskOps)
}

// WorkerChips are those of the worker table: state and operation.
func WorkerChips(t *megakernel.Target) *Chips {
	return &Chips{columns: workerColumns, see: seeWorkers, Kinds: []ChipKind{
		{Name: "state", Column: wkState, Chips: workerStateChips(), All: true}, opcodeKind(wkOp, t),
	}}
}

func seeWorkers(c *Chips, f *Frame) {
	for i := range f.Workers {
		c.noteNumber(0, uint64(f.Workers[i].State))
	}
	c.noteAll(1)
}

// LogChips are those of the debug log: kind of record, operation and worker.
func LogChips(t *megakernel.Target) *Chips {
	return &Chips{columns: logColumns, see: seeLog, Kinds: []ChipKind{
		{Name: "kind", Column: lgKind, Chips: recordChips(), All: true}, opcodeKind(lgOp, t), {Name: "worker", Column: lgWorker, Chips: numberChips(maxWorkerChips)},
	}}
}

// maxWorkerChips is as many workers as a line has room for; a filter tells more of them apart.
const maxWorkerChips = 16

// seeLog looks at the records that came since the last time.
func seeLog(c *Chips, f *Frame) {
	for i := len(f.Log) - 1; i >= 0 && f.Log[i].Number >= c.next; i-- {
		r := &f.Log[i]
		c.noteNumber(0, uint64(megakernel.KindOf(r.Format)))
		c.noteNumber(1, uint64(r.Opcode))
		c.note(2, int(r.Worker))
	}
	if n := len(f.Log); n > 0 {
		c.next = max(c.next, f.Log[n-1].Number+1)
	}
}

func (c *Chips) noteAll(kind int) {
	for i := range c.Kinds[kind].Chips {
		c.note(kind, i)
	}
}

// opcodeKind is the kind of a column of operations. A target that names them has no others, but for those of the protocol, and
// those that a reload adds.
func opcodeKind(column int, t *megakernel.Target) ChipKind {
	more := func() []string { return slices.AppendSeq(megakernel.OpcodeNames(), maps.Values(t.Opcodes)) }
	return ChipKind{Name: "op", Column: column, Chips: opcodeChips(t), All: len(t.Opcodes) > 0, More: more}
}

func newChip(text string, n uint64, style cells.Style) Chip {
	return Chip{Value: filter.Value{Text: text, Number: n}, Style: style}
}

// stateOrder is that of a task's life.
var stateOrder = []tasks.State{tasks.Ready, tasks.Running, tasks.Yielded, tasks.Requeued, tasks.Paused, tasks.Faulted, tasks.Done}

func stateChips() (out []Chip) {
	for _, s := range stateOrder {
		legend := theme.OfTask(s)
		out = append(out, newChip(legend.Word, uint64(s), legend.Style))
	}
	return out
}

func workerStateChips() (out []Chip) {
	for _, s := range []megakernel.WorkerState{megakernel.WorkerRunning, megakernel.WorkerIdle, megakernel.WorkerPaused, megakernel.WorkerAbsent} {
		legend := theme.OfWorker(s)
		out = append(out, newChip(legend.Word, uint64(s), legend.Style))
	}
	return out
}

func priorityChips() (out []Chip) {
	for p := range tasks.Priority(tasks.NumPriorities) {
		out = append(out, newChip(p.String(), uint64(p), theme.PriorityStyle(p)))
	}
	return out
}

func recordChips() (out []Chip) {
	for e := range megakernel.NumEvents {
		style := theme.Plain
		if e == megakernel.EventFault {
			style = theme.Fault
		}
		out = append(out, newChip(e.String(), uint64(e), style))
	}
	return out
}

// opcodeChips are the operations that the target declares, in the order of their numbers.
func opcodeChips(t *megakernel.Target) (out []Chip) {
	for _, op := range slices.SortedFunc(maps.Keys(t.Opcodes), cmp.Compare[uint32]) {
		out = append(out, newChip(t.Opcodes[op], uint64(op), theme.Plain))
	}
	return out
}

func numberChips(n int) (out []Chip) {
	for i := range n {
		out = append(out, newChip(strconv.Itoa(i), uint64(i), theme.Plain))
	}
	return out
}
