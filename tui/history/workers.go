package history

import (
	"time"

	"vyretop/megakernel"
)

// workerPast is what is remembered of one worker.
type workerPast struct {
	seen      bool
	heartbeat uint32
	beatAt    time.Duration // when the heartbeat was last seen to change
	laneSum   uint32
	claims    uint32
}

func (h *History) observeWorkers(now time.Duration, workers []megakernel.Worker) {
	for len(h.workers) < len(workers) {
		h.workers = append(h.workers, workerPast{})
	}
	for i := range workers {
		w, past := &workers[i], &h.workers[i]
		if past.seen {
			h.lanes += uint64(w.LaneSum - past.laneSum)
			h.claims += uint64(w.Claims - past.claims)
		}
		if !past.seen || w.Heartbeat != past.heartbeat {
			past.beatAt = now
		}
		past.seen, past.heartbeat, past.laneSum, past.claims = true, w.Heartbeat, w.LaneSum, w.Claims
	}
}

// BeatAges appends, for workers 0..n-1, how long ago each one's heartbeat was last seen to change,
// as of the newest sample. A worker never seen has age 0.
func (h *History) BeatAges(dst []time.Duration, n int) []time.Duration {
	last, _ := h.last()
	for i := range n {
		age := time.Duration(0)
		if i < len(h.workers) && h.workers[i].seen {
			age = last.Taken - h.workers[i].beatAt
		}
		dst = append(dst, age)
	}
	return dst
}
