package history

import (
	"time"

	"vyretop/megakernel"
)

// Bounds of the time lines: how many workers, and how many columns of how long.
const (
	TimelineWorkers = 48
	TimelineBucket  = 250 * time.Millisecond
	timelineColumns = 512
)

// timeline remembers in which state each of the first workers was last seen in each bucket of time.
type timeline struct {
	columns [timelineColumns]timelineColumn
}

type timelineColumn struct {
	bucket int64 // number of the bucket plus one, 0 when unused
	count  int
	states [TimelineWorkers]megakernel.WorkerState
}

func (t *timeline) observe(now time.Duration, workers []megakernel.Worker) {
	bucket := int64(now/TimelineBucket) + 1
	c := &t.columns[bucket%timelineColumns]
	c.bucket = bucket
	c.count = min(len(workers), TimelineWorkers)
	for i := range c.count {
		c.states[i] = workers[i].State
	}
}

// Timeline appends the states of a worker in the n buckets of TimelineBucket up to the one that
// contains end. Where nothing was seen the flag of the pair is false.
func (h *History) Timeline(dst []Seen, worker int, end time.Duration, n int) []Seen {
	last := int64(end/TimelineBucket) + 1
	for b := last - int64(n) + 1; b <= last; b++ {
		var s Seen
		if b > 0 && worker < TimelineWorkers {
			if c := &h.timeline.columns[b%timelineColumns]; c.bucket == b && worker < c.count {
				s = Seen{State: c.states[worker], Known: true}
			}
		}
		dst = append(dst, s)
	}
	return dst
}

// Seen is the state of a worker in one bucket of time, where it is known.
type Seen struct {
	State megakernel.WorkerState
	Known bool
}
