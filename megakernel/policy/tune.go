package policy

import "math"

// CheapestMultiplier returns the candidate with the smallest cost, the policy's own multiplier where
// there is none.
func (p *Policy) CheapestMultiplier(candidates []uint32, costs []float64) uint32 {
	return cheapest(candidates, costs, p.HitCapacityMultiplier)
}

// CheapestWidth returns the candidate workgroup size with the smallest cost, the current one where
// there is none.
func CheapestWidth(candidates []uint32, costs []float64, current uint32) uint32 {
	return cheapest(candidates, costs, current)
}

// cheapest pairs candidates with costs and returns the first candidate of the smallest cost under the
// total order of IEEE 754: -0 before +0, and NaN behind all numbers.
func cheapest(candidates []uint32, costs []float64, fallback uint32) uint32 {
	best := -1
	for i := range min(len(candidates), len(costs)) {
		if best < 0 || totalOrder(costs[i]) < totalOrder(costs[best]) {
			best = i
		}
	}
	if best < 0 {
		return fallback
	}
	return candidates[best]
}

// totalOrder maps a float to an integer that orders as IEEE 754 totalOrder does; every NaN is made
// positive, so that none is smaller than a number.
func totalOrder(f float64) int64 {
	if math.IsNaN(f) {
		return math.MaxInt64
	}
	b := int64(math.Float64bits(f))
	return b ^ int64(uint64(b>>63)>>1)
}
