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
		return w.place(x.X) + "[" + w.expr(x.I) + "]"
	default:
		return w.expr(e)
	}
}

func lanes(x *tree.Swizzle) string {
	s := make([]byte, len(x.Lanes))
	for i, lane := range x.Lanes {
		s[i] = "xyzw"[lane]
	}
	return string(s)
}

// selected reports whether a component is read from a variable's vector with an index that is not constant. In loops,
// NVIDIA's compiler (580.159) reads such components as they were before the loop.
func selected(x *tree.Index) bool {
	_, fixed := x.I.(*tree.Const)
	return !fixed && x.X.Type().IsVector() && !inMemory(x)
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
