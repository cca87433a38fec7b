package narrow

import (
	"vyretop/engine/glsl/tree"
)

// passing is the arguments of a call, what comes before it, and what stores results behind it.
type passing struct {
	before, after []tree.Expr
	args          []tree.Arg
}

// pass rewrites arguments. What a function writes to a packed block, or to a variable of a kind that has not all values of the parameter,
// goes through a temporary. The parameters have the types given, those of the text.
func (r *rewriter) pass(args []tree.Arg, params []*tree.Type) passing {
	var p passing
	for i, a := range args {
		switch {
		case a.Mode == tree.ModeIn:
			p.args = append(p.args, tree.Arg{X: r.value(a.X)})
		case inPacked(a.X):
			r.passPlace(&p, a, params[i])
		case a.X.Type().ComponentKind().IsNarrow() && !holds(a.X.Type().ComponentKind(), params[i].ComponentKind()):
			target, before := r.settled(r.access(a.X))
			v := r.temp(r.wide(params[i]), a.X.Pos())
			p.before = append(p.before, before...)
			p.args = append(p.args, tree.Arg{Mode: a.Mode, X: v})
			p.after = append(p.after, set(target, r.wrapped(converted(v, target.Type()), a.X.Type())))
		default:
			p.args = append(p.args, tree.Arg{Mode: a.Mode, X: r.access(a.X)})
		}
	}
	return p
}

// passPlace passes a part of a packed block, which is copied back.
func (r *rewriter) passPlace(p *passing, a tree.Arg, param *tree.Type) {
	at := r.locate(a.X)
	v := r.temp(r.wide(param), a.X.Pos())
	p.before = append(p.before, at.before...)
	at.before = nil
	if a.Mode == tree.ModeInOut {
		p.before = append(p.before, set(v, r.loadAt(at)))
	}
	p.args = append(p.args, tree.Arg{Mode: a.Mode, X: v})
	value := tree.Expr(v)
	if to := r.wide(a.X.Type()); to.Width > 0 || to.Matrix {
		value = converted(v, to)
		if !holds(a.X.Type().ComponentKind(), param.ComponentKind()) {
			value = r.wrapped(value, a.X.Type())
		}
	}
	p.after = append(p.after, r.store(at, value, false))
}

// around puts a call between what comes before and behind it; its value is that of the call.
func around(r *rewriter, call tree.Expr, p passing) tree.Expr {
	if len(p.after) == 0 {
		return sequence(append(p.before, call)...)
	}
	if call.Type() == tree.Void {
		return sequence(append(append(p.before, call), p.after...)...)
	}
	v := r.temp(call.Type(), call.Pos())
	return sequence(append(append(append(p.before, set(v, call)), p.after...), v)...)
}

func (r *rewriter) call(x *tree.Call) tree.Expr {
	params := make([]*tree.Type, len(x.Args))
	for i, v := range x.Func.Params {
		params[i] = v.InText()
	}
	p := r.pass(x.Args, params)
	return around(r, &tree.Call{Node: node(x.Func.Result, x.At), Func: x.Func, Args: p.args, Inserted: x.Inserted}, p)
}

// exactBuiltins give values that the narrow kind of their arguments has.
var exactBuiltins = map[tree.BuiltinID]bool{
	tree.FnSign: true, tree.FnFloor: true, tree.FnCeil: true, tree.FnTrunc: true, tree.FnRound: true, tree.FnRoundEven: true, tree.FnMin: true,
	tree.FnMax: true, tree.FnClamp: true, tree.FnMin3: true, tree.FnMid3: true, tree.FnMax3: true, tree.FnStep: true, tree.FnFaceForward: true, tree.FnTranspose: true, tree.FnFrexp: true,
}

func (r *rewriter) builtin(x *tree.BuiltinCall) tree.Expr {
	params, wide := make([]*tree.Type, len(x.Args)), make([]*tree.Type, len(x.Args))
	for i, q := range x.Signature.Params {
		params[i], wide[i] = q.Type, r.wide(q.Type)
	}
	p := r.pass(x.Args, params)
	s := signature(x.Builtin, wide)
	call := tree.Expr(&tree.BuiltinCall{Node: node(s.Result, x.At), Builtin: x.Builtin, Signature: s, Args: p.args})
	call = around(r, call, p)
	if k := x.T.ComponentKind(); !k.IsNarrow() || exactBuiltins[x.Builtin.ID] || x.Builtin.ID == tree.FnAbs && k == tree.KindFloat16 ||
		x.Builtin.ID == tree.FnMix && params[2].Kind == tree.KindBool {
		return call
	}
	return r.wrapped(call, x.T)
}

// atomic rewrites an atomic function. One on a packed block works on the word.
func (r *rewriter) atomic(x *tree.Atomic) tree.Expr {
	a := &tree.Atomic{Node: x.Node, Builtin: x.Builtin, Op: x.Op}
	if !inPacked(x.Target) {
		a.Target, a.Value = r.access(x.Target), r.value(x.Value)
		if x.Compare != nil {
			a.Compare = r.value(x.Compare)
		}
		return a
	}
	if extreme := x.Op == tree.AtomicMin || x.Op == tree.AtomicMax; x.T.Kind.Words() == 2 || extreme && x.T != tree.Uint || x.T == tree.Float && x.Op != tree.AtomicExchange {
		outside(r, x.At, x.Builtin.Name, "put the member into a block of its own", "%s on a value of type %s in a block with members of 8 or 16 bits or a scalar layout is outside the kernel language", x.Builtin.Name, x.T)
		return x
	}
	p := r.locate(x.Target)
	a.T, a.Target, a.Value = tree.Uint, p.word(p.address(0)), bitsOf(r.value(x.Value))
	if x.Compare != nil {
		a.Compare = bitsOf(r.value(x.Compare))
	}
	return sequence(append(p.before, fromBits(a, x.T.Kind))...)
}
