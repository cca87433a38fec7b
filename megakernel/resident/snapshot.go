package resident

import (
	"slices"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Snapshot reads the target. It makes no call into the backend and disturbs nothing, except that on a
// device with memory of its own a few workers copy what has changed in the slots to the host first. It may
// be called at any time and from several goroutines. Who reads the target often, and keeps nothing, is
// better served by an Observer.
func (s *Session) Snapshot() *megakernel.Snapshot { return s.Observer().Read() }

// Observer reads a session again and again at little cost: it copies the slots that have changed since it
// last did, into the same memory. Its methods are for one goroutine.
type Observer struct {
	session *Session
	snap    *megakernel.Snapshot
	seen    uint64   // look that the slots are of
	before  []uint32 // the worker table as it was before the slots were read
}

// Observer returns a new observer of the session.
func (s *Session) Observer() *Observer {
	return &Observer{session: s, snap: &megakernel.Snapshot{
		Control: make([]uint32, len(s.control)),
		Slots:   make([]uint32, s.kernel.Config.Slots*tasks.SlotWords),
	}}
}

// Read is Session.Snapshot into the observer's own snapshot: the next Read changes what this one returned.
func (o *Observer) Read() *megakernel.Snapshot {
	s, snap := o.session, o.snap
	began := time.Now()
	fresh := s.refreshSlots()
	shape := s.Shape()
	o.before = s.readWorkers(o.before, shape.Workers)
	snap.Seq = s.snaps.Add(1)
	snap.Phase = s.Phase()
	snap.Slice = s.slice.Load()
	snap.Submitted = s.queue.count()
	snap.Workers, snap.Lanes = shape.Workers, shape.Lanes
	snap.Workgroup, snap.Compiling = s.Workgroup(), s.compilation()
	s.control.CopyTo(snap.Control, 0)
	o.seen = s.changes.copyTo(snap.Slots, o.seen)
	snap.InboxTaken = s.outbox.Load(megakernel.OutTasksTaken)
	snap.Completions = s.outbox.Load(megakernel.OutCompletions)
	snap.LogCursor, snap.Logging = s.logged(), s.logging()
	snap.Counters = s.counters()
	for p := range snap.Served {
		snap.Served[p] = uint64(snap.Control[megakernel.CtrlPriorityFair0+p])
	}
	snap.WorkerTable = s.readWorkers(snap.WorkerTable, shape.Workers)
	snap.TornBy = passesWhileBusy(o.before, snap.WorkerTable, s.kernel.Config.Mirror)
	snap.Consistent = snap.TornBy == 0 && fresh
	snap.Taken = began.Sub(s.started)
	snap.CopyTime = time.Since(began)
	return snap
}

// readWorkers reads the records of workers into dst, or into memory of its own when that is too small.
func (l *launch) readWorkers(dst []uint32, workers int) []uint32 {
	n := workers * megakernel.WorkerWords
	dst = slices.Grow(dst[:0], n)[:n]
	l.workers.CopyTo(dst, 0)
	return dst
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

// tally is the totals of what the device has done.
type tally struct {
	*life

	counted [megakernel.NumCounters]atomic.Uint64 // at the end of the last slice; set by the slicer
}

// counters reads the published totals. Between slices they are exact. The device counts in 32 bits,
// which a GPU fills in less than a second; a slice is too short for that, so keepCounters after each
// slice is enough to extend them.
func (t *tally) counters() (c [megakernel.NumCounters]uint64) {
	for i := range c {
		total := t.counted[i].Load()
		c[i] = total + uint64(t.outbox.Load(megakernel.OutCounters+i)-uint32(total))
	}
	return c
}

// keepCounters is the slicer's.
func (t *tally) keepCounters() {
	for i, total := range t.counters() {
		t.counted[i].Store(total)
	}
}

// Summary is the sum of a run so far.
type Summary struct {
	Submitted uint64
	Counters  [megakernel.NumCounters]uint64
	Slices    uint32
	Log       uint32 // records reserved
	Elapsed   time.Duration
	FirstDone time.Time // when the first completion was read; zero before
}

// Summary returns the totals; they are exact when the session is parked or has ended.
func (s *Session) Summary() Summary {
	return Summary{
		Submitted: s.queue.count(), Counters: s.counters(), Slices: s.slice.Load(),
		Log: s.logged(), Elapsed: time.Since(s.started), FirstDone: s.collector.firstDone(),
	}
}

// logging is what the running slice writes to the log; not known before the first one.
func (t *tuning) logging() megakernel.Logging {
	now := t.inForce()
	if now.LogSampling = t.sampling.every.Load(); now.LogSampling == 0 {
		return megakernel.Logging{}
	}
	return now.Logging()
}

// logged is the number of log records reserved, as published last.
func (l *launch) logged() uint32 {
	return l.log.Load(megakernel.LogCursor) + l.log.Load(megakernel.LogOwnCursor)
}
