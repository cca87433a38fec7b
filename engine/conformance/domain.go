package conformance

import (
	"math"

	"vyretop/engine/glsl/tree"
)

// domain changes the operands of one component so that the language defines the operation. at gives the
// component of operand i; the components of a vector share a scalar operand, so a later change must
// not undo an earlier one.
type domain func(at func(i int) *uint64)

// apply visits the components of a row.
func (d domain) apply(values [][]uint64) {
	width := 0
	for _, v := range values {
		width = max(width, len(v))
	}
	for c := range width {
		d(func(i int) *uint64 { return &values[i][min(c, len(values[i])-1)] })
	}
}

// orderedDomain: clamp is undefined when its bounds are the wrong way round.
func orderedDomain(k tree.Kind) domain {
	return func(at func(int) *uint64) {
		low, high := at(1), at(2)
		if greater(k, *low, *high) {
			*low, *high = *high, *low
		}
	}
}

// greater compares two components of a kind.
func greater(k tree.Kind, x, y uint64) bool {
	switch k {
	case tree.KindFloat:
		return math.Float32frombits(uint32(x)) > math.Float32frombits(uint32(y))
	case tree.KindDouble:
		return math.Float64frombits(x) > math.Float64frombits(y)
	case tree.KindInt:
		return int32(x) > int32(y)
	case tree.KindInt64:
		return int64(x) > int64(y)
	}
	return x > y
}
