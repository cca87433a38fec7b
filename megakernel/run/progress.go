package run

import (
	"sync"
	"time"

	"vyretop/megakernel"
)

// progressRest is how many times as long as a reading of the progress took there is none after it. A workload may
// have to look at memory that grows with its input.
const progressRest = 50

// progressReader reads how far a workload is, for snapshots. Snapshots that follow fast have the progress of an
// earlier reading; one of a target that has stopped is exact.
type progressReader struct {
	read func() (done, total int64, unit string)
	now  func() time.Time

	mu   sync.Mutex
	last megakernel.Progress
	at   time.Time // of that reading
	due  time.Time // of the next reading
}

// exact is the progress at this time, however long reading it takes.
func (r *progressReader) exact() megakernel.Progress { return r.of(megakernel.PhaseStopped) }

// of is the progress for a snapshot of a phase.
func (r *progressReader) of(phase megakernel.Phase) megakernel.Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	began := r.now()
	if began.Before(r.due) && phase != megakernel.PhaseStopped {
		p := r.last
		p.Age = began.Sub(r.at)
		return p
	}
	done, total, unit := r.read()
	if unit == r.last.Unit {
		done = max(done, r.last.Done)
	}
	r.last = megakernel.Progress{Done: done, Total: total, Unit: unit}
	ended := r.now()
	r.at, r.due = began, ended.Add(progressRest*ended.Sub(began))
	return r.last
}
