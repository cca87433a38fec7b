package stats

import (
	"cmp"
	"math"
	"slices"
	"time"

	"vyretop/megakernel"
)

// OpTimes collects how long activations take on the device, by opcode, from records of the log. Records hold the passes of workers, which
// are placed between two snapshots: a time is as exact as these are close. The zero value is ready.
type OpTimes struct {
	teller    Teller
	by        map[uint32]*opTimes
	snapshots int
	from, to  time.Duration
	lost      uint64
}

// subBuckets part each power of two of a histogram, so that a quantile is at most a twelfth too high.
const subBuckets = 8

type opTimes struct {
	counts  [64 * subBuckets]uint64
	n       uint64
	sum     time.Duration
	longest time.Duration
}

// Log takes records that were read since the newest snapshot.
func (o *OpTimes) Log(records []megakernel.LogRecord) { o.teller.Log(records, o.take) }

// Snapshot takes the next snapshot.
func (o *OpTimes) Snapshot(s *megakernel.Snapshot) {
	if o.snapshots == 0 {
		o.from = s.Taken
	}
	o.snapshots++
	o.to = s.Taken
	o.teller.Snapshot(s, o.take)
}

func (o *OpTimes) take(l *SpanLine) {
	o.lost += l.Lost
	took := l.End - l.Begin
	if l.Kind != Activation || o.snapshots < 2 || took <= 0 { // of passes outside of the interval no time is known
		return
	}
	if o.by == nil {
		o.by = map[uint32]*opTimes{}
	}
	t := o.by[l.Opcode]
	if t == nil {
		t = &opTimes{}
		o.by[l.Opcode] = t
	}
	t.counts[bucket(took)]++
	t.n++
	t.sum += took
	t.longest = max(t.longest, took)
}

// bucket is the number of the bucket of a time, and below gives the least time that is above it.
func bucket(d time.Duration) int {
	if d < subBuckets {
		return int(max(d, 0))
	}
	e := int(math.Log2(float64(d)))
	if time.Duration(1)<<e > d {
		e--
	}
	part := int((d - time.Duration(1)<<e) * subBuckets >> e)
	return e*subBuckets + part
}

func below(i int) time.Duration {
	if i < subBuckets {
		return time.Duration(i + 1)
	}
	e, part := i/subBuckets, i%subBuckets
	return time.Duration(1)<<e + (time.Duration(part+1)<<e)/subBuckets
}

// OpTime is how long the activations of an opcode took.
type OpTime struct {
	Opcode    uint32        `json:"opcode"`
	Name      string        `json:"name,omitempty"`
	Count     uint64        `json:"activations"`
	Total     time.Duration `json:"total_ns"`
	Mean      time.Duration `json:"mean_ns"`
	P50       time.Duration `json:"p50_at_most_ns"`
	P90       time.Duration `json:"p90_at_most_ns"`
	P99       time.Duration `json:"p99_at_most_ns"`
	Longest   time.Duration `json:"longest_ns"`
	Histogram []TimeCount   `json:"histogram"` // by powers of two, those with activations
}

// TimeCount is how many activations took less than a time, and at least half of it.
type TimeCount struct {
	Below time.Duration `json:"below_ns"`
	Count uint64        `json:"activations"`
}

// Span is from when to when the times were collected, and Lost how many records were missing.
func (o *OpTimes) Span() (from, to time.Duration, lost uint64) { return o.from, o.to, o.lost }

// Table lists the opcodes, the one with the most time first.
func (o *OpTimes) Table(names map[uint32]string) []OpTime {
	list := []OpTime{}
	for op, t := range o.by {
		name := names[op]
		if own, ok := megakernel.OpcodeName(op); name == "" && ok {
			name = own
		}
		list = append(list, OpTime{
			Opcode: op, Name: name, Count: t.n, Total: t.sum, Mean: t.sum / time.Duration(t.n),
			P50: t.quantile(0.5), P90: t.quantile(0.9), P99: t.quantile(0.99), Longest: t.longest, Histogram: t.histogram(),
		})
	}
	slices.SortFunc(list, func(a, b OpTime) int { return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Opcode, b.Opcode)) })
	return list
}

// quantile is a time that a share of the activations does not exceed.
func (t *opTimes) quantile(q float64) time.Duration {
	want, seen := uint64(math.Ceil(q*float64(t.n))), uint64(0)
	for i, n := range t.counts {
		if seen += n; n > 0 && seen >= want {
			return min(below(i), t.longest)
		}
	}
	return t.longest
}

func (t *opTimes) histogram() (list []TimeCount) {
	for e := range 64 {
		n := uint64(0)
		for _, c := range t.counts[e*subBuckets:][:subBuckets] {
			n += c
		}
		if n > 0 {
			list = append(list, TimeCount{time.Duration(1) << min(e+1, 62), n})
		}
	}
	return list
}
