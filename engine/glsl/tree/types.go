package tree

import (
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
)

// Class says how a Type is built.
type Class uint8

// The classes of a Type.
const (
	ClassVoid Class = iota
	ClassScalar
	ClassVector
	ClassStruct
	ClassArray        // of Len elements
	ClassRuntimeArray // of a length known when the buffer is bound; last member of a buffer block only
)

// Type is a GLSL type of the kernel language. Types are immutable. Scalars, vectors and void are
// single objects, so == works on those; use Equal everywhere else.
type Type struct {
	Class  Class
	Kind   Kind    // component kind of a scalar or vector
	Width  int     // components: 1 for a scalar, 2..4 for a vector
	Elem   *Type   // of an array
	Len    int     // elements of a ClassArray
	Struct *Struct // of a ClassStruct

	// Matrix marks a ClassArray that is a matrix: Len columns, each a vector of floats or doubles.
	Matrix bool
	// RowMajor says that the words of a matrix lie in memory row by row. Only types of buffer members have it.
	RowMajor bool

	stride, align int // bytes, of an array whose layout is not that of std430; else 0
}

// Struct is a structure type or the body of a buffer block. Two structures are the same type only
// when they are the same declaration (GLSL 4.50 section 4.1.8).
type Struct struct {
	Name    string
	Members []Member
	Pos     source.Pos

	size, align int     // bytes; a trailing runtime array counts 0 bytes
	components  int     // see Type.Components
	declared    *Struct // of which this is another layout; nil for the one declared
}

// Declared is the structure as the text declares it, of which s may be another layout.
func (s *Struct) Declared() *Struct {
	if s.declared != nil {
		return s.declared
	}
	return s
}

// Member is one member of a Struct.
type Member struct {
	Name   string
	Type   *Type
	Offset int    // byte offset from the start of the structure: std430, unless Type.In has laid it out otherwise
	Memory Memory // qualifiers written on the member; buffer blocks only
	Place  Place  // layout qualifiers written on the member; blocks only
	Pos    source.Pos
}

// The types that need no construction.
var (
	Void  = &Type{Class: ClassVoid}
	Bool  = &Type{Class: ClassScalar, Kind: KindBool, Width: 1}
	Int   = &Type{Class: ClassScalar, Kind: KindInt, Width: 1}
	Uint  = &Type{Class: ClassScalar, Kind: KindUint, Width: 1}
	Float = &Type{Class: ClassScalar, Kind: KindFloat, Width: 1}

	Double = &Type{Class: ClassScalar, Kind: KindDouble, Width: 1}
	Int64  = &Type{Class: ClassScalar, Kind: KindInt64, Width: 1}
	Uint64 = &Type{Class: ClassScalar, Kind: KindUint64, Width: 1}
)

var numericTypes = buildNumericTypes()

func buildNumericTypes() (t [len(kindNames)][5]*Type) {
	scalars := []*Type{Bool, Int, Uint, Float, Double, Int64, Uint64}
	for _, k := range NarrowKinds() {
		scalars = append(scalars, &Type{Class: ClassScalar, Kind: k, Width: 1})
	}
	for _, s := range scalars {
		t[s.Kind][1] = s
		for w := 2; w <= 4; w++ {
			t[s.Kind][w] = &Type{Class: ClassVector, Kind: s.Kind, Width: w}
		}
	}
	return t
}

// Vector returns the type of width components of kind k: a scalar for width 1. The width must be
// 1 to 4 and the kind not KindNone.
func Vector(k Kind, width int) *Type { return numericTypes[k][width] }

// ArrayOf returns the type of an array of n elements.
func ArrayOf(elem *Type, n int) *Type { return &Type{Class: ClassArray, Elem: elem, Len: n} }

// MatrixOf returns the type of a matrix of 2 to 4 columns and rows of floats.
func MatrixOf(columns, rows int) *Type { return Matrix(KindFloat, columns, rows) }

// Matrix returns the type of a matrix of 2 to 4 columns and rows. The kind is one of floats.
func Matrix(k Kind, columns, rows int) *Type { return matrixTypes[k][columns][rows] }

var matrixTypes = map[Kind]*[5][5]*Type{KindFloat: buildMatrixTypes(KindFloat), KindDouble: buildMatrixTypes(KindDouble), KindFloat16: buildMatrixTypes(KindFloat16)}

