package command

import (
	"strconv"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
)

// whereFields are what "tasks WHERE" may compare: the columns of the table of tasks.
var whereFields = []struct {
	name string
	word int // of the task; below 0 for its slot
}{
	{"id", tasks.WordTaskID}, {"state", tasks.WordState}, {"priority", tasks.WordPriority}, {"op", tasks.WordOpcode},
	{"pc", tasks.WordContinuationPC}, {"data", tasks.WordContinuationData}, {"param", tasks.WordParam},
	{"yields", tasks.WordYieldCount}, {"requeues", tasks.WordRequeueCount}, {"tenant", tasks.WordTenant},
	{"age", tasks.WordAgeTicks}, {"epoch", tasks.WordResumeEpoch}, {"parent", tasks.WordParentTaskID},
	{"input", tasks.WordInputHandle}, {"output", tasks.WordOutputHandle}, {"slot", -1},
}

// WhereFields lists the names that "tasks WHERE" may compare.
func WhereFields() []string {
	names := make([]string, len(whereFields))
	for i, f := range whereFields {
		names[i] = f.name
	}
	return names
}

// Picked is a task and the slot where it was seen.
type Picked struct {
	ID   uint32
	Slot int
}

// Pick are the tasks of a snapshot that have not ended and fulfil a condition, and faulted ones where those are what
// op is for. opcodes are the names of the target's handlers.
func Pick(s *megakernel.Snapshot, op megakernel.CommandOp, where *filter.Expr, opcodes map[uint32]string) (list []Picked) {
	row := whereRow{opcodes: opcodes}
	for i := range s.NumSlots() {
		row.slot, row.words = i, s.Slot(i)
		state := tasks.State(row.words[tasks.WordState])
		if state == tasks.Empty || state == tasks.Done || (state == tasks.Faulted) != (op == megakernel.OpReap) {
			continue
		}
		if where.Match(&row) {
			list = append(list, Picked{row.words[tasks.WordTaskID], i})
		}
	}
	return list
}

// NonePicked is the error about a condition that Pick finds no task for. Tasks that fulfil it, but not for that command, are counted.
func NonePicked(o *Order, s *megakernel.Snapshot, opcodes map[uint32]string) error {
	e := &fault.Error{Kind: ErrRefused, Subject: o.Text, Detail: "no task matches", Fix: "see what there is with vyretop tasks"}
	if o.Command.Op == megakernel.OpReap {
		if n := len(Pick(s, megakernel.OpPauseTask, o.Where, opcodes)); n > 0 {
			e.Detail = "no faulted task matches, and only faulted tasks can be reaped (" + units.Plural(n, "other task") + " would match)"
			e.Fix = "see which are faulted with vyretop tasks --filter state=faulted"
		}
	} else if n := len(Pick(s, megakernel.OpReap, o.Where, opcodes)); n > 0 {
		e.Detail = "no task matches but " + units.Plural(n, "faulted one") + ", which can only be reaped"
		e.Fix = "use reap, or see what there is with vyretop tasks"
	}
	return e
}

// whereRow is a slot as a filter sees it.
type whereRow struct {
	slot    int
	words   *[tasks.SlotWords]uint32
	opcodes map[uint32]string
	scratch []byte
}

// Number implements filter.Row.
func (r *whereRow) Number(column int) uint64 {
	if word := whereFields[column].word; word >= 0 {
		return uint64(r.words[word])
	}
	return uint64(r.slot)
}

// Text implements filter.Row.
func (r *whereRow) Text(column int) []byte {
	n := uint32(r.Number(column))
	r.scratch = r.scratch[:0]
	switch whereFields[column].word {
	case tasks.WordState:
		r.scratch = append(r.scratch, tasks.State(n).String()...)
	case tasks.WordPriority:
		r.scratch = append(r.scratch, tasks.Priority(n).String()...)
	case tasks.WordOpcode:
		if name := r.opcodes[n]; name != "" {
			return append(r.scratch, name...)
		}
		r.scratch = strconv.AppendUint(r.scratch, uint64(n), 10)
	case tasks.WordTaskID, tasks.WordParentTaskID:
		r.scratch = megakernel.AppendTaskName(r.scratch, n)
	default:
		r.scratch = strconv.AppendUint(r.scratch, uint64(n), 10)
	}
	return r.scratch
}
