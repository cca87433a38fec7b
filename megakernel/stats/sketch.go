package stats

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"vyretop/engine/fault"
)

// MaxSketchCounters bounds the memory of a sketch: 512 MiB.
const MaxSketchCounters = 1 << 26

// Sketch is a count-min sketch: it counts keys in a fixed number of counters and never underestimates.
// Each row counts a key in one of its counters; the smallest of them is the estimate.
//
// Source: G. Cormode, S. Muthukrishnan, "An improved data stream summary: the count-min sketch and
// its applications", Journal of Algorithms 55 (2005). The rows hash with splitmix64.
type Sketch struct {
	width    uint64
	counters []uint64 // row by row
}

// NewSketch makes a sketch of depth rows of width counters.
func NewSketch(depth, width uint64) (*Sketch, error) {
	hi, n := bits.Mul64(depth, width)
	if hi > 0 || n == 0 || n > MaxSketchCounters {
		return nil, &fault.Error{
			Kind: ErrSize, Detail: fmt.Sprintf("a sketch of %d rows of %d counters cannot be made", depth, width),
			Fix: fmt.Sprintf("use at least one row of one counter, and at most %d counters in all", MaxSketchCounters),
		}
	}
	return &Sketch{width: width, counters: make([]uint64, n)}, nil
}

// Counters returns a copy of the counters, row by row.
func (s *Sketch) Counters() []uint64 { return slices.Clone(s.counters) }

// Add counts a key n times. A counter that would overflow is ErrCounter, and then nothing is
// counted.
func (s *Sketch) Add(key, n uint64) error {
	for at := range s.rows(key) {
		if s.counters[at] > math.MaxUint64-n {
			return &fault.Error{Kind: ErrCounter, Subject: fmt.Sprintf("sketch counter %d", at), Detail: fmt.Sprintf("%d more do not fit 64 bits", n), Fix: "start a new sketch"}
		}
	}
	for at := range s.rows(key) {
		s.counters[at] += n
	}
	return nil
}

// Estimate is how often a key was counted, or more.
func (s *Sketch) Estimate(key uint64) uint64 {
	least := uint64(math.MaxUint64)
	for at := range s.rows(key) {
		least = min(least, s.counters[at])
	}
	return least
}

// rows goes through the counters of a key.
func (s *Sketch) rows(key uint64) func(yield func(at uint64) bool) {
	return func(yield func(at uint64) bool) {
		for row := uint64(0); row*s.width < uint64(len(s.counters)); row++ {
			if !yield(row*s.width + splitmix64(key^row*golden)%s.width) {
				return
			}
		}
	}
}

// splitmix64 is the finaliser of Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014, with its increment.
func splitmix64(v uint64) uint64 {
	v += golden
	v = (v ^ v>>30) * 0xBF58476D1CE4E5B9
	v = (v ^ v>>27) * 0x94D049BB133111EB
	return v ^ v>>31
}
