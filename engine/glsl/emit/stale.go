package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// After a write to g[i].a, NVIDIA's compiler (580.159) takes g[0].a for what it was before: always in buffers, coherent ones too, and
// at times in variables and shared memory. It does so where a type has more inside it than an array of scalars or vectors, or a
// matrix. So constant indices of what is also written with others are hidden from it, and a value of a buffer that is read whole
// is read part by part (testdata/found of package conformance, 0042 to 0045).

// mayBeStale reports whether the driver may take what is at the constant index of x for what it was before a write.
func mayBeStale(w *writer, x *tree.Index) bool {
	_, fixed := x.I.(*tree.Const)
	of := x.X.Type()
	return fixed && of.IsArray() && !of.Matrix && w.memory.scattered(x) && (inMemory(x) || !distrusts(w, outermost(x).Type()))
}

// mayFold reports whether the driver may find late that the index of x is constant, and go wrong: NVIDIA's compiler (580.159)
// then takes element 0 of nested memory in a buffer, where the constant was a member in the constructor of a structure
// (testdata/found of package conformance, 0048 and 0049). It refuses an index of a block as words that would be out of range, in a
// branch that is never taken (0071).
func mayFold(w *writer, x *tree.Index) bool {
	_, fixed := x.I.(*tree.Const)
	root, ok := tree.Root(x).(*tree.BufferRef)
	return ok && !fixed && x.X.Type().IsArray() && (w.memory.structs && nested(root) || w.memory.packed[root.Buffer])
}

// subscript writes an index that is not constant.
func subscript(w *writer, x *tree.Index) string {
	if mayFold(w, x) {
		return w.hidden(x.I)
	}
	return w.expr(x.I)
}

// fresh writes a constant index that the driver does not know.
func fresh(w *writer, x *tree.Index) string {
	return fmt.Sprintf("(%du ^ %s)", x.I.(*tree.Const).Bits[0], w.prelude.Call("hidden", 1))
}

// value writes what names a variable or a part of it and is read.
func value(w *writer, e tree.Expr) string {
	if asWords(w, e) {
		return loaded(w, e)
	}
	root, ok := tree.Root(e).(*tree.BufferRef)
	if !ok || !w.memory.scattered(root) || !hasElements(e.Type()) {
		return w.access(e)
	}
	var params, args []string
	from := located(w, e, &params, &args)
	name := w.helper("read "+from, func(name string) string {
		t := plain(e.Type())
		c := copying{w: w, wide: distrusts(w, t)}
		return fmt.Sprintf("%s %s(%s) { %s; %sreturn r; }", w.typeName(t), name, strings.Join(params, ", "), w.variable(t, "r"), c.part(t, "r", from, 0))
	})
	return name + "(" + strings.Join(args, ", ") + ")"
}

// located writes a place in a buffer, with parameters for the indices that are not constant, which are added to params, and their
// values to args.
func located(w *writer, e tree.Expr, params, args *[]string) string {
	switch x := e.(type) {
	case *tree.Field:
		return located(w, x.X, params, args) + "." + w.names.of(x.X.Type().Struct.Members[x.Member].Name)
	case *tree.Index:
		of := located(w, x.X, params, args)
		if mayBeStale(w, x) {
			return of + "[" + fresh(w, x) + "]"
		}
		name := fmt.Sprintf("p%d", len(*params))
		*params = append(*params, w.typeName(x.I.Type())+" "+name)
		*args = append(*args, subscript(w, x))
		return of + "[" + name + "]"
	default:
		return w.access(e)
	}
}

// hasElements reports whether a value of type t is or contains an array of a known length.
func hasElements(t *tree.Type) bool {
	if t.Class == tree.ClassStruct {
		return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasElements(m.Type) })
	}
	return t.Class == tree.ClassArray && !t.Matrix
}

// copying writes what copies a value of a buffer to a variable.
type copying struct {
	w    *writer
	wide bool // the variable may only have constant indices (element.go)
}

// part writes statements that copy a part called from to the one of the variable that is called to.
func (c copying) part(t *tree.Type, to, from string, depth int) (text string) {
	switch {
	case t.Class == tree.ClassStruct:
		for _, m := range t.Struct.Members {
			name := "." + c.w.names.of(m.Name)
			text += c.part(m.Type, to+name, from+name, depth)
		}
		return text
	case t.Class != tree.ClassArray || t.Matrix:
		return fmt.Sprintf("%s = %s; ", to, from)
	}
	i, at, hidden := fmt.Sprintf("i%d", depth), fmt.Sprintf("a%d", depth), c.w.prelude.Call("hidden", 1)
	if c.wide {
		for i := range t.Len {
			text += c.part(t.Elem, fmt.Sprintf("%s[%d]", to, i), fmt.Sprintf("%s[%du ^ %s]", from, i, hidden), depth)
		}
		return text
	}
	return fmt.Sprintf("for (uint %s = 0u; %s < %du; %s++) { uint %s = %s ^ %s; %s} ",
		i, i, t.Len, i, at, i, hidden, c.part(t.Elem, to+"["+at+"]", from+"["+at+"]", depth+1))
}
