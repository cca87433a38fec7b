package conformance

import (
	"math"

	"vyretop/engine/glsl/tree"
)

// domain changes the operands of one component so that the language defines the operation. at gives the
// component of operand i; the components of a vector share a scalar operand, so a later change must
// not undo an earlier one.
type domain func(at func(i int) *uint32)

// apply visits the components of a row.
func (d domain) apply(values [][]uint32) {
	width := 0
	for _, v := range values {
		width = max(width, len(v))
	}
	for c := range width {
		d(func(i int) *uint32 { return &values[i][min(c, len(values[i])-1)] })
	}
}

// orderedDomain: clamp is undefined when its bounds are the wrong way round.
func orderedDomain(k tree.Kind) domain {
	return func(at func(int) *uint32) {
		low, high := at(1), at(2)
		if greater(k, *low, *high) {
			*low, *high = *high, *low
		}
	}
}

// greater compares two words of a kind.
func greater(k tree.Kind, x, y uint32) bool {
	switch k {
	case tree.KindFloat:
		return math.Float32frombits(x) > math.Float32frombits(y)
	case tree.KindInt:
		return int32(x) > int32(y)
	}
	return x > y
}
