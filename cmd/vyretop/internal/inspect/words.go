package inspect

import (
	"fmt"
	"slices"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// The buffers of a snapshot, as words and differences name them.
const (
	BufferControl = "control"
	BufferRing    = "ring"
	BufferWorkers = "workers"
)

// Buffers are the names of the buffers, in order.
var Buffers = []string{BufferControl, BufferRing, BufferWorkers}

// WordsOf lists the words of a buffer of a snapshot.
func WordsOf(s *megakernel.Snapshot, buffer string) []Word {
	words := bufferOf(s, buffer)
	out := make([]Word, len(words))
	for i, w := range words {
		out[i] = Word{buffer, i, wordName(buffer, i), w}
	}
	return out
}

func bufferOf(s *megakernel.Snapshot, buffer string) []uint32 {
	switch buffer {
	case BufferControl:
		return s.Control
	case BufferRing:
		return s.Slots
	default:
		return s.WorkerTable
	}
}

func wordName(buffer string, i int) string {
	switch buffer {
	case BufferControl:
		return megakernel.ControlWordName(i)
	case BufferRing:
		return fmt.Sprintf("slot[%d].%s", i/tasks.SlotWords, tasks.WordNames[i%tasks.SlotWords])
	default:
		return fmt.Sprintf("worker[%d].%s", i/megakernel.WorkerWords, workerWordName(i%megakernel.WorkerWords))
	}
}

var workerWordNames = map[int]string{
	megakernel.WkState: "state", megakernel.WkSlot: "slot",
	megakernel.WkHeartbeat: "heartbeat", megakernel.WkLanes: "lanes", megakernel.WkSlices: "slices",
	megakernel.WkStepsLeft: "steps_left", megakernel.WkLaneSum: "lane_sum", megakernel.WkIterations: "iterations", megakernel.WkStepSlot: "step_slot",
}

func workerWordName(i int) string {
	if name, ok := workerWordNames[i]; ok {
		return name
	}
	switch {
	case i >= megakernel.WkCursor0 && i <= megakernel.WkCursor0+tasks.NumPriorities:
		return fmt.Sprintf("cursor[%d]", i-megakernel.WkCursor0)
	case i >= megakernel.WkCounts && i < megakernel.WkCounts+megakernel.NumCounters:
		return megakernel.CounterNames[i-megakernel.WkCounts]
	case i >= megakernel.WkStepBefore && i < megakernel.WkStepBefore+tasks.SlotWords:
		return "step_before." + tasks.WordNames[i-megakernel.WkStepBefore]
	case i >= megakernel.WkStepAfter && i < megakernel.WkStepAfter+tasks.SlotWords:
		return "step_after." + tasks.WordNames[i-megakernel.WkStepAfter]
	}
	return fmt.Sprintf("word[%d]", i)
}

// volatile are the words of a worker that change although nothing happens.
var volatile = []int{
	megakernel.WkHeartbeat, megakernel.WkIterations, megakernel.WkSlices, megakernel.WkCounts + megakernel.CountEmpty,
	megakernel.WkCursor0, megakernel.WkCursor0 + 1, megakernel.WkCursor0 + 2, megakernel.WkCursor0 + 3, megakernel.WkCursor0 + 4, megakernel.WkCursor0 + 5,
}

// Difference is a word that two snapshots do not have alike.
type Difference struct {
	Buffer string
	Index  int
	Name   string
	A, B   *uint32 // nil where the snapshot has no such word
}

// Diff compares two snapshots word by word. Words that change although nothing happens count only when
// all do.
func Diff(a, b *megakernel.Snapshot, all bool) []Difference {
	var out []Difference
	for _, buffer := range Buffers {
		x, y := bufferOf(a, buffer), bufferOf(b, buffer)
		if len(x) == 0 || len(y) == 0 { // one side does not know the buffer
			continue
		}
		for i := range max(len(x), len(y)) {
			if i < min(len(x), len(y)) && x[i] == y[i] || !all && buffer == BufferWorkers && slices.Contains(volatile, i%megakernel.WorkerWords) {
				continue
			}
			out = append(out, Difference{buffer, i, wordName(buffer, i), at(x, i), at(y, i)})
		}
	}
	return out
}

func at(words []uint32, i int) *uint32 {
	if i < len(words) {
		return &words[i]
	}
	return nil
}

// DiffTable is the table of differences.
var DiffTable = Table[Difference]{
	{"buffer", func(d *Difference) any { return d.Buffer }},
	{"index", func(d *Difference) any { return num(d.Index) }},
	{"name", func(d *Difference) any { return d.Name }},
	{"a", func(d *Difference) any { return word(d.A) }},
	{"b", func(d *Difference) any { return word(d.B) }},
	{"a_text", func(d *Difference) any { return d.decoded(d.A) }},
	{"b_text", func(d *Difference) any { return d.decoded(d.B) }},
}

func word(w *uint32) any {
	if w == nil {
		return nil
	}
	return num(*w)
}

// decoded is the meaning of a word that is more than a number.
func (d *Difference) decoded(w *uint32) any {
	if w == nil {
		return nil
	}
	switch {
	case d.Buffer == BufferRing && d.Index%tasks.SlotWords == tasks.WordState:
		return tasks.State(*w).String()
	case d.Buffer == BufferRing && d.Index%tasks.SlotWords == tasks.WordPriority:
		return tasks.Priority(*w).String()
	case d.Buffer == BufferWorkers && d.Index%megakernel.WorkerWords == megakernel.WkState:
		return megakernel.WorkerState(*w).String()
	}
	return nil
}
