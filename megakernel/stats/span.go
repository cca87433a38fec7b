package stats

import (
	"iter"
	"time"

	"vyretop/megakernel"
)

// Span is the time of an activation, or of the activation in which a message was written.
type Span struct {
	Record     *megakernel.LogRecord // says worker, lane, task, opcode and outcome
	Begin, End time.Duration         // since launch
}

// Ended reports whether the record is about the end of an activation, rather than a message.
func (s *Span) Ended() bool { return Outcome(s.Record) }

// Outcome reports whether a record is about the end of an activation.
func Outcome(r *megakernel.LogRecord) bool {
	e := megakernel.KindOf(r.Format)
	return e > megakernel.EventNone && e < megakernel.EventPrintf
}

// SpanClock places the passes of workers between two snapshots. Its slices have a heartbeat for each worker.
type SpanClock struct {
	From, To    time.Duration // since launch
	First, Last []uint32      // passes that were complete at From and at To
}

// heartbeats appends the heartbeat of every worker.
func heartbeats(dst []uint32, s *megakernel.Snapshot) []uint32 {
	for t := s.WorkerTable; len(t) >= megakernel.WorkerWords; t = t[megakernel.WorkerWords:] {
		dst = append(dst, t[megakernel.WkHeartbeat])
	}
	return dst
}

// begin is when a scheduling pass began, within the two snapshots whatever the words are.
func (c *SpanClock) begin(worker int, pass uint32) time.Duration {
	first, last := uint32(0), uint32(0)
	if worker < len(c.First) {
		first = c.First[worker]
	}
	if worker < len(c.Last) {
		last = c.Last[worker]
	}
	done, all := int32(pass-first), int32(last-first)
	switch {
	case done <= 0:
		return c.From
	case all <= 0 || done >= all:
		return c.To
	}
	return c.From + time.Duration(float64(c.To-c.From)*float64(done)/float64(all))
}

// turn is a scheduling pass of a lane. A task that yields may have several activations in it (megakernel.BurstSetting).
type turn struct {
	worker, lane uint16
	pass         uint32
}

// activations are those of a turn: how many there are, and how many of them have been placed.
type activations struct{ all, placed int }

// Placer places records. The zero value is ready; a used one keeps its memory.
type Placer struct{ turns map[turn]activations }

// Place gives each record its span, in the order of the records, which must be that of their numbers.
// The activations of a lane in one pass have equal parts of it.
func (p *Placer) Place(c *SpanClock, records []megakernel.LogRecord) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		p.expect(records)
		for i := range records {
			if !yield(p.place(c, &records[i])) {
				return
			}
		}
	}
}

// expect counts the activations that records tell the end of.
func (p *Placer) expect(records []megakernel.LogRecord) {
	if p.turns == nil {
		p.turns = map[turn]activations{}
	}
	clear(p.turns)
	for i := range records {
		if r := &records[i]; Outcome(r) {
			a := p.turns[turnOf(r)]
			a.all++
			p.turns[turnOf(r)] = a
		}
	}
}

func (p *Placer) place(c *SpanClock, r *megakernel.LogRecord) Span {
	t := turnOf(r)
	s := Span{Record: r, Begin: c.begin(int(r.Worker), t.pass), End: c.begin(int(r.Worker), t.pass+1)}
	a := p.turns[t]
	if a.all > 1 {
		part := (s.End - s.Begin) / time.Duration(a.all)
		s.Begin += time.Duration(a.placed) * part
		s.End = s.Begin + part
	}
	if s.Ended() {
		a.placed++
		p.turns[t] = a
	}
	return s
}

func turnOf(r *megakernel.LogRecord) turn { return turn{r.Worker, r.Lane, uint32(r.Time)} }
