package emit

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/tree"
)

// returnsElement reports whether a call copies a value back to a place that a function finds.
func returnsElement(w *writer, args []tree.Arg) bool {
	return slices.ContainsFunc(args, func(a tree.Arg) bool { return isReturned(w, &a) })
}

func isReturned(w *writer, a *tree.Arg) bool {
	return a.Mode != tree.ModeIn && isChangedApart(w, a.X)
}

// throughCopies writes a call of which an argument is such an element: of a function that calls with copies, and copies them
// back from left to right. call is the call with other arguments.
func throughCopies(w *writer, list []tree.Arg, result *tree.Type, call func(args []tree.Arg) tree.Expr) string {
	var copied []memory // what all arguments that are parts of it are copied of
	for i := range list {
		if isReturned(w, &list[i]) {
			copied = append(copied, memoryOf(list[i].X))
		}
	}
	r, before, after := &route{w: w}, "", ""
	args := make([]tree.Arg, len(list))
	for i := range list {
		a := &list[i]
		t := a.X.Type()
		switch {
		case a.Mode == tree.ModeIn:
			args[i] = tree.Arg{X: r.parameter("", t, w.expr(a.X))}
		case !slices.Contains(copied, memoryOf(a.X)):
			args[i] = tree.Arg{Mode: a.Mode, X: r.parameter(a.Mode.String()+" ", t, w.place(a.X))}
		default:
			place := r.place(a.X)
			v := r.local("c", i, t)
			before += fmt.Sprintf("%s = %s; ", r.declared(v), w.expr(place))
			after += w.effect(&tree.Assign{Node: tree.Node{T: t}, Target: place, Value: v}) + "; "
			args[i] = tree.Arg{Mode: a.Mode, X: v}
		}
	}
	text := w.expr(call(args))
	if result == tree.Void {
		return r.function(result, before+text+"; "+after)
	}
	return r.function(result, fmt.Sprintf("%s%s r = %s; %sreturn r; ", before, w.typeName(plain(result)), text, after))
}
