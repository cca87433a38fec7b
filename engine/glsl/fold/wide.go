package fold

import (
	"math"

	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

// The functions of this file are on components of all kinds, one uint64 each: those of 32 bits as in the functions of the
// same names without 64, a double as its IEEE bits, an integer in two's complement.

// Join makes one uint64 of each component of kind k.
func Join(k tree.Kind, words []uint32) []uint64 {
	n := k.Words()
	list := make([]uint64, len(words)/n)
	for i := range list {
		if list[i] = uint64(words[i*n]); n == 2 {
			list[i] = tree.Join(words[2*i:])
		}
	}
	return list
}

// Split is the reverse of Join.
func Split(k tree.Kind, list []uint64) []uint32 {
	words := make([]uint32, 0, len(list)*k.Words())
	for _, v := range list {
		if words = append(words, uint32(v)); k.Words() == 2 {
			words = append(words, uint32(v>>32))
		}
	}
	return words
}

func toDouble(x uint64) float64 { return math.Float64frombits(x) }

func fromDouble(d float64) uint64 { return math.Float64bits(floats.NanD(d)) }

// Unary64 applies op to one component of kind k.
func Unary64(op tree.UnaryOp, k tree.Kind, x uint64) uint64 {
	switch {
	case k.IsNarrow():
		return uint64(Narrow(k, Unary(op, k.Wide(), uint32(x))))
	case k.Words() == 1:
		return uint64(Unary(op, k, uint32(x)))
	case op == tree.Complement:
		return ^x
	case op == tree.Neg && k == tree.KindDouble:
		return fromDouble(floats.NegD(toDouble(x)))
	case op == tree.Neg:
		return -x
	}
	return x
}

// Binary64 applies op to two components of kind k; of a shift y is the amount, of any kind of integer.
func Binary64(op tree.BinaryOp, k tree.Kind, x, y uint64) uint64 {
	switch k {
	case tree.KindDouble:
		return binaryDouble(op, toDouble(x), toDouble(y))
	case tree.KindInt64, tree.KindUint64:
		return binaryInteger(op, k, x, y)
	}
	if k.IsNarrow() {
		return uint64(binaryNarrow(op, k, uint32(x), uint32(y)))
	}
	return uint64(Binary(op, k, uint32(x), uint32(y)))
}

func binaryDouble(op tree.BinaryOp, x, y float64) uint64 {
	switch op {
	case tree.Add:
		return fromDouble(x + y)
	case tree.Sub:
		return fromDouble(x - y)
	case tree.Mul:
		return fromDouble(x * y)
	case tree.Div:
		return fromDouble(floats.DivD(x, y))
	case tree.LessEqual:
		return uint64(fromBool(floats.LessEqualD(x, y)))
	case tree.GreaterEqual:
		return uint64(fromBool(floats.LessEqualD(y, x)))
	}
	return uint64(fromBool(ordered(op, floats.LessD(x, y), floats.EqualD(x, y), floats.LessD(y, x))))
}

// ordered is the result of a comparison of two values of which one of the three is true, or none.
func ordered(op tree.BinaryOp, less, same, greater bool) bool {
	switch op {
	case tree.Less:
		return less
	case tree.Greater:
		return greater
	case tree.LessEqual:
		return less || same
	case tree.GreaterEqual:
		return greater || same
	case tree.Equal:
		return same
	}
	return !same
}

func binaryInteger(op tree.BinaryOp, k tree.Kind, x, y uint64) uint64 {
	switch op {
	case tree.Add:
		return x + y
	case tree.Sub:
		return x - y
	case tree.Mul:
		return x * y
	case tree.Div, tree.Mod:
		return divide(op, k, x, y)
	case tree.ShiftLeft:
		return x << (y & 63)
	case tree.ShiftRight:
		if k == tree.KindInt64 {
			return uint64(int64(x) >> (y & 63))
		}
		return x >> (y & 63)
	case tree.BitAnd:
		return x & y
	case tree.BitOr:
		return x | y
	case tree.BitXor:
		return x ^ y
	}
	if k == tree.KindInt64 {
		return uint64(fromBool(ordered(op, int64(x) < int64(y), x == y, int64(x) > int64(y))))
	}
	return uint64(fromBool(ordered(op, x < y, x == y, x > y)))
}

// divide gives 0 for a divisor of 0, as divUnsigned and its like.
func divide(op tree.BinaryOp, k tree.Kind, x, y uint64) uint64 {
	switch {
	case y == 0:
		return 0
	case op == tree.Div && k == tree.KindInt64:
		return uint64(int64(x) / int64(y))
	case op == tree.Div:
		return x / y
	case k == tree.KindInt64:
		return uint64(int64(x) % int64(y))
	}
	return x % y
}

// Convert64 converts one component.
func Convert64(from, to tree.Kind, x uint64) uint64 {
	switch {
	case from == to:
		return x
	case from.IsNarrow() || to.IsNarrow():
		if x = Convert64(from.Wide(), to.Wide(), x); to.IsNarrow() {
			x = uint64(Narrow(to, uint32(x)))
		}
		return x
	case from.Words() == 1 && to.Words() == 1:
		return uint64(Convert(from, to, uint32(x)))
	case from == tree.KindFloat:
		from, x = tree.KindDouble, fromDouble(floats.ToDouble(toFloat(uint32(x))))
	case from == tree.KindInt && to == tree.KindDouble:
		return fromDouble(floats.FromIntD(int32(x)))
	case from.Words() == 1 && to == tree.KindDouble: // a bool or a uint
		return fromDouble(floats.FromUintD(uint32(x)))
	case from == tree.KindInt:
		from, x = tree.KindInt64, uint64(int64(int32(x)))
	case from.Words() == 1:
		from = tree.KindUint64
	}
	switch {
	case from == to:
		return x
	case from == tree.KindDouble:
		return fromWide(to, toDouble(x))
	case to == tree.KindBool:
		return uint64(fromBool(x != 0))
	case to == tree.KindDouble:
		return fromDouble(floats.FromHalvesD(uint32(x>>32), uint32(x), from == tree.KindInt64))
	case to == tree.KindFloat:
		return uint64(math.Float32bits(floats.FromHalves(uint32(x>>32), uint32(x), from == tree.KindInt64)))
	case to.Words() == 1:
		return uint64(uint32(x))
	}
	return x
}

// fromWide converts a double.
func fromWide(to tree.Kind, d float64) uint64 {
	switch to {
	case tree.KindBool:
		return uint64(fromBool(d != 0))
	case tree.KindInt:
		return uint64(uint32(floats.ToIntD(d)))
	case tree.KindUint:
		return uint64(floats.ToUintD(d))
	case tree.KindInt64:
		return uint64(floats.ToInt64(d))
	case tree.KindUint64:
		return floats.ToUint64(d)
	}
	return uint64(fromFloat(floats.ToFloat(d)))
}