func buildMatrixTypes(k Kind) *[5][5]*Type {
	var t [5][5]*Type
	for columns := 2; columns <= 4; columns++ {
		for rows := 2; rows <= 4; rows++ {
			t[columns][rows] = &Type{Class: ClassArray, Elem: Vector(k, rows), Len: columns, Matrix: true}
		}
	}
	return &t
}

// ComponentKind is the kind of the components of a scalar, a vector or a matrix; KindNone for other types.
func (t *Type) ComponentKind() Kind {
	if t.Matrix {
		return t.Elem.Kind
	}
	return t.Kind
}

// unit is the size of a component in bytes.
func (t *Type) unit() int { return t.Kind.Bytes() }

// RuntimeArrayOf returns the type of an unsized array at the end of a buffer block.
func RuntimeArrayOf(elem *Type) *Type { return &Type{Class: ClassRuntimeArray, Elem: elem} }

// NewStruct lays members out by the std430 rules and returns the structure's type. Offsets given
// in members are overwritten.
func NewStruct(name string, members []Member, pos source.Pos) *Type {
	s := &Struct{Name: name, Members: members, Pos: pos, align: 1}
	s.layOut(Layout{})
	return &Type{Class: ClassStruct, Struct: s}
}

// layOut gives the members their places, one after the other; s.align is the least alignment.
func (s *Struct) layOut(l Layout) {
	for i := range s.Members {
		m := &s.Members[i]
		align := max(m.Type.alignIn(l), m.Place.Align)
		s.size = roundUp(max(s.size, m.Place.Offset), align)
		m.Offset = s.size
		s.size += m.Type.Size()
		s.align = max(s.align, align)
		s.components += m.Type.Components()
	}
	s.size = roundUp(s.size, s.align)
}

func roundUp(n, align int) int { return (n + align - 1) / align * align }

// IsScalar reports whether t is a scalar: bool or a number.
func (t *Type) IsScalar() bool { return t.Class == ClassScalar }

// IsVector reports whether t is a vector.
func (t *Type) IsVector() bool { return t.Class == ClassVector }

// IsArray reports whether t is an array, sized or not.
func (t *Type) IsArray() bool { return t.Class == ClassArray || t.Class == ClassRuntimeArray }

// HasRows reports whether t contains a matrix that lies row by row.
func (t *Type) HasRows() bool {
	switch {
	case t.RowMajor:
		return true
	case t.Class == ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m Member) bool { return m.Type.HasRows() })
	case t.IsArray():
		return t.Elem.HasRows()
	}
	return false
}

// HasOblong reports whether t is or contains a matrix that is not square.
func (t *Type) HasOblong() bool {
	switch {
	case t.Class == ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m Member) bool { return m.Type.HasOblong() })
	case t.Matrix:
		return t.Len != t.Elem.Width
	}
	return t.IsArray() && t.Elem.HasOblong()
}

// Equal reports whether t and u are the same GLSL type.
func (t *Type) Equal(u *Type) bool {
	if t == u {
		return true
	}
	if t.Class != u.Class {
		return false
	}
	switch t.Class {
	case ClassArray, ClassRuntimeArray:
		return t.Len == u.Len && t.Matrix == u.Matrix && t.Elem.Equal(u.Elem)
	case ClassStruct:
		return t.Struct.Declared() == u.Struct.Declared()
	default:
		return t.Kind == u.Kind && t.Width == u.Width
	}
}

// Size is the std430 size in bytes (GLSL 4.50 section 7.6.2.2). A runtime array counts 0.
func (t *Type) Size() int {
	switch t.Class {
	case ClassScalar, ClassVector:
		return t.unit() * t.Width
	case ClassStruct:
		return t.Struct.size
	case ClassArray:
		if t.RowMajor {
			return t.Elem.Width * t.Stride()
		}
		return t.Len * t.Stride()
	default:
		return 0
	}
}

// Align is the std430 base alignment in bytes: a vec3 aligns as a vec4, an array as its element, a
// structure as its most aligned member.
func (t *Type) Align() int {
	switch t.Class {
	case ClassVector:
		return t.unit() * (t.Width + t.Width&1)
	case ClassStruct:
		return t.Struct.align
	case ClassArray, ClassRuntimeArray:
		if t.align > 0 {
			return t.align
		}
		return t.Elem.Align()
	default:
		return t.unit()
	}
}

