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

// changeTracker remembers when each word of a buffer last changed.
type changeTracker struct {
	words []uint32
	at    []time.Duration
}

const never = time.Duration(-1)

func (c *changeTracker) observe(now time.Duration, words []uint32) {
	if len(words) != len(c.words) {
		c.words = append(c.words[:0], words...)
		c.at = make([]time.Duration, len(words))
		for i := range c.at {
			c.at[i] = never
		}
		return
	}
	for i, w := range words {
		if w != c.words[i] {
			c.words[i], c.at[i] = w, now
		}
	}
}

// Bits is a set of small integers.
type Bits []uint64

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0 }

// ChangedControl is the set of control words that changed within the given time before the newest
// sample.
func (h *History) ChangedControl(within time.Duration) Bits {
	last, _ := h.last()
	set := make(Bits, (len(h.words.at)+63)/64)
	for i, at := range h.words.at {
		if at != never && last.Taken-at <= within {
			set[i>>6] |= 1 << (i & 63)
		}
	}
	return set
}
