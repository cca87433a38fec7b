// Package history derives what no single snapshot says: rates, ages, changes and the recent past
// as series for charts. It is pure: it sees snapshots in the order they were taken and knows no
// clock but theirs, so that a live target and a replayed recording give the same numbers.
//
// Memory is bounded: at most MaxSamples samples and one small record per worker and control word.
// After a snapshot that is older than the one before, which is what a seek backwards in a recording
// gives, the history is what it was at that time.
//
// # Spans
//
// Spans are kept of when workers ran what, so that it can be drawn at any scale: from a few microseconds a column to the
// whole run on one screen.
//
// What is kept is what megakernel/stats tells, as the trace export writes it. Memory is bounded, about 20 MiB: of the first
// MaxWorkers workers the newest spans, at least MaxSpans in all, and of the whole run two overviews, one of fineCells cells for all
// workers together and one of coarseCells cells a worker, which is there to be drawn fast. A cell is 1 ms and 100 ms long at first,
// and becomes twice as long each time the run has used up the cells. Where spans are gone the fine overview is drawn.
package history

import (
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// MaxSamples bounds the samples kept; older ones are dropped.
const MaxSamples = 8192

// chunkSamples is for how many of them memory is taken at once.
const chunkSamples = 128

// RateWindow is the span over which rates are averaged, so that digits can be read.
const RateWindow = time.Second

// ProgressWindow is the span over which the rate of the workload's own progress is averaged: the time left is made of it,
// and should not jump.
const ProgressWindow = 5 * time.Second

// Sample is what is kept of one snapshot.
type Sample struct {
	Taken       time.Duration
	Seq         uint64
	Ended       uint64 // tasks done or faulted since launch
	Activations uint64
	Progress    uint64 // work done, in the workload's unit
	Queued      int    // tasks waiting to be claimed, in the ring and in the inbox
	Lanes       uint64 // lanes filled by all claims
	Claims      uint64
	Tenants     [megakernel.Tenants]uint32  // activations served, by tenant; they wrap
	Served      [tasks.NumPriorities]uint32 // and by priority
}

// History is the recent past of one target. The zero value is ready; it is not safe for concurrent
// use.
type History struct {
	ring    [MaxSamples / chunkSamples]*[chunkSamples]Sample // memory comes as it is needed
	count   int                                              // samples kept
	next    int                                              // where the next one goes
	workers []workerPast
	lanes   uint64 // running sums over all workers, free of the wrap of their 32-bit words
	claims  uint64
	words   Changes

	occupied occupied

	rates, queues settled // columns of the charts
}

// Add takes in the next snapshot. Workers are its decoded records and queued the number of tasks
// that wait to be claimed. Adding the same snapshot twice has no effect.
func (h *History) Add(s *megakernel.Snapshot, workers []megakernel.Worker, queued int) {
	if last, ok := h.last(); ok {
		if s.Seq == last.Seq && s.Taken == last.Taken {
			return
		}
		if s.Taken < last.Taken || s.Seq < last.Seq {
			h.rewind(s.Taken)
		}
	}
	h.observeWorkers(s.Taken, workers)
	h.words.Observe(s.Taken, s.Control)
	sample := Sample{
		Taken: s.Taken, Seq: s.Seq, Queued: queued,
		Ended:       s.Counters[megakernel.CountDone] + s.Counters[megakernel.CountFaulted],
		Activations: s.Counters[megakernel.CountActivations],
		Progress:    uint64(max(s.Progress.Done, 0)),
		Lanes:       h.lanes, Claims: h.claims,
	}
	copy(sample.Tenants[:], s.Control[min(megakernel.CtrlTenantFair0, len(s.Control)):])
	copy(sample.Served[:], s.Control[min(megakernel.CtrlPriorityFair0, len(s.Control)):])
	h.push(sample)
}

// rewind forgets everything from t on. What it remembers of single workers and words is newer than
// t, so that goes as a whole.
func (h *History) rewind(t time.Duration) {
	for h.count > 0 && h.at(0).Taken >= t {
		h.next = (h.next - 1 + MaxSamples) % MaxSamples
		h.count--
	}
	last, _ := h.last()
	h.lanes, h.claims = last.Lanes, last.Claims
	h.workers, h.words, h.occupied = nil, Changes{}, occupied{}
	h.rates, h.queues = settled{}, settled{}
}

func (h *History) push(s Sample) {
	chunk := &h.ring[h.next/chunkSamples]
	if *chunk == nil {
		*chunk = new([chunkSamples]Sample)
	}
	(*chunk)[h.next%chunkSamples] = s
	h.next = (h.next + 1) % MaxSamples
	h.count = min(h.count+1, MaxSamples)
}

// at is the i-th newest sample, 0 being the newest.
func (h *History) at(i int) *Sample {
	at := (h.next - 1 - i + 2*MaxSamples) % MaxSamples
	return &h.ring[at/chunkSamples][at%chunkSamples]
}

func (h *History) last() (Sample, bool) {
	if h.count == 0 {
		return Sample{}, false
	}
	return *h.at(0), true
}

// Stats are averages over the last RateWindow. A value that cannot be known is absent: its Known
// flag is false.
type Stats struct {
	RatesKnown           bool
	TasksPerSecond       float64
	ActivationsPerSecond float64
	SnapshotsPerSecond   float64
	ProgressPerSecond    float64 // over the last ProgressWindow, in the workload's unit
	OccupancyKnown       bool
	LanesPerClaim        float64 // mean number of lanes that a claim filled
}

// Stats computes the averages that end at the newest sample.
func (h *History) Stats() Stats {
	var st Stats
	if h.count < 2 {
		return st
	}
	now := h.at(0)
	then := h.at(h.index(now.Taken - RateWindow))
	span := (now.Taken - then.Taken).Seconds()
	if span > 0 {
		st.RatesKnown = true
		st.TasksPerSecond = growth(then.Ended, now.Ended) / span
		st.ActivationsPerSecond = growth(then.Activations, now.Activations) / span
		st.SnapshotsPerSecond = growth(then.Seq, now.Seq) / span
	}
	if early := h.at(h.index(now.Taken - ProgressWindow)); now.Taken > early.Taken {
		st.ProgressPerSecond = growth(early.Progress, now.Progress) / (now.Taken - early.Taken).Seconds()
	}
	if claims := growth(then.Claims, now.Claims); claims > 0 {
		st.OccupancyKnown = true
		st.LanesPerClaim = growth(then.Lanes, now.Lanes) / claims
	}
	return st
}

// growth is b-a for counters that only grow; a counter that went back, which a broken kernel can
// do, has not grown.
func growth(a, b uint64) float64 {
	if b < a {
		return 0
	}
	return float64(b - a)
}

// index is the newest sample taken at or before t, or the oldest one.
func (h *History) index(t time.Duration) int {
	lo, hi := 0, h.count-1
	for lo < hi {
		mid := (lo + hi) / 2
		if h.at(mid).Taken <= t {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
