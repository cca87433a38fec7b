package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// NVIDIA's compiler (580.159) copies a whole matrix without what was written to its columns but the first just before,
// and refuses ?: between a matrix with rows in memory and another one. So a matrix goes to memory as a new one made of its
// columns, and a variable of which a part was written becomes one right after that.

// hasMatrix reports whether a value of type t is or contains a matrix.
func hasMatrix(t *tree.Type) bool {
	switch {
	case t.Matrix:
		return true
	case t.IsArray():
		return hasMatrix(t.Elem)
	case t.Class != tree.ClassStruct:
		return false
	}
	return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasMatrix(m.Type) })
}

// manyElements is the length from which an array is rebuilt in a loop, so that the text stays short.
const manyElements = 16

// columns writes a value whose matrices are built again from their columns.
func columns(w *writer, t *tree.Type, text string) string {
	if !hasMatrix(t) {
		return text
	}
	t = plain(t)
	value, body := w.typeName(t), ""
	switch {
	case t.IsArray() && !t.Matrix && t.Len > manyElements && !isWide(t):
		body = fmt.Sprintf("%s r; for (int i = 0; i < %d; i++) r[i] = %s; return r;", value, t.Len, columns(w, t.Elem, "x[i]"))
	default:
		body = fmt.Sprintf("return %s(%s);", constructor(w, t), strings.Join(columnParts(w, t, "x"), ", "))
	}
	name := w.helper("columns "+value, func(name string) string {
		return fmt.Sprintf("%s %s(%s x) { %s }", value, name, value, body)
	})
	return name + "(" + text + ")"
}

// columnParts are the arguments of the constructor that rebuilds a value called x.
func columnParts(w *writer, t *tree.Type, x string) []string {
	if t.Class == tree.ClassStruct {
		list := make([]string, len(t.Struct.Members))
		for i, m := range t.Struct.Members {
			list[i] = columns(w, m.Type, x+"."+w.names.of(m.Name))
		}
		return list
	}
	list := make([]string, t.Len)
	for i := range list {
		if list[i] = fmt.Sprintf("%s[%d]", x, i); !t.Matrix {
			list[i] = columns(w, t.Elem, list[i])
		}
	}
	return list
}

// stored writes a value that is assigned to the target.
func stored(w *writer, target tree.Expr, value tree.Expr) string {
	if !inMemory(target) {
		return w.expr(value)
	}
	return columns(w, target.Type(), w.expr(value))
}

// branch writes an operand of ?:.
func branch(w *writer, e tree.Expr) string {
	if !inMemory(e) {
		return w.expr(e)
	}
	return columns(w, e.Type(), w.expr(e))
}

// storesMatrix reports whether a call copies a matrix back to memory.
func storesMatrix(mode tree.Mode, arg tree.Expr) bool {
	return mode != tree.ModeIn && inMemory(arg) && hasMatrix(arg.Type())
}

// renewals are the assignments, after a statement or the step of a loop, that make matrices in variables whole again of
// which e writes a part.
func renewals(w *writer, e tree.Expr) (list []string) {
	add := func(target tree.Expr) {
		m := partly(target)
		if m == nil || inMemory(m) || changes(m) || isElement(w, m) {
			return
		}
		place := w.place(m)
		text := fmt.Sprintf("%s = %s(%s)", place, plain(m.Type()), strings.Join(columnParts(w, m.Type(), place), ", "))
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	tree.Inspect(e, func(x tree.Expr) bool {
		for _, target := range tree.Targets(x) {
			add(target)
		}
		return true
	})
	return list
}

// partly is the matrix of which e is a part, or nil.
func partly(e tree.Expr) tree.Expr {
	for {
		switch x := e.(type) {
		case *tree.Swizzle:
			e = x.X
		case *tree.Index:
			if x.X.Type().Matrix {
				return x.X
			}
			e = x.X
		default:
			return nil
		}
	}
}
