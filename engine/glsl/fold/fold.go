// Package fold owns the value of every operation of the kernel language on single 32-bit
// components: what the checker uses to fold constant expressions, and the definition that a backend
// is compared with. Package floats defines what it does with floats. A component is a uint32: the
// two's complement bits of an int, the IEEE bits of a float, 0 or 1 for a bool.
//
// Where GLSL leaves a result undefined it is defined here: x/0 and x%0 are 0; the smallest int
// divided by -1 is itself, with remainder 0; shift amounts count modulo 32; a float converts to an
// integer toward zero, saturating, and NaN converts to 0; a computed NaN is 0x7FC00000.
package fold

import (
	"math"

	"vyretop/engine/glsl/floats"
	"vyretop/engine/glsl/tree"
)

const canonicalNaN = 0x7FC00000

func toFloat(x uint32) float32 { return math.Float32frombits(x) }

func fromFloat(f float32) uint32 {
	if f != f {
		return canonicalNaN
	}
	return math.Float32bits(f)
}

// computed makes the NaN of a computed float canonical; other components pass.
func computed(k tree.Kind, x uint32) uint32 {
	if k == tree.KindFloat {
		return fromFloat(toFloat(x))
	}
	return x
}

func fromBool(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Unary applies op to one component of kind k.
func Unary(op tree.UnaryOp, k tree.Kind, x uint32) uint32 {
	switch {
	case op == tree.Not:
		return x ^ 1
	case op == tree.Complement:
		return ^x
	case op == tree.Neg && k == tree.KindFloat:
		return computed(k, x^1<<31)
	case op == tree.Neg:
		return -x
	default:
		return x
	}
}

// Binary applies op to two components of kind k; comparisons give 0 or 1. For shifts k is the kind
// of x. LogicalXor and the equality operators take bools too.
func Binary(op tree.BinaryOp, k tree.Kind, x, y uint32) uint32 {
	if f := binaryTable[k][op]; f != nil {
		return f(x, y)
	}
	return 0
}

type binaryFunc = func(x, y uint32) uint32

var binaryTable = [...][tree.LogicalXor + 1]binaryFunc{
	tree.KindBool:  {tree.Equal: equal, tree.NotEqual: notEqual, tree.LogicalXor: notEqual},
	tree.KindInt:   signedTable,
	tree.KindUint:  unsignedTable,
	tree.KindFloat: floatTable,
}

func equal(x, y uint32) uint32    { return fromBool(x == y) }
func notEqual(x, y uint32) uint32 { return fromBool(x != y) }

var unsignedTable = [tree.LogicalXor + 1]binaryFunc{
	tree.Add:          func(x, y uint32) uint32 { return x + y },
	tree.Sub:          func(x, y uint32) uint32 { return x - y },
	tree.Mul:          func(x, y uint32) uint32 { return x * y },
	tree.Div:          divUnsigned,
	tree.Mod:          modUnsigned,
	tree.ShiftLeft:    func(x, y uint32) uint32 { return x << (y & 31) },
	tree.ShiftRight:   func(x, y uint32) uint32 { return x >> (y & 31) },
	tree.BitAnd:       func(x, y uint32) uint32 { return x & y },
	tree.BitOr:        func(x, y uint32) uint32 { return x | y },
	tree.BitXor:       func(x, y uint32) uint32 { return x ^ y },
	tree.Less:         func(x, y uint32) uint32 { return fromBool(x < y) },
	tree.Greater:      func(x, y uint32) uint32 { return fromBool(x > y) },
	tree.LessEqual:    func(x, y uint32) uint32 { return fromBool(x <= y) },
	tree.GreaterEqual: func(x, y uint32) uint32 { return fromBool(x >= y) },
	tree.Equal:        equal,
	tree.NotEqual:     notEqual,
}

// signedTable differs from unsignedTable only where the sign matters.
var signedTable = func() [tree.LogicalXor + 1]binaryFunc {
	t := unsignedTable
	t[tree.Div] = divSigned
	t[tree.Mod] = modSigned
	t[tree.ShiftRight] = func(x, y uint32) uint32 { return uint32(int32(x) >> (y & 31)) }
	t[tree.Less] = func(x, y uint32) uint32 { return fromBool(int32(x) < int32(y)) }
	t[tree.Greater] = func(x, y uint32) uint32 { return fromBool(int32(x) > int32(y)) }
	t[tree.LessEqual] = func(x, y uint32) uint32 { return fromBool(int32(x) <= int32(y)) }
	t[tree.GreaterEqual] = func(x, y uint32) uint32 { return fromBool(int32(x) >= int32(y)) }
	return t
}()

var floatTable = [tree.LogicalXor + 1]binaryFunc{
	tree.Add:          func(x, y uint32) uint32 { return fromFloat(toFloat(x) + toFloat(y)) },
	tree.Sub:          func(x, y uint32) uint32 { return fromFloat(toFloat(x) - toFloat(y)) },
	tree.Mul:          func(x, y uint32) uint32 { return fromFloat(toFloat(x) * toFloat(y)) },
	tree.Div:          func(x, y uint32) uint32 { return fromFloat(toFloat(x) / toFloat(y)) },
	tree.Less:         func(x, y uint32) uint32 { return fromBool(toFloat(x) < toFloat(y)) },
	tree.Greater:      func(x, y uint32) uint32 { return fromBool(toFloat(x) > toFloat(y)) },
	tree.LessEqual:    func(x, y uint32) uint32 { return fromBool(toFloat(x) <= toFloat(y)) },
	tree.GreaterEqual: func(x, y uint32) uint32 { return fromBool(toFloat(x) >= toFloat(y)) },
	tree.Equal:        func(x, y uint32) uint32 { return fromBool(toFloat(x) == toFloat(y)) },
	tree.NotEqual:     func(x, y uint32) uint32 { return fromBool(toFloat(x) != toFloat(y)) },
}

func divUnsigned(x, y uint32) uint32 {
	if y == 0 {
		return 0
	}
	return x / y
}

func modUnsigned(x, y uint32) uint32 {
	if y == 0 {
		return 0
	}
	return x % y
}

// divSigned relies on Go's rule that the quotient of the smallest int and -1 is that int.
func divSigned(x, y uint32) uint32 {
	if y == 0 {
		return 0
	}
	return uint32(int32(x) / int32(y))
}

func modSigned(x, y uint32) uint32 {
	if y == 0 {
		return 0
	}
	return uint32(int32(x) % int32(y))
}

// Convert converts one component as a constructor or an implicit conversion does (GLSL 4.50
// section 5.4.1).
func Convert(from, to tree.Kind, x uint32) uint32 {
	switch {
	case from == to:
		return x
	case to == tree.KindBool && from == tree.KindFloat:
		return fromBool(toFloat(x) != 0)
	case to == tree.KindBool:
		return fromBool(x != 0)
	case to == tree.KindFloat:
		return integerToFloat(from, x)
	case from == tree.KindFloat && to == tree.KindInt:
		return uint32(floats.ToInt(toFloat(x)))
	case from == tree.KindFloat:
		return floats.ToUint(toFloat(x))
	default:
		return x // bool, int and uint share their bits
	}
}

func integerToFloat(from tree.Kind, x uint32) uint32 {
	if from == tree.KindInt {
		return math.Float32bits(float32(int32(x)))
	}
	return math.Float32bits(float32(x))
}
