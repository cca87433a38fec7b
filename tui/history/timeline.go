package history

import (
	"slices"
	"time"

	"vyretop/megakernel"
)

// Bounds of the time lines: how many workers, and how many columns of how long.
const (
	TimelineWorkers = 256
	TimelineBucket  = 100 * time.Millisecond
	timelineColumns = 1024
)

// maxOps bounds the opcodes that are told apart in the time lines.
const maxOps = 64

// Seen is what a worker was last seen doing in one span of time; the zero value means that nothing
// is known. Otherwise it is an idle, paused or absent worker, or one that ran an opcode.
type Seen uint8

// What a worker can be seen doing besides running.
const (
	SeenNothing Seen = iota
	SeenAbsent
	SeenIdle
	SeenPaused
	SeenOther // runs an opcode that came too late to be told apart
	seenOps   // and above: runs the opcode with index Seen-seenOps
)

// Op is the index of the opcode in History.Ops; ok is false when none runs.
func (s Seen) Op() (index int, ok bool) { return int(s) - int(seenOps), s >= seenOps }

// timeline remembers what each of the first workers was last seen doing in each span of time.
type timeline struct {
	buckets [timelineColumns]int64   // by column: number of the bucket plus one, 0 when unused
	rows    []*[timelineColumns]Seen // by worker
	ops     []uint32                 // opcodes in the order in which they were first seen
}

func (t *timeline) observe(now time.Duration, workers []megakernel.Worker) {
	bucket := int64(now/TimelineBucket) + 1
	column := bucket % timelineColumns
	workers = workers[:min(len(workers), TimelineWorkers)]
	for len(t.rows) < len(workers) {
		t.rows = append(t.rows, new([timelineColumns]Seen))
	}
	if t.buckets[column] != bucket {
		t.buckets[column] = bucket
		for _, row := range t.rows {
			row[column] = SeenNothing
		}
	}
	for i := range workers {
		// One that ran at any moment of the span did: idleness between two tasks is no news.
		if s, old := t.seen(&workers[i]), &t.rows[i][column]; s > SeenIdle || *old <= SeenIdle {
			*old = s
		}
	}
}

func (t *timeline) seen(w *megakernel.Worker) Seen {
	switch w.State {
	case megakernel.WorkerAbsent:
		return SeenAbsent
	case megakernel.WorkerPaused:
		return SeenPaused
	case megakernel.WorkerRunning:
		return t.running(w.Opcode)
	default:
		return SeenIdle
	}
}

func (t *timeline) running(op uint32) Seen {
	i := slices.Index(t.ops, op)
	switch {
	case i >= 0:
	case len(t.ops) < maxOps:
		i = len(t.ops)
		t.ops = append(t.ops, op)
	default:
		return SeenOther
	}
	return seenOps + Seen(i)
}

// Ops are the opcodes that workers were seen running, in the order in which they first were.
func (h *History) Ops() []uint32 { return h.timeline.ops }

// TimelineReach is how far back the time lines go.
const TimelineReach = timelineColumns * TimelineBucket

// Timeline appends what a worker was seen doing in the n spans up to the one that contains end.
// A span is a multiple of TimelineBucket and starts at a multiple of itself.
func (h *History) Timeline(dst []Seen, worker int, end, span time.Duration, n int) []Seen {
	per := max(int64(span/TimelineBucket), 1)
	last := int64(end/TimelineBucket) / per
	for b := last - int64(n) + 1; b <= last; b++ {
		dst = append(dst, h.timeline.span(worker, b*per+1, per))
	}
	return dst
}

// span merges the buckets from number first on: the newest that ran or was paused counts, else the
// newest.
func (t *timeline) span(worker int, first, n int64) Seen {
	out := SeenNothing
	if worker >= len(t.rows) {
		return out
	}
	row := t.rows[worker]
	for b := max(first, 1); b < first+n; b++ {
		column := uint64(b) % timelineColumns
		if s := row[column]; s != SeenNothing && (s > SeenIdle || out <= SeenIdle) && t.buckets[column] == b {
			out = s
		}
	}
	return out
}
