package tree

// Kind is the kind of one component.
type Kind uint8

// The component kinds. KindNone belongs to types that are not scalars or vectors.
const (
	KindNone Kind = iota
	KindBool
	KindInt
	KindUint
	KindFloat
	KindDouble // this one and those below have 64 bits
	KindInt64
	KindUint64
	KindInt8 // this one and those below have 8 and 16 bits: see IsNarrow
	KindUint8
	KindInt16
	KindUint16
	KindFloat16
)

var kindNames = [...]string{"none", "bool", "int", "uint", "float", "double", "int64_t", "uint64_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "float16_t"}

// String gives the GLSL keyword of the kind.
func (k Kind) String() string { return kindNames[k] }

// IsInteger reports whether k is an integer.
func (k Kind) IsInteger() bool { return k.IsInteger32() || k >= KindInt64 && k <= KindUint16 }

// IsInteger32 reports whether k is int or uint, as indices and shift amounts are.
func (k Kind) IsInteger32() bool { return k == KindInt || k == KindUint }

// IsSigned reports whether k is an integer with a sign.
func (k Kind) IsSigned() bool {
	return k == KindInt || k == KindInt64 || k == KindInt8 || k == KindInt16
}

// IsFloat reports whether k is float, double or float16_t.
func (k Kind) IsFloat() bool { return k == KindFloat || k == KindDouble || k == KindFloat16 }

// IsNarrow reports whether k has less than 32 bits. A checked program has such kinds in the blocks of its text only: it computes with
// Wide kinds, and what it computes is what the narrow kind can hold.
func (k Kind) IsNarrow() bool { return k >= KindInt8 }

// Wide is the kind of 32 bits that holds the values of a narrow one; other kinds are their own.
func (k Kind) Wide() Kind {
	switch k {
	case KindInt8, KindInt16:
		return KindInt
	case KindUint8, KindUint16:
		return KindUint
	case KindFloat16:
		return KindFloat
	}
	return k
}

// Bytes is the size of a component in memory.
func (k Kind) Bytes() int {
	switch k {
	case KindInt8, KindUint8:
		return 1
	case KindInt16, KindUint16, KindFloat16:
		return 2
	}
	return 4 * k.Words()
}

// IsNumeric reports whether k is a number of any kind.
func (k Kind) IsNumeric() bool { return k >= KindInt }

// Words is the number of 32-bit words of a component that is not in memory: the first one of two is the less significant one.
func (k Kind) Words() int {
	if k >= KindDouble && k <= KindUint64 {
		return 2
	}
	return 1
}

// Kinds lists the kinds of scalars and vectors that programs compute with.
func Kinds() []Kind {
	return []Kind{KindBool, KindInt, KindUint, KindFloat, KindDouble, KindInt64, KindUint64}
}

// NarrowKinds lists the kinds of less than 32 bits.
func NarrowKinds() []Kind { return []Kind{KindInt8, KindUint8, KindInt16, KindUint16, KindFloat16} }
