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

// TaskRate appends n values: tasks ended per second in each bucket, the last bucket being the one
// that contains end. Buckets start at multiples of their width, so that columns stay put while time
// moves on. Columns for which no samples exist are cells.Absent.
func (h *History) TaskRate(dst []float64, end, bucket time.Duration, n int) []float64 {
	for _, edge := range edges(end, bucket, n) {
		a, b := h.before(edge), h.before(edge+bucket)
		if a == nil || b == nil || b.Taken <= a.Taken {
			dst = append(dst, cells.Absent)
			continue
		}
		dst = append(dst, growth(a.Ended, b.Ended)/(b.Taken-a.Taken).Seconds())
	}
	return dst
}

// Queued appends n values: tasks waiting at the end of each bucket, laid out as by TaskRate.
func (h *History) Queued(dst []float64, end, bucket time.Duration, n int) []float64 {
	for _, edge := range edges(end, bucket, n) {
		if s := h.before(edge + bucket); s != nil && s.Taken >= edge {
			dst = append(dst, float64(s.Queued))
		} else {
			dst = append(dst, cells.Absent)
		}
	}
	return dst
}

// edges yields the index and the start of each of the n buckets up to the one that contains end.
func edges(end, bucket time.Duration, n int) func(func(int, time.Duration) bool) {
	first := end/bucket - time.Duration(n-1)
	return func(yield func(int, time.Duration) bool) {
		for i := range n {
			if !yield(i, (first+time.Duration(i))*bucket) {
				return
			}
		}
	}
}

// before is the newest sample taken before t, or nil.
func (h *History) before(t time.Duration) *Sample {
	if h.count == 0 || h.at(h.count-1).Taken >= t {
		return nil
	}
	return h.at(h.index(t - 1))
}

// Top is a round number not below any of the values and at least 1: the scale of a chart. It moves
// in steps of 1, 2 and 5, so that the chart does not jump with every new value.
func Top(values []float64) float64 {
	peak := 1.0
	for _, v := range values {
		peak = max(peak, v)
	}
	decade := math.Pow(10, math.Floor(math.Log10(peak)))
	for _, m := range []float64{1, 2, 5} {
		if m*decade >= peak {
			return m * decade
		}
	}
	return 10 * decade
}
