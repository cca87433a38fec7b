package history

import (
	"slices"
	"sort"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// Bounds of what is kept.
const (
	MaxWorkers = 256
	MaxSpans   = 1 << 16
	minSpans   = 512 // of a worker
)

// Span is a time in which a worker did one thing.
type Span struct {
	Begin, End time.Duration // since launch
	Seen       Seen
	Kind       stats.SpanKind // an activation, a sample or a pause
	Lane       uint16
	Task       uint32
	Number     uint64 // of the record, for an activation
}

// Recorded reports whether the span is more than what a snapshot happened to see.
func (s *Span) Recorded() bool { return s.Kind != stats.Sampled }

// Lines is what the workers of a target did. The zero value is ready; it is not safe for concurrent use.
type Lines struct {
	teller   stats.Teller
	take     func(*stats.SpanLine) // line
	ops      []uint32              // opcodes in the order in which they were first seen
	rows     []*row                // by worker
	coverage coverage
	fine     overview
	coarse   overview
	longest  time.Duration // of all spans
	next     uint64        // number of the record that is wanted next
	start    time.Duration // of what there is
	from, to time.Duration // the newest interval between two snapshots
	logging  megakernel.Logging
	lost     bool // records are missing in that interval
}

// row is what is kept of a worker.
type row struct {
	spans []Span        // in the order of Begin
	since time.Duration // spans before that were dropped
	fresh int           // spans that came with the newest interval

	absent bool   // it was in no slice at the newest snapshot,
	beat   uint32 // and this was its heartbeat
}

// Log takes records that were read since the newest snapshot; those that it has are passed over.
func (l *Lines) Log(records []megakernel.LogRecord) {
	skip := sort.Search(len(records), func(i int) bool { return records[i].Number >= l.next })
	if records = records[skip:]; len(records) == 0 {
		return
	}
	l.next = records[len(records)-1].Number + 1
	l.teller.Log(records, l.taker())
}

// Snapshot takes the next snapshot. One that it has already changes nothing.
func (l *Lines) Snapshot(s *megakernel.Snapshot) {
	first := !l.coverage.known()
	if !first && s.Taken == l.to {
		return
	}
	l.from, l.to = l.to, s.Taken
	if first {
		l.from = s.Taken
		l.fine.begin(s.Taken, fineCell)
		l.coarse.begin(s.Taken, coarseCell)
	}
	l.teller.Snapshot(s, l.taker())
	if first {
		l.start = l.earliest()
	}
	complete := !l.lost && l.logging.Complete() && s.Logging.Complete()
	l.coverage.add(l.from, l.to, complete)
	l.logging, l.lost = s.Logging, false
	l.settle(s, complete)
}

// settle brings the spans of the newest interval into order, enters them into the overviews, and drops what is too old.
func (l *Lines) settle(s *megakernel.Snapshot, complete bool) {
	for len(l.rows) < min(len(s.WorkerTable)/megakernel.WorkerWords, MaxWorkers) {
		l.rows = append(l.rows, &row{})
	}
	l.absences(s)
	limit := max(MaxSpans/max(len(l.rows), 1), minSpans)
	for i, r := range l.rows {
		fresh := r.spans[len(r.spans)-r.fresh:]
		l.fine.add(i, l.ops, fresh, l.from, l.to, complete, fineLimit(len(l.rows)))
		l.coarse.add(i, l.ops, fresh, l.from, l.to, complete, coarseCells)
		slices.SortStableFunc(fresh, func(a, b Span) int { return int(min(max(a.Begin-b.Begin, -1), 1)) })
		r.fresh = 0
		r.trim(limit)
	}
}

// absences enters for the workers that were in no slice at either end of the newest interval, and made no pass in it, that they
// were not there: they were not idle either.
func (l *Lines) absences(s *megakernel.Snapshot) {
	for i, r := range l.rows {
		if (i+1)*megakernel.WorkerWords > len(s.WorkerTable) {
			return
		}
		w := s.WorkerTable[i*megakernel.WorkerWords:][:megakernel.WorkerWords]
		absent := megakernel.WorkerStateOf(w) == megakernel.WorkerAbsent
		if absent && r.absent && w[megakernel.WkHeartbeat] == r.beat && l.from < l.to {
			r.spans = append(r.spans, Span{Begin: l.from, End: l.to, Seen: SeenAbsent, Kind: stats.Sampled})
			r.fresh++
		}
		r.absent, r.beat = absent, w[megakernel.WkHeartbeat]
	}
}

// trim drops the oldest spans once there are a quarter more than are kept.
func (r *row) trim(limit int) {
	n := len(r.spans) - limit
	if n < limit/4 {
		return
	}
	r.since = r.spans[n].Begin
	r.spans = append(r.spans[:0], r.spans[n:]...)
}

// taker is line as a value, which is made once.
func (l *Lines) taker() func(*stats.SpanLine) {
	if l.take == nil {
		l.take = l.line
	}
	return l.take
}

// line takes what the teller tells.
func (l *Lines) line(x *stats.SpanLine) {
	l.lost = l.lost || x.Lost > 0
	if x.Kind == stats.Message || x.Worker >= MaxWorkers {
		return
	}
	for len(l.rows) <= x.Worker {
		l.rows = append(l.rows, &row{})
	}
	r := l.rows[x.Worker]
	s := Span{Begin: x.Begin, End: x.End, Kind: x.Kind, Lane: x.Lane, Task: x.Task}
	switch x.Kind {
	case stats.Pause:
		if !x.Open {
			return // its pieces are there
		}
		s.Seen, s.Begin = SeenPaused, max(s.Begin, l.from) // a piece between any two snapshots: spans stay in their order
	case stats.Activation:
		s.Seen, s.Number = l.running(x.Opcode), x.Record.Number
	default:
		s.Seen = l.running(x.Opcode)
	}
	l.longest = max(l.longest, s.End-s.Begin)
	r.spans = append(r.spans, s)
	r.fresh++
}

func (l *Lines) running(op uint32) Seen {
	i := slices.Index(l.ops, op)
	switch {
	case i >= 0:
	case len(l.ops) < maxOps:
		i = len(l.ops)
		l.ops = append(l.ops, op)
	default:
		return SeenOther
	}
	return seenOps + Seen(i)
}

// Ops are the opcodes that workers ran, in the order in which they first did.
func (l *Lines) Ops() []uint32 { return l.ops }

// Reach is the time for which something is kept.
func (l *Lines) Reach() (from, to time.Duration) { return l.start, l.to }

// earliest is when what the first snapshot told of began, as far as the overviews go back.
func (l *Lines) earliest() time.Duration {
	out := l.to
	for _, r := range l.rows {
		for i := range r.spans {
			out = min(out, r.spans[i].Begin)
		}
	}
	return max(out, l.coarse.start)
}

// Since is from when on the spans of a worker are all kept; the fine overview tells of the time before. It is 0 where
// none was dropped.
func (l *Lines) Since(worker int) time.Duration {
	if worker >= len(l.rows) {
		return 0
	}
	return l.rows[worker].since
}

// Spans are those of a worker that begin before a time and may end after another, in the order in which they begin; not to be changed.
func (l *Lines) Spans(worker int, from, to time.Duration) []Span {
	if worker >= len(l.rows) {
		return nil
	}
	spans := l.rows[worker].spans
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= from-l.longest })
	j := sort.Search(len(spans), func(i int) bool { return spans[i].Begin >= to })
	return spans[i:j]
}
