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
}

func newLaps(before, now *megakernel.Snapshot, workers []megakernel.Worker) *laps {
	l := &laps{to: now.Taken, now: workers}
	if before != nil {
		l.from, l.before = before.Taken, before.WorkerRecords()
	}
	return l
}

// of is when the lap was in which a record was written.
func (l *laps) of(r *megakernel.LogRecord) (from, to time.Duration) {
	lap := uint32(r.Time)
	return l.begin(int(r.Worker), lap), l.begin(int(r.Worker), lap+1)
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
