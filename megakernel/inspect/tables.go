package inspect

import (
	"fmt"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// num makes a value of a table of a number.
func num[N ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int](n N) any { return uint64(n) }

// Task is a row of the table of tasks: a slot that is not empty.
type Task struct {
	Slot   int
	Words  tasks.Task
	target *megakernel.Target
}

// TasksOf gives the slots of a snapshot that are not empty.
func TasksOf(s *megakernel.Snapshot, t *megakernel.Target) Rows[Task] {
	return func(yield func(*Task) bool) error {
		for i := range s.NumSlots() {
			if words := tasks.FromWords(s.Slot(i)); words.State != tasks.Empty && !yield(&Task{i, words, t}) {
				break
			}
		}
		return nil
	}
}

// TaskTable is the table of tasks. Its names are those of the dashboard's filters.
var TaskTable = Table[Task]{
	{"id", func(t *Task) any { return taskID(t.Words.TaskID) }},
	{"state", func(t *Task) any { return state(t.Words.State, t.Words.State.String()) }},
	{"priority", func(t *Task) any { return state(t.Words.Priority, t.Words.Priority.String()) }},
	{"op", func(t *Task) any { return operation(t.Words.Opcode, t.target) }},
	{"opcode", func(t *Task) any { return opcodeOf(t) }},
	{"pc", func(t *Task) any { return num(t.Words.ContinuationPC) }},
	{"data", func(t *Task) any { return num(t.Words.ContinuationData) }},
	{"epoch", func(t *Task) any { return epoch(t.Words.ResumeEpoch) }},
	{"yields", func(t *Task) any { return num(t.Words.YieldCount) }},
	{"requeues", func(t *Task) any { return num(t.Words.RequeueCount) }},
	{"age", func(t *Task) any { return num(t.Words.AgeTicks) }},
	{"tenant", func(t *Task) any { return num(t.Words.Tenant) }},
	{"parent", func(t *Task) any { return taskID(t.Words.ParentTaskID) }},
	{"input", func(t *Task) any { return num(t.Words.InputHandle) }},
	{"output", func(t *Task) any { return num(t.Words.OutputHandle) }},
	{"param", func(t *Task) any { return num(t.Words.Param) }},
	{"flags", func(t *Task) any { return num(t.Words.Flags) }},
	{"slot", func(t *Task) any { return num(t.Slot) }},
	{deviceColumn, func(t *Task) any { return deviceOfSlot(t.target, t.Slot) }},
}

// deviceColumn is of targets with several devices; others have no value for it.
const deviceColumn = "device"

func deviceOfSlot(t *megakernel.Target, slot int) any {
	if n := t.Numbering(); n.Several() {
		if device, _, ok := n.OfSlot(uint32(slot)); ok {
			return num(device)
		}
	}
	return nil
}

func deviceOfWorker(t *megakernel.Target, worker int) any {
	if n := t.Numbering(); n.Several() {
		device, _ := n.OfWorker(worker)
		return num(device)
	}
	return nil
}

// possible lists the texts of a column that has but a few, nil of another.
func (t Table[T]) possible(column string) []string {
	switch any(t).(type) {
	case Table[Task]:
		return map[string][]string{"state": namesTo(tasks.State(tasks.NumStates)), "priority": namesTo(tasks.Priority(tasks.NumPriorities))}[column]
	case Table[Worker]:
		return map[string][]string{"state": namesTo(megakernel.WorkerState(megakernel.NumWorkerStates))}[column]
	case Table[Record]:
		return map[string][]string{"kind": namesTo(megakernel.NumEvents)}[column]
	default:
		return nil
	}
}

// namesTo are the names of the values below end.
func namesTo[V interface {
	~uint32
	fmt.Stringer
}](end V) (out []string) {
	for v := range end {
		out = append(out, v.String())
	}
	return out
}

// opcodeOf is the name of what a task runs next.
func opcodeOf(t *Task) any {
	if w := t.Words.Words(); megakernel.Ending(&w) {
		return megakernel.EndingName
	}
	return opcodeName(t.Words.Opcode, t.target)
}

// opcodeName is the name of an opcode, nil for one that has none.
func opcodeName(op uint32, t *megakernel.Target) any {
	if name, ok := t.Opcodes[op]; ok {
		return name
	}
	if name, ok := megakernel.OpcodeName(op); ok {
		return name
	}
	return nil
}

// Worker is a row of the table of workers.
type Worker struct {
	megakernel.Worker
	target *megakernel.Target
}

// WorkersOf gives the workers of a snapshot.
func WorkersOf(s *megakernel.Snapshot, t *megakernel.Target) Rows[Worker] {
	records := s.WorkerRecords()
	out := make([]Worker, len(records))
	for i := range records {
		out[i] = Worker{records[i], t}
	}
	return ListOf(out)
}

// onTask is a value that only a worker with a task has.
func onTask(of func(*Worker) any) func(*Worker) any {
	return func(w *Worker) any {
		if w.Slot == megakernel.NoSlot || w.State != megakernel.WorkerRunning {
			return nil
		}
		return of(w)
	}
}

// WorkerTable is the table of workers.
var WorkerTable = Table[Worker]{
	{"id", func(w *Worker) any { return num(w.ID) }},
	{"state", func(w *Worker) any { return state(w.State, w.State.String()) }},
	{"task", onTask(func(w *Worker) any { return taskID(w.TaskID) })},
	{"slot", onTask(func(w *Worker) any { return num(w.Slot) })},
	{"op", onTask(func(w *Worker) any { return operation(w.Opcode, w.target) })},
	{"opcode", onTask(func(w *Worker) any { return opcodeName(w.Opcode, w.target) })},
	{"pc", onTask(func(w *Worker) any { return num(w.PC) })},
	{"beat", func(w *Worker) any { return num(w.Heartbeat) }},
	{"acts", func(w *Worker) any { return num(w.Activations) }},
	{"done", func(w *Worker) any { return num(w.Done) }},
	{"faulted", func(w *Worker) any { return num(w.Faulted) }},
	{"yields", func(w *Worker) any { return num(w.Yields) }},
	{"requeues", func(w *Worker) any { return num(w.Requeues) }},
	{"pauses", func(w *Worker) any { return num(w.Pauses) }},
	{"claims", func(w *Worker) any { return num(w.Claims) }},
	{"lanes", func(w *Worker) any { return num(w.Lanes) }},
	{"idle", func(w *Worker) any { return num(w.IdlePasses) }},
	{"slices", func(w *Worker) any { return num(w.Slices) }},
	{"unit", func(w *Worker) any { // of the device; the word is the number plus one, and 0 where it is not known
		if w.Unit == 0 {
			return nil
		}
		return num(w.Unit - 1)
	}},
	{deviceColumn, func(w *Worker) any { return deviceOfWorker(w.target, w.ID) }},
}

// Record is a row of the debug log.
type Record struct {
	megakernel.LogRecord
	Raw    bool // it has no worker, task and time
	target *megakernel.Target
}

// RecordsOf makes rows of debug-log records.
func RecordsOf(records []megakernel.LogRecord, t *megakernel.Target, raw bool) []Record {
	out := make([]Record, len(records))
	for i := range records {
		out[i] = Record{records[i], raw, t}
	}
	return out
}

// placed is a value that a record of raw buffers does not have.
func placed(of func(*Record) any) func(*Record) any {
	return func(r *Record) any {
		if r.Raw {
			return nil
		}
		return of(r)
	}
}

// LogTable is the table of the debug log. Ticks are device time: passes of the worker's loop.
var LogTable = Table[Record]{
	{"number", func(r *Record) any { return r.Number }},
	{"ticks", placed(func(r *Record) any { return r.Time })},
	{"worker", placed(func(r *Record) any { return num(r.Worker) })},
	{"lane", placed(func(r *Record) any { return num(r.Lane) })},
	{"task", placed(func(r *Record) any { return taskID(r.Task) })},
	{"op", placed(func(r *Record) any { return operation(r.Opcode, r.target) })},
	{"opcode", placed(func(r *Record) any { return opcodeName(r.Opcode, r.target) })},
	{"kind", func(r *Record) any { return state(megakernel.KindOf(r.Format), megakernel.KindOf(r.Format).String()) }},
	{"format", func(r *Record) any { return num(r.Format) }},
	{"text", func(r *Record) any { return r.LogRecord.Text(r.target.Formats) }},
	{deviceColumn, placed(func(r *Record) any { return deviceOfWorker(r.target, int(r.Worker)) })},
}

// Event is a row of the host's events.
type Event struct {
	Number int
	megakernel.HostEvent
}

// EventTable is the table of events.
var EventTable = Table[Event]{
	{"number", func(e *Event) any { return num(e.Number) }},
	{"at_ms", func(e *Event) any { return uint64(max(e.At, 0) / time.Millisecond) }},
	{"kind", func(e *Event) any { return e.Kind }},
	{"text", func(e *Event) any { return e.Text }},
}

// Word is a row of the table of words.
type Word struct {
	Buffer string
	Index  int
	Name   string
	Value  uint32
	Text   string // the value as its declared type is written; "" where the number says it all
}

// WordTable is the table of words.
var WordTable = Table[Word]{
	{"buffer", func(w *Word) any { return w.Buffer }},
	{"index", func(w *Word) any { return num(w.Index) }},
	{"name", func(w *Word) any { return w.Name }},
	{"value", func(w *Word) any { return num(w.Value) }},
	{"hex", func(w *Word) any { return hexWord(w.Value) }},
	{"text", func(w *Word) any {
		if w.Text == "" {
			return nil
		}
		return w.Text
	}},
}
