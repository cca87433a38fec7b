package tree

import (
	"slices"
	"sync"
)

// NarrowSignatures are the overloads of a function on types of 8 and 16 bits: those of its overloads on 32 bits that
// GL_EXT_shader_explicit_arithmetic_types adds. They are not among b.Signatures, as programs call those of 32 bits in their place.
func NarrowSignatures(b *Builtin) []Signature { return narrowSignatures()[b.ID] }

var narrowSignatures = sync.OnceValue(func() [][]Signature {
	list := make([][]Signature, len(Builtins))
	for i := range Builtins {
		b := &Builtins[i]
		for _, k := range NarrowKinds() {
			for j := range b.Signatures {
				if s := &b.Signatures[j]; narrowable(b, s, k) {
					list[i] = append(list[i], s.narrowed(k))
				}
			}
		}
	}
	return list
})

// narrowable reports whether an overload has a form on kind k.
func narrowable(b *Builtin, s *Signature, k Kind) bool {
	if b.Family > FamilyRelational || b.Family == FamilyPacking || b.ID >= FnFloatBitsToInt && b.ID <= FnUintBitsToFloat {
		return false
	}
	has := func(kinds ...Kind) bool {
		return slices.ContainsFunc(s.Params, func(q Param) bool { return slices.Contains(kinds, q.Type.ComponentKind()) })
	}
	switch {
	case has(KindDouble, KindInt64, KindUint64):
		return false
	case k == KindFloat16:
		return has(KindFloat)
	}
	return !has(KindFloat) && has(k.Wide())
}

// narrowed is the overload with k in the place of the kind that holds it.
func (s *Signature) narrowed(k Kind) Signature {
	of := func(t *Type) *Type {
		switch {
		case t.ComponentKind() != k.Wide():
			return t
		case t.Matrix:
			return Matrix(k, t.Len, t.Elem.Width)
		}
		return t.WithKind(k)
	}
	n := Signature{Result: of(s.Result)}
	for _, q := range s.Params {
		q.Type = of(q.Type)
		n.Params = append(n.Params, q)
	}
	return n
}