// Stride is the std430 distance in bytes between elements of an array, or between components of a
// vector.
func (t *Type) Stride() int {
	switch {
	case t.stride > 0:
		return t.stride
	case t.IsArray():
		return roundUp(t.Elem.Size(), t.Elem.Align())
	}
	return t.unit()
}

// Components is the number of 32-bit words of a value of the type when it is held densely, as
// in Const: no padding, and two for a component of 64 bits. Void and runtime arrays have none.
func (t *Type) Components() int {
	switch t.Class {
	case ClassScalar, ClassVector:
		return t.Width * t.Kind.Words()
	case ClassArray:
		return t.Len * t.Elem.Components()
	case ClassStruct:
		return t.Struct.components
	default:
		return 0
	}
}

// Widened is the scalar, vector or matrix type whose components have the kind that holds those of t.
func (t *Type) Widened() *Type {
	switch {
	case t.Matrix:
		return Matrix(t.Elem.Kind.Wide(), t.Len, t.Elem.Width)
	case t.IsScalar() || t.IsVector():
		return t.WithKind(t.Kind.Wide())
	}
	return t
}

// Held is the number of bytes of a value of the type outside of buffers.
func (t *Type) Held() int { return max(t.Size(), 4*t.Components()) }

// HasNarrow reports whether a component of a value of the type has less than 32 bits.
func (t *Type) HasNarrow() bool {
	switch {
	case t.IsArray():
		return t.Elem.HasNarrow()
	case t.Class == ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m Member) bool { return m.Type.HasNarrow() })
	}
	return t.Kind.IsNarrow()
}

// Element is the type of one element: of an array its element type, of a vector its scalar.
func (t *Type) Element() *Type {
	if t.IsArray() {
		return t.Elem
	}
	return Vector(t.Kind, 1)
}

// WithKind returns the scalar or vector type of the same width and kind k.
func (t *Type) WithKind(k Kind) *Type { return Vector(k, t.Width) }

var vectorPrefix = [...]string{KindBool: "bvec", KindInt: "ivec", KindUint: "uvec", KindFloat: "vec",
	KindDouble: "dvec", KindInt64: "i64vec", KindUint64: "u64vec",
	KindInt8: "i8vec", KindUint8: "u8vec", KindInt16: "i16vec", KindUint16: "u16vec", KindFloat16: "f16vec"}

// String gives the type as GLSL writes it, e.g. "uvec3" or "float[2][4]".
func (t *Type) String() string {
	switch t.Class {
	case ClassVoid:
		return "void"
	case ClassScalar:
		return t.Kind.String()
	case ClassVector:
		return vectorPrefix[t.Kind] + strconv.Itoa(t.Width)
	case ClassStruct:
		return t.Struct.Name
	default:
		return t.arrayString()
	}
}

// arrayString writes the dimensions outermost first, as in a declaration.
func (t *Type) arrayString() string {
	var dims strings.Builder
	for t.IsArray() {
		if t.Matrix {
			return t.matrixString() + dims.String()
		}
		dims.WriteByte('[')
		if t.Class == ClassArray {
			dims.WriteString(strconv.Itoa(t.Len))
		}
		dims.WriteByte(']')
		t = t.Elem
	}
	return t.String() + dims.String()
}

// matrixString writes the columns and, where their number is another, the rows.
func (t *Type) matrixString() string {
	s := MatrixPrefix(t.Elem.Kind) + "mat" + strconv.Itoa(t.Len)
	if t.Elem.Width != t.Len {
		s += "x" + strconv.Itoa(t.Elem.Width)
	}
	return s
}

// MatrixPrefix begins the names of matrices with components of kind k.
func MatrixPrefix(k Kind) string {
	return map[Kind]string{KindDouble: "d", KindFloat16: "f16"}[k]
}

// Find returns the index of the member called name, or -1.
func (s *Struct) Find(name string) int {
	for i := range s.Members {
		if s.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Size is the std430 size of the structure in bytes, without a trailing runtime array.
func (s *Struct) Size() int { return s.size }

// Align is the std430 base alignment of the structure in bytes.
func (s *Struct) Align() int { return s.align }
