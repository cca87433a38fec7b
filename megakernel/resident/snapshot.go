package resident

import (
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Snapshot reads the target. It makes no call into the backend and disturbs nobody, except that on a
// device with memory of its own the workers copy the slots to the host first. It may be called at any
// time and from several goroutines.
func (s *Session) Snapshot() *megakernel.Snapshot {
	began := time.Now()
	s.refreshSlots()
	shape := s.Shape()
	before := s.workerWords(shape.Workers)
	snap := &megakernel.Snapshot{
		Seq:       s.snaps.Add(1),
		Phase:     s.Phase(),
		Slice:     s.slice.Load(),
		Submitted: s.queue.count(),
		Workers:   shape.Workers, Lanes: shape.Lanes,
		Control:     load(s.control, len(s.control)),
		Slots:       load(s.slots, s.kernel.Config.Slots*tasks.SlotWords),
		Taken32:     s.outbox.Load(megakernel.OutTasksTaken),
		Completions: s.outbox.Load(megakernel.OutCompletions),
		LogCursor:   s.log.Load(megakernel.LogCursor),
		Counters:    s.counters(),
	}
	for p := range snap.Served {
		snap.Served[p] = uint64(snap.Control[megakernel.CtrlPriorityFair0+p])
	}
	snap.WorkerTable = s.workerWords(shape.Workers)
	snap.TornBy = passesWhileBusy(before, snap.WorkerTable, s.kernel.Config.Mirror)
	snap.Consistent = snap.TornBy == 0
	snap.Taken = began.Sub(s.started)
	snap.CopyTime = time.Since(began)
	return snap
}

func (s *Session) workerWords(workers int) []uint32 {
	return load(s.workers, workers*megakernel.WorkerWords)
}

func load(w engine.Words, n int) []uint32 {
	out := make([]uint32, n)
	w.CopyTo(out, 0)
	return out
}

// passesWhileBusy counts the passes that workers made between two readings of the worker table
// while they had tasks: each may have changed slots under the reader. Where the table is far from the
// workers they do not tell of each pass, so a busy one counts at least once.
func passesWhileBusy(before, after []uint32, far bool) (n uint32) {
	for at := 0; at < len(after); at += megakernel.WorkerWords {
		b, a := before[at:], after[at:]
		busy := megakernel.WorkerStateOf(b) == megakernel.WorkerRunning ||
			megakernel.WorkerStateOf(a) == megakernel.WorkerRunning ||
			a[megakernel.WkStepSlot] != b[megakernel.WkStepSlot]
		if busy {
			passes := a[megakernel.WkHeartbeat] - b[megakernel.WkHeartbeat]
			if far {
				passes = max(passes, 1)
			}
			n += passes
		}
	}
	return n
}

// counters reads the published totals. Between slices they are exact. The device counts in 32 bits,
// which a GPU fills in less than a second; a slice is too short for that, so keepCounters after each
// slice is enough to extend them.
func (s *Session) counters() (c [megakernel.NumCounters]uint64) {
	s.countMu.Lock()
	defer s.countMu.Unlock()
	for i := range c {
		c[i] = s.counted[i] + uint64(s.outbox.Load(megakernel.OutCounters+i)-uint32(s.counted[i]))
	}
	return c
}

func (s *Session) keepCounters() {
	c := s.counters()
	s.countMu.Lock()
	s.counted = c
	s.countMu.Unlock()
}

// Summary is the sum of a run so far.
type Summary struct {
	Submitted uint64
	Counters  [megakernel.NumCounters]uint64
	Slices    uint32
	Log       uint32 // records reserved
	Elapsed   time.Duration
}

// Summary returns the totals; they are exact when the session is parked or has ended.
func (s *Session) Summary() Summary {
	return Summary{
		Submitted: s.queue.count(), Counters: s.counters(), Slices: s.slice.Load(),
		Log: s.log.Load(megakernel.LogCursor), Elapsed: time.Since(s.started),
	}
}
