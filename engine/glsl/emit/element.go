package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// NVIDIA's compiler (580.159) goes wrong with variables that have components of 64 bits and are indexed with what is not constant. It
// rounds elements of double to float, drops the upper half of those of uint64_t, refuses int64_t, and what stands in a structure beside
// one ("assembly compile error"), and does not know how to write a component of a dvec (C9999). Buffers are right, but for such a
// component; shared.go says what shared variables are. A probe finds such devices. There an index is compared with each constant that it may be:
// by functions that read an element, that change one and that call another function with one (testdata/found of package conformance, 0053 to 0060).

// isWide reports whether a value of type t has components of 64 bits.
func isWide(t *tree.Type) bool {
	return hasKind(t, tree.KindDouble) || hasKind(t, tree.KindInt64) || hasKind(t, tree.KindUint64)
}

// distrusts reports whether the device may go wrong with an index that is not constant of such a value.
func distrusts(w *writer, of *tree.Type) bool {
	if !isWide(of) {
		return false
	}
	w.memory.elements = true
	return !w.prelude.Device.Elements
}

// isCompared reports whether x is an index of a variable, or of a computed value, that is to be compared.
func isCompared(w *writer, x *tree.Index) bool {
	_, fixed := x.I.(*tree.Const)
	return !fixed && !inMemory(x) && distrusts(w, outermost(x).Type())
}

// isWrittenApart reports whether an index is to be compared where something is written.
func isWrittenApart(w *writer, x *tree.Index) bool {
	of := x.X.Type()
	if _, fixed := x.I.(*tree.Const); !fixed && inMemory(x) {
		return of.IsVector() && of.Kind == tree.KindDouble && distrusts(w, of)
	}
	return isCompared(w, x)
}

// outermost is the value of which e is a part, or e.
func outermost(e tree.Expr) tree.Expr {
	for whole := e; whole != nil; whole = tree.Whole(whole) {
		e = whole
	}
	return e
}

// isChangedApart reports whether what changes a place is a function that finds it.
func isChangedApart(w *writer, target tree.Expr) bool {
	return isElement(w, target) || movesItself(target) || asWords(w, target)
}

// isElement reports whether a place that is written has an index to compare.
func isElement(w *writer, e tree.Expr) bool {
	if asWords(w, e) {
		return false
	}
	for ; e != nil; e = tree.Whole(e) {
		if x, ok := e.(*tree.Index); ok && isWrittenApart(w, x) {
			return true
		}
	}
	return false
}

// element writes the element of an array, or the column of a matrix, at an index that is compared.
func element(w *writer, x *tree.Index) string {
	of, index := w.typeName(plain(x.X.Type())), w.typeName(x.I.Type())
	params, args := fmt.Sprintf("%s i, %s x", index, of), w.expr(x.I)+", "+part(w, x.X)
	if tree.Root(x) == nil { // the value comes first, as its computation may change the index
		params, args = fmt.Sprintf("%s x, %s i", of, index), part(w, x.X)+", "+w.expr(x.I)
	}
	name := w.helper("element "+params, func(name string) string {
		choices := compared(x.I.Type(), "i", x.X.Type().Len, func(i int) string { return fmt.Sprintf("return x[%d]; ", i) })
		return fmt.Sprintf("%s %s(%s) { %s}", w.typeName(plain(x.T)), name, params, choices)
	})
	return name + "(" + args + ")"
}

// compared writes what is done for each value of the index called name; the last one has the values out of range too.
func compared(index *tree.Type, name string, n int, do func(i int) string) (text string) {
	unsigned := ""
	if index.Kind == tree.KindUint {
		unsigned = "u"
	}
	for i := range n - 1 {
		text += fmt.Sprintf("if (%s == %d%s) { %s} ", name, i, unsigned, do(i))
	}
	return text + do(n-1)
}

// route is a function that has the indices of places, and the variables that they are of, as parameters.
type route struct {
	w            *writer
	params, args []string
	variables    []*tree.Variable // of the caller, that are passed
}

// local is a reference to a parameter or variable of the function.
func (r *route) local(letter string, n int, t *tree.Type) *tree.VarRef {
	v := &tree.Variable{Name: fmt.Sprintf("%s%s%d", reserved, letter, n), Kind: tree.VarParam, Type: plain(t)}
	return &tree.VarRef{Node: tree.Node{T: v.Type}, Var: v}
}

// declared is the declaration of such a variable.
func (r *route) declared(ref *tree.VarRef) string {
	return r.w.variable(ref.T, r.w.names.of(ref.Var.Name))
}

// parameter adds a parameter and the argument for it.
func (r *route) parameter(mode string, t *tree.Type, arg string) *tree.VarRef {
	ref := r.local("p", len(r.params), t)
	r.params = append(r.params, mode+r.declared(ref))
	r.args = append(r.args, arg)
	return ref
}

