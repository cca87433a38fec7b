package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// hasUnsized reports whether a dimension of t is left for its value to give.
func hasUnsized(t *tree.Type) bool {
	for ; t.IsArray(); t = t.Elem {
		if t.Class == tree.ClassRuntimeArray {
			return true
		}
	}
	return false
}

// innerUnsized reports whether a dimension of t other than the outermost is unsized.
func innerUnsized(t *tree.Type) bool { return t.IsArray() && hasUnsized(t.Elem) }

// sizedAs reports whether given is t with sizes in its unsized dimensions.
func sizedAs(t, given *tree.Type) bool {
	switch {
	case t.Matrix || given.Matrix:
		return t.Equal(given)
	case t.Class == tree.ClassRuntimeArray:
		return given.Class == tree.ClassArray && sizedAs(t.Elem, given.Elem)
	case t.Class == tree.ClassArray:
		return given.Class == tree.ClassArray && given.Len == t.Len && sizedAs(t.Elem, given.Elem)
	default:
		return t.Equal(given)
	}
}

// sizeFrom is t with the sizes that its elements give: their number, and for what is inside them the first.
func sizeFrom(p *parser, t *tree.Type, parts []tree.Expr, pos source.Pos) *tree.Type {
	n := len(parts)
	if t.Class == tree.ClassArray {
		n = t.Len
	}
	if len(parts) == 0 || n != len(parts) {
		p.wrongCount(t, len(parts), pos)
		return brokenType
	}
	elem := t.Elem
	if hasUnsized(elem) {
		if elem = parts[0].Type(); !sizedAs(t.Elem, elem) {
			p.malformed(parts[0].Pos(), elem.String(), "use a value of type "+t.Elem.String(), "an element of %s must be of type %s, not %s", t, t.Elem, elem)
			return brokenType
		}
		for _, e := range parts[1:] {
			if !e.Type().Equal(elem) {
				p.malformed(e.Pos(), e.Type().String(), "give all elements the same size", "the elements of %s have different types: %s and %s", t, elem, e.Type())
				return brokenType
			}
		}
	}
	return tree.ArrayOf(elem, n)
}
