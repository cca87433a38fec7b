package breakpoint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Trial tries a breakpoint on samples of the past: which activations that can be seen there would it have
// hit? A task that is ready, or running, in a sample is about to be activated, or is; the same one in several
// samples counts once for each time it has come back. What came and went between two samples is not seen,
// so a trial counts too few, never too many.
type Trial struct {
	Breakpoint Breakpoint

	Samples     int
	From, To    time.Duration // of the samples, since launch
	Hits        uint64
	First, Last time.Duration // of the hits
	Workers     []int         // that were seen running what was hit, by number
	Full        bool          // more activations were seen than are kept apart: the last ones are not in Hits

	seen map[activation]struct{}
}

// activation tells an activation of a task from its others.
type activation struct{ task, yields, requeues uint32 }

// maxSeen bounds the activations that a trial keeps apart.
const maxSeen = 1 << 20

// Add tries the breakpoint on a sample. Samples come in the order of time.
func (t *Trial) Add(s *megakernel.Snapshot) {
	if t.Samples == 0 {
		t.From, t.seen = s.Taken, map[activation]struct{}{}
	}
	t.Samples, t.To = t.Samples+1, s.Taken
	running := t.running(s)
	if t.Breakpoint.Program.Uses(Worker) { // who will run the others is not known
		for slot, worker := range running {
			t.try(s, int(slot), worker, true)
		}
		return
	}
	for slot := range s.NumSlots() {
		worker, runs := running[uint32(slot)]
		t.try(s, slot, worker, runs)
	}
}

// running are the workers by the slot of the task that they run.
func (t *Trial) running(s *megakernel.Snapshot) map[uint32]int {
	out := map[uint32]int{}
	for at := 0; at+megakernel.WorkerWords <= len(s.WorkerTable); at += megakernel.WorkerWords {
		record := s.WorkerTable[at:]
		slot := record[megakernel.WkSlot]
		if megakernel.WorkerStateOf(record) == megakernel.WorkerRunning && int64(slot) < int64(s.NumSlots()) {
			out[slot] = at / megakernel.WorkerWords
		}
	}
	return out
}

func (t *Trial) try(s *megakernel.Snapshot, slot, worker int, runs bool) {
	words := s.Slot(slot)
	state := tasks.State(words[tasks.WordState])
	if state != tasks.Running && (state >= tasks.NumStates || !state.Schedulable()) || !t.Breakpoint.Program.Match(words, At{uint32(worker), uint32(slot), s.Epoch()}) {
		return
	}
	if at, known := slices.BinarySearch(t.Workers, worker); runs && !known {
		t.Workers = slices.Insert(t.Workers, at, worker)
	}
	key := activation{words[tasks.WordTaskID], words[tasks.WordYieldCount], words[tasks.WordRequeueCount]}
	if _, counted := t.seen[key]; counted {
		return
	}
	if len(t.seen) == maxSeen {
		t.Full = true
		return
	}
	t.seen[key] = struct{}{}
	if t.Hits == 0 {
		t.First = s.Taken
	}
	t.Hits, t.Last = t.Hits+1, s.Taken
}

// Acts is how many of the hits would have acted, by Every and After.
func (t *Trial) Acts() uint64 {
	after, every := min(uint64(t.Breakpoint.After), t.Hits), max(uint64(t.Breakpoint.Every), 1)
	return t.Hits/every - after/every
}

// String says what the trial has found, for people: snapshots count back from its end.
func (t *Trial) String() string {
	if t.Hits == 0 {
		return "would have hit nothing"
	}
	acts := ""
	if n := t.Acts(); n != t.Hits {
		acts = fmt.Sprintf(" (%d act)", n)
	}
	text := fmt.Sprintf("would have hit at least %d times%s, first at -%s", t.Hits, acts, seconds(t.To-t.First))
	if t.Hits == 1 {
		text = fmt.Sprintf("would have hit at least once%s, at -%s", acts, seconds(t.To-t.First))
	}
	if len(t.Workers) > 0 {
		by := ", by worker "
		if len(t.Workers) > 1 {
			by = ", by workers "
		}
		text += by + strings.Trim(fmt.Sprint(t.Workers), "[]")
	}
	return text
}

// Basis says what the trial is of.
func (t *Trial) Basis() string {
	switch {
	case t.Samples == 0:
		return "no sample to try it on"
	case t.Samples == 1:
		return "in one sample only"
	case t.Full:
		return fmt.Sprintf("in %d samples of the last %s, with too many activations to count all", t.Samples, seconds(t.To-t.From))
	}
	return fmt.Sprintf("in %d samples of the last %s; what passes between two is not seen", t.Samples, seconds(t.To-t.From))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
