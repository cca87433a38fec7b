package stats

import (
	"math/bits"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Wait is how long tasks of a priority wait to be claimed.
type Wait struct {
	Waiting int           `json:"waiting"`          // tasks, in the newer snapshot
	Mean    time.Duration `json:"mean_ns,omitzero"` // by Little's law; 0 where none was served, or none waited
	Ages    *Ages         `json:"ages,omitempty"`   // nil without an Observer, and where none waits
}

// Ages are quantiles of how long the tasks that wait now have waited so far.
type Ages struct {
	P50    time.Duration `json:"p50_at_most_ns"`
	P90    time.Duration `json:"p90_at_most_ns"`
	P99    time.Duration `json:"p99_at_most_ns"`
	Oldest time.Duration `json:"oldest_ns"` // by the snapshots, so up to the time between two of them too little
}

// waiting counts the tasks that may be claimed, by priority.
func waiting(s *megakernel.Snapshot) (n [tasks.NumPriorities]int) {
	for i := range s.NumSlots() {
		if p, ok := waitsAs(s.Slot(i)); ok {
			n[p]++
		}
	}
	return n
}

// waitsAs is the priority of a task that may be claimed.
func waitsAs(slot *[tasks.SlotWords]uint32) (p uint32, ok bool) {
	p = slot[tasks.WordPriority]
	return p, tasks.State(slot[tasks.WordState]).Schedulable() && p < tasks.NumPriorities
}

// waits applies Little's law to the tasks of each priority.
func (m *OccupancySample) waits(earlier *OccupancySample) (out [tasks.NumPriorities]Wait) {
	over := m.Taken - earlier.Taken
	for p := range out {
		out[p].Waiting = m.Waiting[p]
		// The device counts in 32 bits; the difference is right all the same.
		served := uint32(m.Served[p]) - uint32(earlier.Served[p])
		if served > 0 && over > 0 {
			out[p].Mean = time.Duration(float64(earlier.Waiting[p]+m.Waiting[p]) / 2 * float64(over) / float64(served))
		}
	}
	return out
}

// Observer follows a target from snapshot to snapshot. It is not safe for concurrent use.
type Observer struct {
	last  *megakernel.Snapshot
	slots []visit
}

// visit is a task's wait in a slot: since when it has been seen there, unclaimed.
type visit struct {
	task, turns uint32 // turns: how often it had run
	since       time.Duration
	waits       bool
}

// Observe compares a snapshot with the one before; nil for the first, and where time went back or stood still.
func (o *Observer) Observe(s *megakernel.Snapshot) *Occupancy {
	if o.last == nil || s.Taken <= o.last.Taken {
		o.last, o.slots = s, nil
		o.follow(s)
		return nil
	}
	ages := o.follow(s)
	r := OccupancyBetween(o.last, s)
	for p := range r.Waits {
		r.Waits[p].Ages = ages[p].quantiles(r.Over)
	}
	o.last = s
	return r
}

// follow brings the visits up to date, and collects the ages of those that continue.
func (o *Observer) follow(s *megakernel.Snapshot) (ages [tasks.NumPriorities]histogram) {
	n := s.NumSlots()
	if len(o.slots) != n {
		o.slots = make([]visit, n)
	}
	for i := range n {
		w, v := s.Slot(i), &o.slots[i]
		p, waits := waitsAs(w)
		now := visit{w[tasks.WordTaskID], w[tasks.WordYieldCount] + w[tasks.WordRequeueCount], s.Taken, waits}
		if waits && v.waits && v.task == now.task && v.turns == now.turns {
			now.since = v.since
		}
		if *v = now; waits && o.last != nil {
			ages[p].add(s.Taken-now.since, s.Taken-o.last.Taken)
		}
	}
	return ages
}

// histogram counts ages by powers of two of the time between snapshots.
type histogram struct {
	counts [64]int
	n      int
	oldest time.Duration
}

func (h *histogram) add(age, interval time.Duration) {
	h.counts[bits.Len64(uint64(max(age, 0)/max(interval, 1)))]++
	h.n++
	h.oldest = max(h.oldest, age)
}

func (h *histogram) quantiles(interval time.Duration) *Ages {
	if h.n == 0 {
		return nil
	}
	return &Ages{P50: h.quantile(0.5, interval), P90: h.quantile(0.9, interval), P99: h.quantile(0.99, interval), Oldest: h.oldest}
}

// quantile is an upper bound: the end of the bucket where it is.
func (h *histogram) quantile(q float64, interval time.Duration) time.Duration {
	below := 0
	for i, n := range h.counts {
		if below += n; n > 0 && float64(below) >= q*float64(h.n) {
			return time.Duration(1<<i) * interval
		}
	}
	return h.oldest
}
