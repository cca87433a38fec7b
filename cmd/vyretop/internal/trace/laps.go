package trace

import (
	"time"

	"vyretop/megakernel"
)

// laps places the laps of workers between two snapshots.
type laps struct {
	from, to time.Duration
	before   []megakernel.Worker
	now      []megakernel.Worker
	turns    map[turn]*activations
}

// turn is a lap of a lane. A task that yields may have several activations in it (megakernel.KnobBurst).
type turn struct {
	worker, lane uint16
	lap          uint32
}

// activations are those of a turn: how many there are, and how many of them have been placed.
type activations struct{ all, placed int }

func turnOf(r *megakernel.LogRecord) turn { return turn{r.Worker, r.Lane, uint32(r.Time)} }

// expect counts the activations that records tell the end of.
func (l *laps) expect(records []megakernel.LogRecord) {
	for i := range records {
		r := &records[i]
		a := l.turns[turnOf(r)]
		if a == nil {
			a = &activations{}
			l.turns[turnOf(r)] = a
		}
		if outcome(r) {
			a.all++
		}
	}
}

func newLaps(before, now *megakernel.Snapshot, workers []megakernel.Worker) *laps {
	l := &laps{to: now.Taken, now: workers, turns: map[turn]*activations{}}
	if before != nil {
		l.from, l.before = before.Taken, before.WorkerRecords()
	}
	return l
}

// of is when the activation was in which a record was written: its lap, of which the activations of a lane
// have equal parts. Records are asked for in their order, after expect has seen them.
func (l *laps) of(r *megakernel.LogRecord) (from, to time.Duration) {
	lap := uint32(r.Time)
	from, to = l.begin(int(r.Worker), lap), l.begin(int(r.Worker), lap+1)
	a := l.turns[turnOf(r)]
	if a.all > 1 {
		part := (to - from) / time.Duration(a.all)
		from += time.Duration(a.placed) * part
		to = from + part
	}
	if outcome(r) {
		a.placed++
	}
	return from, to
}

// begin is when a lap began, within the two snapshots whatever the words are.
func (l *laps) begin(worker int, lap uint32) time.Duration {
	first, last := uint32(0), uint32(0)
	if worker < len(l.before) {
		first = uint32(l.before[worker].Heartbeat)
	}
	if worker < len(l.now) {
		last = uint32(l.now[worker].Heartbeat)
	}
	done, all := int32(lap-first), int32(last-first)
	switch {
	case done <= 0:
		return l.from
	case all <= 0 || done >= all:
		return l.to
	}
	return l.from + time.Duration(float64(l.to-l.from)*float64(done)/float64(all))
}
