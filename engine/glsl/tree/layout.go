package tree

import "vyretop/engine/glsl/source"

// Layout says how a buffer block lays out its members (GLSL 4.50 section 4.4.5).
type Layout struct {
	Std140   bool // the rules of std140, else those of std430
	Scalar   bool // what GL_EXT_scalar_block_layout says: everything aligns by the size of its largest component
	RowMajor bool // matrices lie row by row
}

// Place is what layout qualifiers say of a member of a block.
type Place struct {
	Offset, Align int // bytes, at least; 0 says nothing
	Major         Major
}

// Major is the order of matrices that a qualifier asks for.
type Major uint8

// The orders. MajorDefault is that of the block.
const (
	MajorDefault Major = iota
	MajorColumn
	MajorRow
)

// NewBlock lays out the members of a block; a member whose qualifiers ask for another order of matrices has it.
func NewBlock(name string, members []Member, l Layout, pos source.Pos) *Struct {
	for i := range members {
		own := l
		if m := members[i].Place.Major; m != MajorDefault {
			own.RowMajor = m == MajorRow
		}
		members[i].Type = members[i].Type.In(own)
	}
	s := &Struct{Name: name, Members: members, Pos: pos, align: blockAlign}
	s.layOut(l)
	return s
}

// blockAlign is the least alignment of a block, whose memory is words.
const blockAlign = 4

// std140Align is the least alignment of arrays and structures in std140.
const std140Align = 16

// In gives t as a member of a block with layout l: the same type to Equal, with other strides and offsets. A type
// whose layout is std430's stays as it is.
func (t *Type) In(l Layout) *Type {
	switch {
	case l == Layout{}:
		return t
	case t.Matrix:
		return t.matrixIn(l)
	case t.IsArray():
		u := *t
		u.Elem = t.Elem.In(l)
		u.layOut(l)
		return &u
	case t.Class == ClassStruct:
		return t.Struct.in(l)
	}
	return t
}

func (t *Type) matrixIn(l Layout) *Type {
	u := *t
	u.RowMajor = l.RowMajor
	vector := u.vector()
	u.align = vector.alignIn(l)
	if l.Std140 {
		u.align = max(u.align, std140Align)
	}
	u.stride = roundUp(vector.Size(), u.align)
	return &u
}

// alignIn is the alignment of a type that has a layout; that of vectors is not part of them.
func (t *Type) alignIn(l Layout) int {
	if l.Scalar && t.Class == ClassVector {
		return t.unit()
	}
	return t.Align()
}

// SameLayout reports whether two types, equal but for their layouts, lie in memory alike.
func (t *Type) SameLayout(u *Type) bool {
	if t.Size() != u.Size() || t.Stride() != u.Stride() || t.RowMajor != u.RowMajor {
		return false
	}
	switch t.Class {
	case ClassStruct:
		for i := range t.Struct.Members {
			a, b := &t.Struct.Members[i], &u.Struct.Members[i]
			if a.Offset != b.Offset || !a.Type.SameLayout(b.Type) {
				return false
			}
		}
	case ClassArray, ClassRuntimeArray:
		return t.Elem.SameLayout(u.Elem)
	}
	return true
}

// vector is what a matrix lays out one after the other: its columns, or its rows.
func (t *Type) vector() *Type {
	if t.RowMajor {
		return Vector(t.Elem.Kind, t.Len)
	}
	return t.Elem
}

// layOut sets the stride and alignment of an array whose elements are laid out.
func (t *Type) layOut(l Layout) {
	t.align = t.Elem.alignIn(l)
	if l.Std140 {
		t.align = max(t.align, std140Align)
	}
	t.stride = roundUp(t.Elem.Size(), t.align)
}

func (s *Struct) in(l Layout) *Type {
	u := &Struct{Name: s.Name, Pos: s.Pos, align: 1, declared: s.Declared()}
	if l.Std140 {
		u.align = std140Align
	}
	for _, m := range s.Members {
		m.Type = m.Type.In(l)
		u.Members = append(u.Members, m)
	}
	u.layOut(l)
	return &Type{Class: ClassStruct, Struct: u}
}

// Row is the distance in bytes between the components of a column, which in a matrix that lies row by row are a row apart;
// else the size of a component.
func (t *Type) Row() int {
	if t.RowMajor {
		return t.Stride()
	}
	return t.Elem.unit()
}

// Column is the distance in bytes between the columns of a matrix, or the elements of another array.
func (t *Type) Column() int {
	if t.RowMajor {
		return t.Elem.unit()
	}
	return t.Stride()
}

// EachComponent visits the components of a value of type t that begins offset bytes into a buffer, in the order of Const.Bits. t has
// no runtime array.
func (t *Type) EachComponent(offset int, visit func(offset int, k Kind)) {
	switch t.Class {
	case ClassStruct:
		for i := range t.Struct.Members {
			m := &t.Struct.Members[i]
			m.Type.EachComponent(offset+m.Offset, visit)
		}
	case ClassArray:
		for i := range t.Len {
			if t.Matrix {
				t.eachInColumn(offset+i*t.Column(), visit)
			} else {
				t.Elem.EachComponent(offset+i*t.Stride(), visit)
			}
		}
	default:
		for i := range t.Width {
			visit(offset+t.unit()*i, t.Kind)
		}
	}
}

// eachInColumn visits the components of a column of a matrix.
func (t *Type) eachInColumn(offset int, visit func(offset int, k Kind)) {
	for i := range t.Elem.Width {
		visit(offset+i*t.Row(), t.Elem.Kind)
	}
}

// MixedMajor names a structure with matrices that are not square, which lie row by row in one block and column by column in another one;
// "" if there is none. Blocks that a driver sees as words do not count.
func (p *Program) MixedMajor() (name string) {
	rows := map[*Struct]bool{}
	var visit func(s *Struct)
	visit = func(s *Struct) {
		for i := range s.Members {
			t := s.Members[i].Type
			for t.IsArray() && !t.Matrix {
				t = t.Elem
			}
			if t.Class != ClassStruct || !t.HasOblong() {
				continue
			}
			lie := t.HasRows()
			if before, ok := rows[t.Struct.Declared()]; ok && before != lie {
				name = t.Struct.Name
			}
			rows[t.Struct.Declared()] = lie
			visit(t.Struct)
		}
	}
	for _, b := range p.Buffers {
		if b.Packed == nil {
			visit(b.Block)
		}
	}
	return name
}
