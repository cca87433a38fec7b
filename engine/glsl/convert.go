package glsl

import (
	"vyretop/engine/glsl/tree"
)

// convertible reports whether a component of kind from converts implicitly to kind to (GLSL 4.50
// section 4.1.10, GL_ARB_gpu_shader_int64, GL_EXT_shader_explicit_arithmetic_types).
func convertible(from, to tree.Kind) bool {
	small := from.IsNarrow() && from.IsInteger()
	switch to {
	case tree.KindInt:
		return small
	case tree.KindUint:
		return from == tree.KindInt || small
	case tree.KindFloat:
		return from.IsInteger32() || from.IsNarrow()
	case tree.KindInt64:
		return from.IsInteger32() || small
	case tree.KindUint64:
		return from.IsInteger32() || from == tree.KindInt64 || small
	case tree.KindDouble:
		return from.IsFloat() || from.IsInteger()
	default:
		return convertibleNarrow(from, to)
	}
}

// convertibleNarrow is convertible for a kind of 8 or 16 bits (GL_EXT_shader_explicit_arithmetic_types).
func convertibleNarrow(from, to tree.Kind) bool {
	switch to {
	case tree.KindUint8:
		return from == tree.KindInt8
	case tree.KindInt16:
		return from.IsInteger() && from.Bytes() == 1
	case tree.KindUint16:
		return from.IsInteger() && from.Bytes() == 1 || from == tree.KindInt16
	case tree.KindFloat16:
		return from.IsInteger() && from.IsNarrow()
	}
	return false
}

// promoted makes an int or a uint of a narrower integer, where only those may stand.
func promoted(e tree.Expr) tree.Expr {
	if k := e.Type().Kind; !isBroken(e) && e.Type().IsScalar() && k.IsInteger() && k.IsNarrow() {
		return convertKind(e, k.Wide(), true)
	}
	return e
}

// convertibleType reports whether a value of type from can be used where to is wanted.
func convertibleType(from, to *tree.Type) bool {
	switch {
	case from.Equal(to):
		return true
	case from.Matrix && to.Matrix:
		return from.Len == to.Len && from.Elem.Width == to.Elem.Width && convertible(from.Elem.Kind, to.Elem.Kind)
	}
	return from.Width > 0 && from.Width == to.Width && convertible(from.Kind, to.Kind)
}

// Convertible reports whether GLSL converts a value of type from, without being asked, where one of type to is wanted.
func Convertible(from, to *tree.Type) bool { return convertibleType(from, to) }

// convertKind converts a scalar, vector or matrix to components of kind k; the conversion must be legal.
func convertKind(e tree.Expr, k tree.Kind, implicit bool) tree.Expr {
	t := e.Type()
	if t.ComponentKind() == k {
		return e
	}
	node := tree.Node{At: e.Pos()}
	if t.Matrix {
		node.T = tree.Matrix(k, t.Len, t.Elem.Width)
	} else {
		node.T = t.WithKind(k)
	}
	return foldConvert(&tree.Convert{Node: node, X: e, Implicit: implicit})
}

// coerce makes e usable where type t is wanted, or reports that it is not. what names the place,
// e.g. "the initializer of x".
func (p *parser) coerce(e tree.Expr, t *tree.Type, what string) tree.Expr {
	if isBroken(e) || t == brokenType {
		return broken(e.Pos())
	}
	if e.Type().Equal(t) && t.Class != tree.ClassVoid && t.Class != tree.ClassRuntimeArray {
		return e
	}
	if !convertibleType(e.Type(), t) || t.Class == tree.ClassVoid || t.Class == tree.ClassRuntimeArray {
		p.malformed(e.Pos(), e.Type().String(), conversionFix(e.Type(), t), "%s must be of type %s, not %s", what, t, e.Type())
		return broken(e.Pos())
	}
	return convertKind(e, t.ComponentKind(), true)
}

func conversionFix(from, to *tree.Type) string {
	if from.Width > 0 && to.Width > 0 && (from.Width == to.Width || to.Width == 1 || from.Width == 1) {
		return "convert it with " + to.String() + "(…)"
	}
	return "use a value of type " + to.String()
}

// unify converts two scalars or vectors to a common kind, that of one of them (section 5.9). It fails when the kinds have none.
func unify(x, y tree.Expr) (x2, y2 tree.Expr, ok bool) {
	kx, ky := x.Type().Kind, y.Type().Kind
	switch {
	case kx == tree.KindNone || ky == tree.KindNone:
		return x, y, false
	case kx == ky:
		return x, y, true
	case convertible(kx, ky):
		return convertKind(x, ky, true), y, true
	case convertible(ky, kx):
		return x, convertKind(y, kx, true), true
	default:
		return x, y, false
	}
}

// splat repeats a scalar to the width of a vector.
func splat(e tree.Expr, width int) tree.Expr {
	if e.Type().Width == width {
		return e
	}
	return foldSplat(&tree.Splat{Node: tree.Node{T: tree.Vector(e.Type().Kind, width), At: e.Pos()}, X: e})
}

// broadcast makes a scalar operand as wide as the vector beside it; two vectors must be equally
// wide.
func broadcast(x, y tree.Expr) (x2, y2 tree.Expr, ok bool) {
	wx, wy := x.Type().Width, y.Type().Width
	if wx != wy && wx != 1 && wy != 1 {
		return x, y, false
	}
	w := max(wx, wy)
	return splat(x, w), splat(y, w), true
}

// condition makes sure that e is a bool.
func (p *parser) condition(e tree.Expr, what string) tree.Expr {
	if isBroken(e) || e.Type() == tree.Bool {
		return e
	}
	p.malformed(e.Pos(), e.Type().String(), "compare it, e.g. with != 0", "%s must be a bool, not %s", what, e.Type())
	return broken(e.Pos())
}

// whole reports a runtime array that is used as a whole.
func (p *parser) whole(e tree.Expr) bool {
	if e.Type().Class != tree.ClassRuntimeArray {
		return false
	}
	p.malformed(e.Pos(), e.Type().String(), "index it, or use .length()", "a runtime array cannot be used as a whole")
	return true
}