// place is e with parameters for its indices, and for its variable unless functions see that.
func (r *route) place(e tree.Expr) tree.Expr {
	switch x := e.(type) {
	case *tree.Field:
		return &tree.Field{Node: x.Node, X: r.place(x.X), Member: x.Member}
	case *tree.Swizzle:
		return &tree.Swizzle{Node: x.Node, X: r.place(x.X), Lanes: x.Lanes}
	case *tree.Index:
		of := r.place(x.X)
		if _, fixed := x.I.(*tree.Const); fixed {
			return &tree.Index{Node: x.Node, X: of, I: x.I}
		}
		return &tree.Index{Node: x.Node, X: of, I: r.parameter("", x.I.Type(), r.w.expr(x.I))}
	case *tree.VarRef:
		if x.Var.Kind == tree.VarLocal || x.Var.Kind == tree.VarParam {
			return r.passed(x.Var)
		}
	}
	return e
}

// passed refers to a variable of the caller.
func (r *route) passed(v *tree.Variable) *tree.VarRef {
	n := slices.Index(r.variables, v)
	if n < 0 {
		n = len(r.variables)
		r.variables = append(r.variables, v)
	}
	return r.local("v", n, v.Type)
}

// function writes a call of the function with that body. Variables come last, as the arguments before them may change them.
func (r *route) function(result *tree.Type, body string) string {
	params, args := r.params, r.args
	for _, v := range r.variables {
		params = append(params, "inout "+r.declared(r.passed(v)))
		args = append(args, r.w.names.of(v.Name))
	}
	rest := fmt.Sprintf("(%s) { %s}", strings.Join(params, ", "), body)
	t := r.w.typeName(plain(result))
	name := r.w.helper("route "+t+rest, func(name string) string { return t + " " + name + rest })
	return name + "(" + strings.Join(args, ", ") + ")"
}

// assignedApart writes an assignment that functions make; ok is false for another one.
func assignedApart(w *writer, x *tree.Assign) (text string, ok bool) {
	switch {
	case x.Op == tree.OpNone && asWords(w, x.Target):
		return storedAsWords(w, x), true
	case isElement(w, x.Target) || x.Op != tree.OpNone && isChangedApart(w, x.Target):
		return assignedElement(w, x), true
	}
	return "", false
}

// assignedElement writes an assignment to a place with indices that are compared.
func assignedElement(w *writer, x *tree.Assign) string {
	do := func(target, value tree.Expr) tree.Expr {
		return &tree.Assign{Node: x.Node, Op: x.Op, Target: target, Value: value}
	}
	if asWords(w, x.Target) {
		return changedAsWords(w, x.Target, x.Value, do)
	}
	return written(w, x.Target, x.Value, x.T, do)
}

// steppedElement writes ++ or -- of such a place.
func steppedElement(w *writer, x *tree.IncDec) string {
	do := func(target, _ tree.Expr) tree.Expr {
		return &tree.IncDec{Node: x.Node, Dec: x.Dec, Prefix: x.Prefix, X: target}
	}
	if asWords(w, x.X) {
		return changedAsWords(w, x.X, nil, do)
	}
	return written(w, x.X, nil, x.T, do)
}

// written writes an assignment or a step, done by do to a place with indices that are compared.
func written(w *writer, target, value tree.Expr, result *tree.Type, do func(target, value tree.Expr) tree.Expr) string {
	r := &route{w: w}
	place := r.place(target)
	if value != nil {
		value = r.parameter("", value.Type(), w.expr(value))
	}
	return r.function(result, choices(w, place, place, result, func(place tree.Expr) tree.Expr { return do(place, value) }))
}

// choices compares the indices of place, from that of rest to the outermost, and does it to the place with constant ones.
func choices(w *writer, place, rest tree.Expr, result *tree.Type, do func(place tree.Expr) tree.Expr) string {
	for ; rest != nil; rest = tree.Whole(rest) {
		x, ok := rest.(*tree.Index)
		if !ok || !isWrittenApart(w, x) {
			continue
		}
		n := x.X.Type().Len
		if x.X.Type().IsVector() {
			n = x.X.Type().Width
		}
		return compared(x.I.Type(), w.expr(x.I), n, func(i int) string {
			fixed := &tree.Const{Node: tree.Node{T: x.I.Type()}, Bits: []uint32{uint32(i)}}
			return choices(w, replaced(place, x, fixed), x.X, result, do)
		})
	}
	e := do(place)
	value := w.expr(e)
	list := renewals(w, e)
	if list == nil {
		return "return " + value + "; "
	}
	return fmt.Sprintf("%s r = %s; %s; return r; ", w.typeName(plain(result)), value, strings.Join(list, "; "))
}

// replaced is e with another index instead of that of at.
func replaced(e tree.Expr, at *tree.Index, index tree.Expr) tree.Expr {
	switch x := e.(type) {
	case *tree.Field:
		return &tree.Field{Node: x.Node, X: replaced(x.X, at, index), Member: x.Member}
	case *tree.Swizzle:
		return &tree.Swizzle{Node: x.Node, X: replaced(x.X, at, index), Lanes: x.Lanes}
	case *tree.Index:
		if x == at {
			return &tree.Index{Node: x.Node, X: x.X, I: index}
		}
		return &tree.Index{Node: x.Node, X: replaced(x.X, at, index), I: x.I}
	}
	return e
}
