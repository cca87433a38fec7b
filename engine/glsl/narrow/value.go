package narrow

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// inPacked reports whether an access chain begins in a block that is read as words.
func inPacked(e tree.Expr) bool {
	root, ok := tree.Root(e).(*tree.BufferRef)
	return ok && root.Buffer.Packed != nil
}

// ofSwizzle is e as an index, that is not constant, of a swizzle. Such a swizzle repeats components, so nothing is written there.
func ofSwizzle(e tree.Expr) (*tree.Index, bool) {
	x, ok := e.(*tree.Index)
	if !ok {
		return nil, false
	}
	_, fixed := x.I.(*tree.Const)
	_, swizzled := x.X.(*tree.Swizzle)
	return x, swizzled && !fixed
}

// value rewrites an expression whose value is read.
func (r *rewriter) value(e tree.Expr) tree.Expr {
	t, at := r.wide(e.Type()), e.Pos()
	switch x := e.(type) {
	case *tree.Const:
		return &tree.Const{Node: node(t, at), Bits: x.Bits}
	case *tree.VarRef, *tree.BufferRef, *tree.Field, *tree.Swizzle, *tree.Index:
		if x, ok := ofSwizzle(e); ok && inPacked(e) {
			return &tree.Index{Node: node(t, at), X: r.value(x.X), I: r.value(x.I)}
		}
		if inPacked(e) {
			return r.load(r.locate(e))
		}
		return r.access(e)
	case *tree.Length:
		return r.length(x)
	case *tree.Unary:
		return r.unary(x)
	case *tree.Binary:
		return r.operated(x.Op, r.value(x.X), r.value(x.Y), x.X.Type(), x.Y.Type(), x.T)
	case *tree.Logical:
		return &tree.Logical{Node: x.Node, And: x.And, X: r.value(x.X), Y: r.value(x.Y)}
	case *tree.Conditional:
		return &tree.Conditional{Node: node(t, at), Cond: r.value(x.Cond), Then: r.value(x.Then), Else: r.value(x.Else)}
	case *tree.Convert:
		return r.convert(x)
	case *tree.Splat:
		return &tree.Splat{Node: node(t, at), X: r.value(x.X)}
	case *tree.Compose:
		return &tree.Compose{Node: node(t, at), Parts: r.values(x.Parts)}
	}
	return r.action(e)
}

// action rewrites an expression that may change something.
func (r *rewriter) action(e tree.Expr) tree.Expr {
	switch x := e.(type) {
	case *tree.Assign:
		return r.assign(x, true)
	case *tree.IncDec:
		return r.incDec(x, true)
	case *tree.Comma:
		return sequence(r.effect(x.X), r.value(x.Y))
	case *tree.Call:
		return r.call(x)
	case *tree.BuiltinCall:
		return r.builtin(x)
	case *tree.Atomic:
		return r.atomic(x)
	}
	panic("BUG: unknown expression in the typed tree")
}

func (r *rewriter) values(list []tree.Expr) []tree.Expr {
	out := make([]tree.Expr, len(list))
	for i, e := range list {
		out[i] = r.value(e)
	}
	return out
}

// access rewrites an access chain that does not begin in a packed block: the same one, with the types of 32 bits.
func (r *rewriter) access(e tree.Expr) tree.Expr {
	t, at := e.Type(), e.Pos()
	if t.HasNarrow() {
		t = r.wide(t)
	}
	switch x := e.(type) {
	case *tree.VarRef:
		return &tree.VarRef{Node: node(t, at), Var: x.Var}
	case *tree.Field:
		return &tree.Field{Node: node(t, at), X: r.access(x.X), Member: x.Member}
	case *tree.Swizzle:
		return &tree.Swizzle{Node: node(t, at), X: r.access(x.X), Lanes: x.Lanes}
	case *tree.Index:
		return &tree.Index{Node: node(t, at), X: r.access(x.X), I: r.value(x.I)}
	case *tree.BufferRef:
		return x
	}
	return r.value(e)
}

// settled is an access chain whose indices are constants or temporaries, and what sets those.
func (r *rewriter) settled(e tree.Expr) (tree.Expr, []tree.Expr) {
	switch x := e.(type) {
	case *tree.Field:
		of, before := r.settled(x.X)
		return &tree.Field{Node: x.Node, X: of, Member: x.Member}, before
	case *tree.Swizzle:
		of, before := r.settled(x.X)
		return &tree.Swizzle{Node: x.Node, X: of, Lanes: x.Lanes}, before
	case *tree.Index:
		of, before := r.settled(x.X)
		i := x.I
		if _, fixed := i.(*tree.Const); !fixed {
			v := r.temp(i.Type(), i.Pos())
			i, before = v, append(before, set(v, i))
		}
		return &tree.Index{Node: x.Node, X: of, I: i}, before
	}
	return e, nil
}

// assign rewrites an assignment; wanted says that its value is read.
func (r *rewriter) assign(x *tree.Assign, wanted bool) tree.Expr {
	tx := x.Target.Type()
	if inPacked(x.Target) {
		p := r.locate(x.Target)
		if x.Op == tree.OpNone {
			return r.store(p, r.value(x.Value), wanted)
		}
		old := r.loadAt(p)
		return r.store(p, r.operated(x.Op, old, r.value(x.Value), tx, x.Value.Type(), tx), wanted)
	}
	target := r.access(x.Target)
	if x.Op == tree.OpNone || !tx.HasNarrow() {
		return &tree.Assign{Node: node(target.Type(), x.At), Op: x.Op, Target: target, Value: r.value(x.Value)}
	}
	target, before := r.settled(target)
	value := r.operated(x.Op, target, r.value(x.Value), tx, x.Value.Type(), tx)
	return sequence(append(before, &tree.Assign{Node: node(target.Type(), x.At), Target: target, Value: value})...)
}

// incDec rewrites ++ and --.
func (r *rewriter) incDec(x *tree.IncDec, wanted bool) tree.Expr {
	t := x.X.Type()
	op := tree.Add
	if x.Dec {
		op = tree.Sub
	}
	step := one(r, t, x)
	if inPacked(x.X) {
		p := r.locate(x.X)
		if x.Prefix || !wanted {
			return r.store(p, r.operated(op, r.loadAt(p), step, t, t, t), wanted)
		}
		old := r.temp(r.wide(t), x.At)
		stored := r.store(place{t: p.t, base: p.base, off: p.off, of: p.of, step: p.step, lanes: p.lanes}, r.operated(op, old, step, t, t, t), false)
		return sequence(append(slices.Clone(p.before), set(old, r.loadAt(p)), stored, old)...)
	}
	target := r.access(x.X)
	if !t.HasNarrow() {
		return &tree.IncDec{Node: x.Node, Dec: x.Dec, Prefix: x.Prefix, X: target}
	}
	target, before := r.settled(target)
	if x.Prefix || !wanted {
		return sequence(append(before, set(target, r.operated(op, target, step, t, t, t)))...)
	}
	old := r.temp(target.Type(), x.At)
	return sequence(append(before, set(old, target), set(target, r.operated(op, old, step, t, t, t)), old)...)
}
