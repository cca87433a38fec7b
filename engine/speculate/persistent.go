package speculate

import (
	"math"
	"math/bits"
)

// Persistent decides whether one persistent launch is cheaper than a launch for each item of a batch,
// and what it saves, saturating. It is for more than one item, where launches cost something, and where
// what they cost together exceeds the setup.
func Persistent(batch uint32, perLaunch, setup uint64) (persistent bool, saved uint64) {
	hi, lo := bits.Mul64(uint64(batch), perLaunch)
	lo, borrow := bits.Sub64(lo, setup, 0)
	switch {
	case batch <= 1 || hi < borrow || hi == borrow && lo == 0:
		return false, 0
	case hi > borrow:
		return true, math.MaxUint64
	}
	return true, lo
}
