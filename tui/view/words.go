package view

import (
	"fmt"
	"slices"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Buffer is a buffer whose words a snapshot holds.
type Buffer uint8

// The buffers, in the order in which the memory view goes through them.
const (
	ControlBuffer Buffer = iota
	RingBuffer
	WorkerBuffer
	NumBuffers
)

var bufferNames = [NumBuffers]string{"control", "ring", "workers"}

// String names the buffer.
func (b Buffer) String() string { return bufferNames[b] }

// ParseBuffer is the buffer with a name.
func ParseBuffer(name string) (Buffer, bool) {
	i := slices.Index(bufferNames[:], name)
	return Buffer(max(i, 0)), i >= 0
}

// BufferNames lists the names of the buffers.
func BufferNames() []string { return bufferNames[:] }

// WordAt is the place of a word.
type WordAt struct {
	Buffer Buffer
	Index  int
}

// String writes the place as commands take it: "control[128]".
func (w WordAt) String() string { return fmt.Sprintf("%s[%d]", w.Buffer, w.Index) }

// Words are the words of a buffer, nil before the first snapshot. They must not be changed.
func (f *Frame) Words(b Buffer) []uint32 {
	switch {
	case f.Snap == nil:
		return nil
	case b == RingBuffer:
		return f.Snap.Slots
	case b == WorkerBuffer:
		return f.Snap.WorkerTable
	default:
		return f.Snap.Control
	}
}

// Word reads a word; ok is false where the buffer has none.
func (f *Frame) Word(at WordAt) (v uint32, ok bool) {
	words := f.Words(at.Buffer)
	if at.Index < 0 || at.Index >= len(words) {
		return 0, false
	}
	return words[at.Index], true
}

// pageWords bounds the words that the memory view lists at once; pages of the ring hold whole slots
// and those of the worker table whole records.
var pageWords = [NumBuffers]int{
	ControlBuffer: megakernel.ControlMinWords + megakernel.MaxObservables,
	RingBuffer:    64 * tasks.SlotWords,
	WorkerBuffer:  8 * megakernel.WorkerWords,
}

// PageOf is the first word of the page that holds word i.
func (b Buffer) PageOf(i int) int { return i - i%pageWords[b] }

// Page is a part of a buffer: its words from number first on.
func (f *Frame) Page(b Buffer, first int) []uint32 {
	words := f.Words(b)
	first = min(max(first, 0), len(words))
	return words[first:min(first+pageWords[b], len(words))]
}

// Name is what the protocol calls the word.
func (w WordAt) Name() string {
	switch w.Buffer {
	case RingBuffer:
		return fmt.Sprintf("slot %d %s", w.Index/tasks.SlotWords, tasks.WordNames[w.Index%tasks.SlotWords])
	case WorkerBuffer:
		return fmt.Sprintf("worker %d %s", w.Index/megakernel.WorkerWords, workerWordName(w.Index%megakernel.WorkerWords))
	default:
		return megakernel.ControlWordName(w.Index)
	}
}

var workerWordNames = [...]string{
	megakernel.WkState: "state", megakernel.WkSlot: "slot", megakernel.WkHeartbeat: "heartbeat", megakernel.WkLanes: "lanes", megakernel.WkSlices: "slices",
	megakernel.WkStepsLeft: "steps_left", megakernel.WkLaneSum: "lane_sum", megakernel.WkIterations: "iterations",
	megakernel.WkStepSlot: "step_slot",
}

func workerWordName(i int) string {
	switch {
	case i < len(workerWordNames) && workerWordNames[i] != "":
		return workerWordNames[i]
	case i >= megakernel.WkCounts && i < megakernel.WkCounts+megakernel.NumCounters:
		return megakernel.CounterNames[i-megakernel.WkCounts]
	case i >= megakernel.WkStepBefore && i < megakernel.WkStepBefore+tasks.SlotWords:
		return "before." + tasks.WordNames[i-megakernel.WkStepBefore]
	case i >= megakernel.WkStepAfter && i < megakernel.WkStepAfter+tasks.SlotWords:
		return "after." + tasks.WordNames[i-megakernel.WkStepAfter]
	default:
		return fmt.Sprintf("+%d", i)
	}
}

// Owner says which side writes the word.
func (w WordAt) Owner() string {
	switch {
	case w.Buffer != ControlBuffer:
		return "device"
	case w.Index == megakernel.CtrlShutdown:
		return "host and device"
	case w.Index < megakernel.CtrlTenantFair0 && w.Index != megakernel.CtrlDoneCount:
		return "host"
	case w.Index < megakernel.CtrlObservable0:
		return "device"
	default:
		return "device, by its handlers"
	}
}

// meaningOf says in words what a word holds, or nothing when the number says it all.
func (f *Frame) meaningOf(at WordAt) string {
	switch at.Buffer {
	case RingBuffer:
		if slot := at.Index / tasks.SlotWords; slot < f.Snap.NumSlots() {
			return f.meaning(f.Snap.Slot(slot), at.Index%tasks.SlotWords)
		}
	case WorkerBuffer:
		if v, _ := f.Word(at); at.Index%megakernel.WorkerWords == megakernel.WkState {
			return megakernel.WorkerState(v).String()
		}
	default:
		if op := at.Index - megakernel.CtrlMetrics0; op >= 0 && op < megakernel.MetricOpcodes {
			return f.OpcodeName(uint32(op))
		}
	}
	return ""
}
