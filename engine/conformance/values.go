package conformance

import (
	"math/rand/v2"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

var noPos source.Pos

// specials are the values of a component where operations have their corners.
var specials = [...][]uint64{
	tree.KindBool: {0, 1},
	tree.KindInt: {0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 255, 0xFFFF, 0x10000, 0x7FFFFFFE, 0x7FFFFFFF,
		0x80000000, 0x80000001, 0xFFFF0000, 0xFFFFFFE0, 0xFFFFFFF9, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF},
	tree.KindUint: {0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 255, 0xFFFF, 0x10000, 0x00FFFFFF, 0x01000001,
		0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF0000, 0xFFFFFF00, 0xFFFFFFFE, 0xFFFFFFFF},
	tree.KindFloat: {
		0x00000000, 0x80000000, // zeros
		0x3F800000, 0xBF800000, 0x3F000000, 0xBF000000, 0x3FC00000, 0xC0200000, // 1 -1 0.5 -0.5 1.5 -2.5
		0x3F7FFFFF, 0x3F800001, 0x3EFFFFFF, // neighbors of 1 and 0.5
		0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, // denormals and the smallest normals
		0x7F7FFFFF, 0xFF7FFFFF, 0x7F000000, // the largest
		0x4B000000, 0x4B000001, 0x4EFFFFFF, 0xCF000000, 0x4F7FFFFF, // 2^23, 2^31 and 2^32 and neighbors
		0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, // infinities and NaNs
		0x40490FDB, 0x3DCCCCCD, 0xC2F6E979, // pi 0.1 -123.456
	},
	tree.KindDouble: {
		0x0000000000000000, 0x8000000000000000, // zeros
		0x3FF0000000000000, 0xBFF0000000000000, 0x3FE0000000000000, 0x3FF8000000000000, 0xC004000000000000, // 1 -1 0.5 1.5 -2.5
		0x3FEFFFFFFFFFFFFF, 0x3FF0000000000001, // neighbors of 1
		0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000, // denormals and the smallest normal
		0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, // the largest
		0x4330000000000001, 0x41DFFFFFFFC00000, 0xC1E0000000000000, 0x43E0000000000000, 0x43EFFFFFFFFFFFFF, // 2^52, 2^31, 2^63, 2^64 and neighbors
		0x36A0000000000000, 0x369FFFFFFFFFFFFF, 0x47EFFFFFF0000000, // where floats become denormal, 0 and infinite
		0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000012345, // infinities and NaNs
		0x400921FB54442D18, 0x3FB999999999999A, // pi 0.1
	},
	tree.KindInt64: {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x001FFFFFFFFFFFFF, 0x0020000000000001, 0x8000004000000001,
		0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0x8000000000000001, 0xFFFFFFFF00000000, 0xFFFFFFFF80000000, 0xFFFFFFFFFFFFFFF9, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF},
	tree.KindUint64: {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x001FFFFFFFFFFFFF, 0x0020000000000001, 0x8000008000000000,
		0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFF7FFFFFFFFF, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF},
}

// picker chooses operands: all combinations of the special values of the first two operands, then
// special and random words mixed.
type picker struct {
	types []*tree.Type
	r     *rand.Rand
}

func newPicker(types []*tree.Type, r *rand.Rand) *picker { return &picker{types, r} }

// componentShift makes the components of a vector differ within a row.
const componentShift = 7

// row gives the components of each operand of a row.
func (p *picker) row(n int) [][]uint64 {
	values := make([][]uint64, len(p.types))
	for i, t := range p.types {
		values[i] = make([]uint64, t.Width)
		for c := range values[i] {
			values[i][c] = p.component(t.Kind, n+componentShift*c, i)
		}
	}
	return values
}

// component picks one component of operand i.
func (p *picker) component(k tree.Kind, n, i int) uint64 {
	first, list := len(specials[p.types[0].Kind]), specials[k]
	switch {
	case i == 0 && n < first*p.pairs():
		return list[n%first]
	case i == 1 && n < first*p.pairs():
		return list[n/first]
	case p.r.IntN(3) == 0:
		return list[p.r.IntN(len(list))]
	}
	if k.Words() == 2 {
		return p.random64(k)
	}
	return uint64(p.random(k))
}

// random64 is random for components of 64 bits.
func (p *picker) random64(k tree.Kind) uint64 {
	v := p.r.Uint64()
	switch {
	case p.r.IntN(2) == 0:
		return v
	case k == tree.KindDouble:
		return v&0x803FFFFFFFFFFFFF | 0x3FC0000000000000 // 2^-3 to 2 and their negatives
	default:
		return uint64(int64(v) >> p.r.IntN(64))
	}
}

// pairs is by how many values of the second operand each value of the first is repeated.
func (p *picker) pairs() int {
	if len(p.types) < 2 {
		return 1
	}
	return len(specials[p.types[1].Kind])
}

// random makes a word. Random bits are seldom near each other as floats or small as integers, so
// half of them are made so.
func (p *picker) random(k tree.Kind) uint32 {
	w := p.r.Uint32()
	switch {
	case k == tree.KindBool:
		return w & 1
	case p.r.IntN(2) == 0:
		return w
	case k == tree.KindFloat:
		return w&0x81FFFFFF | 0x3E000000 // 2^-3 to 2 and their negatives
	default:
		return uint32(int32(w) >> p.r.IntN(32))
	}
}
