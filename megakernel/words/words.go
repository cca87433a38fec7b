// Package words owns the names of the words that a snapshot holds, and in which of them two snapshots differ.
package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// The buffers of a snapshot.
const (
	Control = "control"
	Ring    = "ring"
	Workers = "workers"
)

// Buffers are the names of the buffers, in order.
var Buffers = []string{Control, Ring, Workers}

// Of are the words of a buffer, none where the snapshot does not know it.
func Of(s *megakernel.Snapshot, buffer string) []uint32 {
	switch buffer {
	case Control:
		return s.Control
	case Ring:
		return s.Slots
	case Workers:
		return s.WorkerTable
	}
	return nil
}

// Name is what the protocol calls word i of a buffer.
func Name(buffer string, i int) string {
	switch buffer {
	case Control:
		return megakernel.ControlWordName(i)
	case Ring:
		return record("slot[", i/tasks.SlotWords, tasks.WordNames[i%tasks.SlotWords])
	default:
		return record("worker[", i/megakernel.WorkerWords, WorkerName(i%megakernel.WorkerWords))
	}
}

// record is the name of a word of a record. Rings have millions of words, so nothing is formatted by package fmt.
func record(head string, number int, word string) string {
	var memory [64]byte
	b := strconv.AppendInt(append(memory[:0], head...), int64(number), 10)
	return string(append(append(b, "]."...), word...))
}

var workerNames = [megakernel.WorkerWords]string{
	megakernel.WkState: "state", megakernel.WkSlot: "slot", megakernel.WkHeartbeat: "heartbeat", megakernel.WkLanes: "lanes",
	megakernel.WkSlices: "slices", megakernel.WkStepsLeft: "steps_left", megakernel.WkLaneSum: "lane_sum",
	megakernel.WkIterations: "iterations", megakernel.WkStepSlot: "step_slot", megakernel.WkUnit: "unit",
	megakernel.WkTicks: "ticks", megakernel.WkHandler: "handler_ticks", megakernel.WkIdle: "idle_ticks",
}

// WorkerName is what word i of a worker's record is called.
func WorkerName(i int) string {
	switch {
	case workerNames[i] != "":
		return workerNames[i]
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

// Meaning is the name of what a word holds that is more than a number, "" for others.
func Meaning(buffer string, i int, v uint32) string {
	switch {
	case buffer == Ring && i%tasks.SlotWords == tasks.WordState:
		return tasks.State(v).String()
	case buffer == Ring && i%tasks.SlotWords == tasks.WordPriority:
		return tasks.Priority(v).String()
	case buffer == Workers && i%megakernel.WorkerWords == megakernel.WkState:
		if v == uint32(megakernel.WorkerIdle) { // a worker with a task keeps that word, and names its slot
			return "idle or running"
		}
		return megakernel.WorkerState(v).String()
	}
	return ""
}

// MeaningIn is Meaning of word i of a buffer whose words are all given: those beside it can be part of what it says.
func MeaningIn(buffer string, all []uint32, i int) string {
	if buffer == Workers && i%megakernel.WorkerWords == megakernel.WkState && i+megakernel.WkSlot < len(all) {
		return megakernel.WorkerStateOf(all[i:]).String()
	}
	return Meaning(buffer, i, all[i])
}

// volatile are the words of a worker's record that change although nothing happens.
var volatile = func() (out [megakernel.WorkerWords]bool) {
	for _, i := range []int{
		megakernel.WkHeartbeat, megakernel.WkIterations, megakernel.WkSlices, megakernel.WkTicks, megakernel.WkIdle,
		megakernel.WkCounts + megakernel.CountEmpty,
	} {
		out[i] = true
	}
	for p := range tasks.NumPriorities + 1 {
		out[megakernel.WkCursor0+p] = true
	}
	return out
}()

// Volatile reports whether a word changes although nothing happens.
func Volatile(buffer string, i int) bool {
	return buffer == Workers && volatile[i%megakernel.WorkerWords]
}

// Difference is a word that two snapshots do not have alike.
type Difference struct {
	Buffer string
	Index  int
	A, B   uint32
	OnlyA  bool // B has no such word
	OnlyB  bool // A has none
}

// Name is what the protocol calls the word.
func (d *Difference) Name() string { return Name(d.Buffer, d.Index) }

// Differences are the words in which two snapshots differ, as far as they are listed.
type Differences struct {
	List     []Difference // in the order of buffers and words
	Total    int          // of which more may be known than listed
	Volatile int          // words that differ and are left out, because they change although nothing happens
}

// pageWords are compared at once: most of a buffer is as it was.
const pageWords = 1024

// Diff compares two snapshots word by word, in the memory of earlier differences; it lists as many as limit says. Words
// that change although nothing happens count only when all do. A buffer that one side does not know is left out.
func Diff(memory []Difference, a, b *megakernel.Snapshot, all bool, limit int) Differences {
	out := Differences{List: memory[:0]}
	for _, buffer := range Buffers {
		x, y := Of(a, buffer), Of(b, buffer)
		if len(x) > 0 && len(y) > 0 {
			out.compare(buffer, x, y, all, limit)
		}
	}
	return out
}

// Compare compares two buffers of the same name word by word.
func Compare(buffer string, x, y []uint32) []Difference {
	var out Differences
	out.compare(buffer, x, y, true, math.MaxInt)
	return out.List
}

func (o *Differences) compare(buffer string, x, y []uint32, all bool, limit int) {
	both := min(len(x), len(y))
	for page := 0; page < both; page += pageWords {
		end := min(page+pageWords, both)
		if slices.Equal(x[page:end], y[page:end]) {
			continue
		}
		for i := page; i < end; i++ {
			switch {
			case x[i] == y[i]:
			case !all && Volatile(buffer, i):
				o.Volatile++
			default:
				o.add(Difference{Buffer: buffer, Index: i, A: x[i], B: y[i]}, limit)
			}
		}
	}
	for i := both; i < max(len(x), len(y)); i++ {
		d := Difference{Buffer: buffer, Index: i}
		if i < len(x) {
			d.A, d.OnlyA = x[i], true
		} else {
			d.B, d.OnlyB = y[i], true
		}
		if all || !Volatile(buffer, i) {
			o.add(d, limit)
		}
	}
}

func (o *Differences) add(d Difference, limit int) {
	o.Total++
	if len(o.List) < limit {
		o.List = append(o.List, d)
	}
}
