package cases

import (
	"math"

	"vyretop/engine/glsl/tree"
)

// domain changes the operands of one component so that GLSL defines the operation. at gives the
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

// operatorDomain gives the domain of an operator on a component kind (GLSL 4.50 section 5.9).
func operatorDomain(op tree.BinaryOp, k tree.Kind) domain {
	switch {
	case op.IsShift():
		return shiftAmount
	case op == tree.Div && k == tree.KindInt:
		return quotient
	case op == tree.Div && k == tree.KindUint:
		return nonZeroDivisor
	case op == tree.Mod:
		return remainder
	}
	return nil
}

// shiftAmount: by 32 or more bits, or by a negative number, is undefined.
func shiftAmount(at func(int) *uint32) { *at(1) &= 31 }

// nonZeroDivisor: the result of x / 0 is undefined.
func nonZeroDivisor(at func(int) *uint32) {
	if *at(1) == 0 {
		*at(1) = 1
	}
}

// quotient also avoids the quotient that no int holds.
func quotient(at func(int) *uint32) {
	nonZeroDivisor(at)
	if *at(0) == 0x80000000 {
		*at(0)++
	}
}

// remainder: with a negative operand it is undefined.
func remainder(at func(int) *uint32) {
	*at(0) &= 0x7FFFFFFF
	*at(1) &= 0x7FFFFFFF
	nonZeroDivisor(at)
}

// builtinDomains are the domains of built-in functions (GLSL 4.50 section 8).
var builtinDomains = map[tree.BuiltinID]domain{
	tree.FnBitfieldExtract: func(at func(int) *uint32) { field(at(1), at(2)) },
	tree.FnBitfieldInsert:  func(at func(int) *uint32) { field(at(2), at(3)) },
}

// field keeps offset + bits within a word.
func field(offset, bits *uint32) {
	*offset &= 31
	*bits %= 33 - *offset
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
