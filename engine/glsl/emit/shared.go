package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// In branches that only some lanes take, NVIDIA's compiler (580.159) gives wrong values for components of shared dvec4 and u64vec4, also after
// barriers, and for copies of the whole vector too. It is right where it knows neither the element nor the component that is read. So both are
// hidden from it where it goes wrong with variables of 64 bits, and what changes such a component changes a copy and writes that (testdata/found
// of package conformance, 0066; kernel wideelements). Vectors of two and three components are right as they are, and those of three are wrong
// with hidden indices; a vector outside an array has no index to hide.

// isApart reports whether e is, or has, components of 64 bits of a shared vector, which are read one by one.
func isApart(w *writer, e tree.Expr) bool {
	root, ok := tree.Root(e).(*tree.VarRef)
	if !ok || root.Var.Kind != tree.VarShared || !root.Var.Type.IsArray() || root.Var.Type.Matrix {
		return false
	}
	return hasLongVector(vectorOf(e).Type()) && distrusts(w, vectorOf(e).Type())
}

// selectedApart reports whether a component of 64 bits is read from a shared vector with an index that is not constant, which that compiler gets
// wrong for vectors of three components, and for an element with a constant index: the vector is read, and the component chosen.
func selectedApart(w *writer, x *tree.Index) bool {
	root, ok := tree.Root(x).(*tree.VarRef)
	_, fixed := x.I.(*tree.Const)
	return ok && !fixed && root.Var.Kind == tree.VarShared && x.X.Type().IsVector() && distrusts(w, x.X.Type())
}

// vectorOf is the vector that e is a known component of, or components, or e.
func vectorOf(e tree.Expr) tree.Expr {
	switch x := e.(type) {
	case *tree.Swizzle:
		return vectorOf(x.X)
	case *tree.Index:
		if _, fixed := x.I.(*tree.Const); fixed && x.X.Type().IsVector() {
			return vectorOf(x.X)
		}
	}
	return e
}

// hasLongVector reports whether t is, or has, a vector of four components of 64 bits. Columns of matrices do not count: what is written to
// them one by one is lost when the matrix is copied (columns.go).
func hasLongVector(t *tree.Type) bool {
	switch {
	case t.Class == tree.ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasLongVector(m.Type) })
	case t.IsArray():
		return !t.Matrix && hasLongVector(t.Elem)
	}
	return t.IsVector() && t.Width == 4 && isWide(t)
}

// apart writes a read of such components: a function reads them, which has the indices as parameters.
func apart(w *writer, e tree.Expr) string {
	r := &route{w: w}
	place, t := hidingIndices(r, r.place(e)), plain(e.Type())
	from := w.place(vectorOf(place))
	body := "return " + apartComponents(w, place, from) + "; "
	if vectorOf(e) == e && !e.Type().IsVector() {
		c := copying{w: w, wide: true, apart: true}
		body = fmt.Sprintf("%s; %sreturn r; ", w.variable(t, "r"), c.part(t, "r", from, 0))
	}
	return r.function(t, body)
}

// hidingIndices is e with parameters for the constant indices of arrays.
func hidingIndices(r *route, e tree.Expr) tree.Expr {
	switch x := e.(type) {
	case *tree.Field:
		return &tree.Field{Node: x.Node, X: hidingIndices(r, x.X), Member: x.Member}
	case *tree.Swizzle:
		return &tree.Swizzle{Node: x.Node, X: hidingIndices(r, x.X), Lanes: x.Lanes}
	case *tree.Index:
		index := x.I
		if _, fixed := index.(*tree.Const); fixed && x.X.Type().IsArray() {
			index = r.parameter("", tree.Uint, fresh(r.w, x))
		}
		return &tree.Index{Node: x.Node, X: hidingIndices(r, x.X), I: index}
	}
	return e
}

// apartComponents writes the components of the vector called from that e is, or all.
func apartComponents(w *writer, e tree.Expr, from string) string {
	var of tree.Expr
	var chosen []uint8
	switch x := e.(type) {
	case *tree.Swizzle:
		of, chosen = x.X, x.Lanes
	case *tree.Index:
		if vectorOf(e) != e {
			of, chosen = x.X, []uint8{uint8(x.I.(*tree.Const).Bits[0])}
		}
	}
	switch {
	case of == nil:
		of = e
		for i := range e.Type().Width {
			chosen = append(chosen, uint8(i))
		}
	case vectorOf(of) != of:
		return apartComponents(w, of, from) + "." + lanes(&tree.Swizzle{X: of, Lanes: chosen})
	}
	list := make([]string, len(chosen))
	for i, lane := range chosen {
		list[i] = fmt.Sprintf("%s[%du ^ %s]", from, lane, w.prelude.Call("hidden", 1))
	}
	if len(list) == 1 {
		return list[0]
	}
	return w.typeName(plain(e.Type())) + "(" + strings.Join(list, ", ") + ")"
}

// changedApart writes what do makes of a copy of such components, and of the value if there is one.
func changedApart(w *writer, target, value tree.Expr, do func(target, value tree.Expr) tree.Expr) string {
	r, t := &route{w: w}, target.Type()
	place := r.place(target)
	if value != nil {
		value = r.parameter("", value.Type(), w.expr(value))
	}
	c := r.local("c", 0, t)
	body := fmt.Sprintf("%s = %s; %s = %s; ", r.declared(c), w.expr(place), w.variable(plain(t), "r"), w.expr(do(c, value)))
	return r.function(t, body+w.effect(&tree.Assign{Node: tree.Node{T: t}, Target: place, Value: c})+"; return r; ")
}
