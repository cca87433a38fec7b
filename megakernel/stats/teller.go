package stats

import (
	"time"

	"vyretop/megakernel"
)

// SpanKind is what a Line is about, and what tells of it.
type SpanKind uint8

// The kinds.
const (
	Activation SpanKind = iota // a record of the log
	Message                    // a record that a handler wrote: End is not known
	Sampled                    // a snapshot saw the worker run, and the log has nothing of it since the snapshot before
	Pause                      // snapshots saw the worker paused
)

// SpanLine is something that a worker did from one time to another.
type SpanLine struct {
	Kind         SpanKind
	Worker       int
	Lane         uint16 // 0 where a snapshot tells
	Task, Opcode uint32 // not of a pause
	Begin, End   time.Duration
	Record       *megakernel.LogRecord // nil where a snapshot tells
	Lost         uint64                // records that are missing in front of this one
	Open         bool                  // of a pause: it may not have ended yet, and comes again with the next snapshot
}

// Teller tells what workers did, from snapshots and the records read between them. The trace export and the
// timeline show what it tells. The zero value is ready.
type Teller struct {
	placer  Placer
	pending []megakernel.LogRecord // since the newest snapshot
	clock   SpanClock              // its end is the newest snapshot
	known   bool                   // there is one
	next    uint64
	ran     []bool // by worker: the log tells of it since the snapshot before
	workers []megakernel.Worker
	paused  map[int]time.Duration // by worker: since when
	line    SpanLine              // that is told
}

// maxPending bounds the records that wait for the next snapshot.
const maxPending = 1 << 18

// Log takes records that were read since the newest snapshot. Where too many wait for the next one, they are all placed
// at the one before.
func (t *Teller) Log(records []megakernel.LogRecord, each func(*SpanLine)) {
	t.pending = append(t.pending, records...)
	if len(t.pending) >= maxPending {
		c := SpanClock{From: t.clock.To, To: t.clock.To}
		t.records(&c, each)
	}
}

// Snapshot gives each what the workers did since the snapshot before. A line is valid until each returns.
func (t *Teller) Snapshot(s *megakernel.Snapshot, each func(*SpanLine)) {
	if s.Taken < t.clock.To { // of another run
		t.clock, t.known = SpanClock{}, false
	}
	c := &t.clock
	c.First, c.Last = c.Last, heartbeats(c.First[:0], s)
	c.From, c.To = c.To, s.Taken
	t.records(c, each)
	t.workers = s.AppendWorkers(t.workers[:0])
	for i := range t.workers {
		t.worker(s, &t.workers[i], each)
	}
	clear(t.ran)
	t.known = true
}

// End gives the pauses that have not ended.
func (t *Teller) End(each func(*SpanLine)) {
	for worker, since := range t.paused {
		t.tell(each, SpanLine{Kind: Pause, Worker: worker, Begin: since, End: max(since, t.clock.To)})
	}
	clear(t.paused)
}

func (t *Teller) records(c *SpanClock, each func(*SpanLine)) {
	for x := range t.placer.Place(c, t.pending) {
		r := x.Record
		l := SpanLine{Kind: Message, Worker: int(r.Worker), Lane: r.Lane, Task: r.Task, Opcode: r.Opcode, Begin: x.Begin, End: x.End, Record: r}
		if r.Number > t.next && t.next > 0 {
			l.Lost = r.Number - t.next
		}
		t.next = r.Number + 1
		if x.Ended() {
			l.Kind = Activation
			t.noteRun(l.Worker)
		}
		t.tell(each, l)
	}
	t.pending = t.pending[:0]
}

// tell gives each a line, in memory that is used again.
func (t *Teller) tell(each func(*SpanLine), l SpanLine) {
	t.line = l
	each(&t.line)
}

func (t *Teller) noteRun(worker int) {
	for len(t.ran) <= worker {
		t.ran = append(t.ran, false)
	}
	t.ran[worker] = true
}

// worker tells what the snapshot says of a worker: that it is paused, or runs though the log says nothing.
func (t *Teller) worker(s *megakernel.Snapshot, k *megakernel.Worker, each func(*SpanLine)) {
	since, was := t.paused[k.ID]
	switch {
	case k.State == megakernel.WorkerPaused:
		if !was {
			since = s.Taken
			t.pause(k.ID, since)
		}
		t.tell(each, SpanLine{Kind: Pause, Worker: k.ID, Begin: since, End: s.Taken, Open: true})
	case was:
		delete(t.paused, k.ID)
		t.tell(each, SpanLine{Kind: Pause, Worker: k.ID, Begin: since, End: max(since, t.clock.From)})
	}
	logged := k.ID < len(t.ran) && t.ran[k.ID]
	if !t.known || logged || k.State != megakernel.WorkerRunning || int64(k.Slot) >= int64(s.NumSlots()) {
		return
	}
	t.tell(each, SpanLine{Kind: Sampled, Worker: k.ID, Task: k.TaskID, Opcode: k.Opcode, Begin: t.clock.From, End: s.Taken})
}

func (t *Teller) pause(worker int, since time.Duration) {
	if t.paused == nil {
		t.paused = map[int]time.Duration{}
	}
	t.paused[worker] = since
}
