package emit

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// wanders reports whether an index in e may be another one after e was assigned to: it reads memory.
// NVIDIA's compiler (580.159) takes the value of ++a[a[i]], ++v[v.x] and their like by reading the target again.
func wanders(e tree.Expr) bool {
	for ; e != nil; e = tree.Whole(e) {
		if x, ok := e.(*tree.Index); ok && readsMemory(x.I) {
			return true
		}
	}
	return false
}

// movesItself reports whether finding the place e changes something. NVIDIA's compiler (580.159) computes the index of an argument that is
// changed again when it copies the value back, and not all of it: such an index is a parameter of a function that changes the place.
func movesItself(e tree.Expr) bool {
	for ; e != nil; e = tree.Whole(e) {
		if x, ok := e.(*tree.Index); ok && changes(x.I) {
			return true
		}
	}
	return false
}

// readsMemory reports whether e reads an element or a component of something or a variable that others share.
func readsMemory(e tree.Expr) bool {
	found := false
	tree.Inspect(e, func(x tree.Expr) bool {
		switch x.(type) {
		case *tree.Index, *tree.Swizzle:
			found = true
		default:
			found = found || inMemory(x)
		}
		return !found
	})
	return found || changes(e)
}

// assigned writes an assignment whose value is read, to a target that wanders: as a call, which finds its
// target once.
func (w *writer) assigned(x *tree.Assign) string {
	t, value := w.typeName(x.T), x.Value.Type()
	switch {
	case x.Op != tree.OpNone && (x.T.Matrix || value.Matrix):
		return w.assign(x)
	case x.Op == tree.OpNone:
		return w.settled("= "+t, x.Target, fmt.Sprintf(", %s v", t), "p = v; return p;", stored(w, x.Target, x.Value))
	case x.T.Kind.IsFloat():
		return w.update(x.T, floatBinary[x.Op], x.Target, w.raw(x.Value), true)
	case openDivision(x.Op, x.Value) != "":
		return w.call(openDivision(x.Op, x.Value)+"To", x.T, w.place(x.Target), w.expr(x.Value))
	case x.Op.IsShift():
		return w.settled(fmt.Sprintf("%s %s", x.Op, value), x.Target, fmt.Sprintf(", %s v", w.typeName(value)), fmt.Sprintf("p %s= v; return p;", x.Op), w.amount(x.T.Kind, x.Value))
	default:
		return w.settled(fmt.Sprintf("%s %s", x.Op, value), x.Target, fmt.Sprintf(", %s v", w.typeName(value)), fmt.Sprintf("p %s= v; return p;", x.Op), w.expr(x.Value))
	}
}

// stepped writes ++ or -- of an integer that wanders and is read.
func (w *writer) stepped(x *tree.IncDec) string {
	op := "++"
	if x.Dec {
		op = "--"
	}
	if x.Prefix {
		return w.settled(op+"p", x.X, "", op+"p; return p;")
	}
	return w.settled("p"+op, x.X, "", fmt.Sprintf("%s before = p; p%s; return before;", w.typeName(x.T), op))
}

// settled writes the call of a helper that changes its first parameter p and returns a value of the
// same type.
func (w *writer) settled(key string, target tree.Expr, params, body string, args ...string) string {
	t := w.typeName(target.Type())
	name := w.helper("settled "+t+" "+key, func(name string) string {
		return fmt.Sprintf("%s %s(inout %s p%s) { %s }", t, name, t, params, body)
	})
	call := name + "(" + w.place(target)
	for _, a := range args {
		call += ", " + a
	}
	return call + ")"
}
