package history

import (
	"math"
	"time"

	"vyretop/tui/cells"
)

// Buckets are the widths of one column of a chart that BucketFor chooses from.
var Buckets = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond}

// BucketFor is the smallest bucket with which n columns show everything since the launch, so that a
// short run fills the chart too; a longer run shows its newest part in the largest buckets.
func BucketFor(end time.Duration, n int) time.Duration {
	for _, b := range Buckets {
		if time.Duration(n)*b >= end {
			return b
		}
	}
	return Buckets[len(Buckets)-1]
}

// gap is the longest time between two samples over which a chart is drawn through.
const gap = 2 * time.Second

// smooth is the shortest time over which a rate is averaged; finer ones show single tasks as spikes.
const smooth = 200 * time.Millisecond

// TaskRate appends n values: tasks ended per second up to the end of each bucket, averaged over the
// bucket or over smooth, whichever is longer, the last bucket being the one that contains end. Between samples the count is taken to grow evenly. Buckets start at multiples
// of their width, so that columns stay put while time moves on. Columns for which no samples exist
// are cells.Absent.
func (h *History) TaskRate(dst []float64, end, bucket time.Duration, n int) []float64 {
	from, to := h.cursor(), h.cursor()
	return h.series(&h.rates, dst, end, bucket, n, func(edge time.Duration) float64 {
		return h.rate(&from, &to, edge-max(bucket, smooth), edge)
	})
}

// settledColumns is how many columns of a chart are kept.
const settledColumns = 1024

// settled are the columns of a chart that no later sample changes, so that a frame computes but the newest ones. The zero
// value has none.
type settled struct {
	bucket   time.Duration
	from, to int64 // numbers of the buckets that are kept
	values   [settledColumns]float64
}

// series appends the values of n buckets, of which the last contains end; value is asked for those that are not known yet,
// by the times at which they end.
func (h *History) series(s *settled, dst []float64, end, bucket time.Duration, n int, value func(edge time.Duration) float64) []float64 {
	last := int64(end / bucket)
	first := last - int64(n) + 1
	if s.bucket != bucket || first < s.from || first > s.to {
		s.bucket, s.from, s.to = bucket, first, first
	}
	newest, _ := h.last()
	for b := first; b <= last; b++ {
		if b < s.to {
			dst = append(dst, s.values[uint64(b)%settledColumns])
			continue
		}
		edge := time.Duration(b+1) * bucket
		v := value(edge)
		if dst = append(dst, v); b == s.to && edge <= newest.Taken {
			s.values[uint64(b)%settledColumns] = v
			s.to, s.from = b+1, max(s.from, b+1-settledColumns)
		}
	}
	return dst
}

// cursor finds samples at times that only move forward, without searching for each.
type cursor struct {
	h *History
	i int // the newest sample not after the last time asked for, or the oldest
}

func (h *History) cursor() cursor { return cursor{h: h, i: h.count - 1} }

// seek is h.index(t) for a t not before the last one.
func (c *cursor) seek(t time.Duration) int {
	if c.i == c.h.count-1 { // the first snapshots are before or far behind the oldest sample
		c.i = c.h.index(t)
	}
	for c.i > 0 && c.h.at(c.i-1).Taken <= t {
		c.i--
	}
	return c.i
}

// rate is the mean rate between two snapshots, or cells.Absent.
func (h *History) rate(c, d *cursor, from, to time.Duration) float64 {
	last, _ := h.last()
	to = min(to, last.Taken)
	if h.count > 0 {
		from = max(from, h.at(h.count-1).Taken)
	}
	if to <= from {
		return cells.Absent
	}
	a, okA := h.endedAt(c, from)
	b, okB := h.endedAt(d, to)
	if !okA || !okB {
		return cells.Absent
	}
	return max(b-a, 0) / (to - from).Seconds()
}

// endedAt is the number of tasks that had ended at t, interpolated between the samples around it.
func (h *History) endedAt(c *cursor, t time.Duration) (float64, bool) {
	if h.count == 0 || t < h.at(h.count-1).Taken {
		return 0, false
	}
	i := c.seek(t)
	a := h.at(i)
	if i == 0 || a.Taken == t {
		return float64(a.Ended), a.Taken == t
	}
	b := h.at(i - 1)
	if b.Taken-a.Taken > gap {
		return 0, false
	}
	part := float64(t-a.Taken) / float64(b.Taken-a.Taken)
	return float64(a.Ended) + part*growth(a.Ended, b.Ended), true
}

// Queued appends n values: tasks waiting at the end of each bucket, laid out as by TaskRate.
func (h *History) Queued(dst []float64, end, bucket time.Duration, n int) []float64 {
	c := h.cursor()
	return h.series(&h.queues, dst, end, bucket, n, func(edge time.Duration) float64 {
		if s := h.before(&c, edge); s != nil && edge-bucket-s.Taken < gap {
			return float64(s.Queued)
		}
		return cells.Absent
	})
}

// before is the newest sample taken before t, or nil.
func (h *History) before(c *cursor, t time.Duration) *Sample {
	if h.count == 0 || h.at(h.count-1).Taken >= t {
		return nil
	}
	return h.at(c.seek(t - 1))
}

// Top is a round number not below any of the values and at least 1: the scale of a chart. It moves
// in steps of 1, 2 and 5, so that the chart does not jump with every new value.
func Top(values []float64) float64 {
	peak := 1.0
	for _, v := range values {
		if v > peak {
			peak = v
		}
	}
	decade := math.Pow(10, math.Floor(math.Log10(peak)))
	for _, m := range []float64{1, 2, 5} {
		if m*decade >= peak {
			return m * decade
		}
	}
	return 10 * decade
}
