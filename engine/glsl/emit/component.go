package emit

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// place writes what is assigned to.
func (w *writer) place(e tree.Expr) string {
	switch x := e.(type) {
	case *tree.Field:
		return w.place(x.X) + "." + w.names.of(x.X.Type().Struct.Members[x.Member].Name)
	case *tree.Swizzle:
		return w.place(x.X) + "." + lanes(x)
	case *tree.Index:
		return w.place(x.X) + chosenBy(w, x)
	default:
		return part(w, e)
	}
}

// chosenBy writes what selects an element or a component.
func chosenBy(w *writer, x *tree.Index) string {
	at, fixed := x.I.(*tree.Const)
	if fixed && x.X.Type().IsVector() && x.T.Kind.Words() == 2 { // Mesa (22.3) takes one of constant integers of 64 bits for 0, and loses v[0]++
		return "." + "xyzw"[at.Bits[0]:][:1]
	}
	return "[" + bounded(w, x) + "]"
}

// bounded writes an index. One of a shared array is kept inside it where it may be elsewhere: what lies beyond shared
// memory is llvmpipe's own, and a store there ends the process.
func bounded(w *writer, x *tree.Index) string {
	if mayBeStale(w, x) {
		return fresh(w, x)
	}
	text := subscript(w, x)
	root, ok := tree.Root(x.X).(*tree.VarRef)
	t := x.X.Type()
	if !ok || root.Var.Kind != tree.VarShared || !t.IsArray() || below(x.I, t.Len, shapeOf(w.prog)) {
		return text
	}
	if x.I.Type().Kind == tree.KindInt {
		text = "uint(" + text + ")"
	}
	return fmt.Sprintf("min(%s, %du)", text, t.Len-1)
}

// below reports whether an index is known to be in range.
func below(e tree.Expr, n int, size [3]uint32) bool {
	lanes := size[0] * size[1] * size[2]
	switch x := e.(type) {
	case *tree.Const:
		return true
	case *tree.VarRef:
		return x.Var.Input == tree.InputLocalInvocationIndex && int(lanes) <= n
	case *tree.Swizzle:
		ref, ok := x.X.(*tree.VarRef)
		return ok && ref.Var.Input == tree.InputLocalInvocationID && len(x.Lanes) == 1 && int(size[x.Lanes[0]]) <= n
	case *tree.Convert:
		return x.X.Type().Kind.IsInteger32() && below(x.X, n, size)
	case *tree.Binary:
		return belowOperator(x, n, size)
	}
	return false
}

// belowOperator knows masks, remainders and quotients, whatever the operands are.
func belowOperator(x *tree.Binary, n int, size [3]uint32) bool {
	c, ok := x.Y.(*tree.Const)
	if !ok {
		return false
	}
	switch x.Op {
	case tree.BitAnd:
		return c.Bits[0] < uint32(n)
	case tree.Mod:
		return x.T.Kind == tree.KindUint && c.Bits[0]-1 < uint32(n)
	case tree.Div, tree.ShiftRight:
		return x.T.Kind == tree.KindUint && below(x.X, n, size)
	}
	return false
}

func lanes(x *tree.Swizzle) string {
	s := make([]byte, len(x.Lanes))
	for i, lane := range x.Lanes {
		s[i] = "xyzw"[lane]
	}
	return string(s)
}

// selected reports whether a component is read from a variable's vector with an index that is not constant, or from a swizzle. In loops,
// NVIDIA's compiler (580.159) reads such components as they were before the loop; Mesa (22.3) takes v.xx[i] for v[i] in memory.
func selected(x *tree.Index) bool {
	_, fixed := x.I.(*tree.Const)
	_, swizzled := x.X.(*tree.Swizzle)
	return x.X.Type().IsVector() && (!fixed && !inMemory(x) || swizzled)
}

// selection writes the choice of a component.
func (w *writer) selection(x *tree.Index) string {
	vector, index, unsigned := w.typeName(x.X.Type()), w.typeName(x.I.Type()), ""
	if x.I.Type().Kind == tree.KindUint {
		unsigned = "u"
	}
	name := w.helper("component "+vector+index, func(name string) string {
		last := x.X.Type().Width - 1
		text := "v." + "xyzw"[last:last+1]
		for i := last - 1; i >= 0; i-- {
			text = fmt.Sprintf("i == %d%s ? v.%c : %s", i, unsigned, "xyzw"[i], text)
		}
		return fmt.Sprintf("%s %s(%s v, %s i) { return %s; }", w.typeName(x.T), name, vector, index, text)
	})
	return name + "(" + w.expr(x.X) + ", " + w.expr(x.I) + ")"
}

// chosen writes a mix by bools, component by component: NVIDIA's compiler (580.159) takes the wrong ones when the
// vectors are constant.
func (w *writer) chosen(x *tree.BuiltinCall) string {
	t, by := w.typeName(x.T), w.typeName(x.Args[2].X.Type())
	name := w.helper("mix "+t, func(name string) string {
		text := "c ? y : x"
		if n := x.T.Width; n > 1 {
			parts := make([]string, n)
			for i := range parts {
				parts[i] = strings.ReplaceAll("c.i ? y.i : x.i", "i", "xyzw"[i:i+1])
			}
			text = t + "(" + strings.Join(parts, ", ") + ")"
		}
		return fmt.Sprintf("%s %s(%s x, %s y, %s c) { return %s; }", t, name, t, t, by, text)
	})
	return name + "(" + w.args(x.Args) + ")"
}
