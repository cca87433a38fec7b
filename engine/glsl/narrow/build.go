package narrow

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// File is the file of temporaries in positions.
const File = "vyretop/narrow"

func node(t *tree.Type, at source.Pos) tree.Node { return tree.Node{T: t, At: at} }

// number is a constant with the same word in each component.
func number(t *tree.Type, word uint32, at source.Pos) *tree.Const {
	return &tree.Const{Node: node(t, at), Bits: slices.Repeat([]uint32{word}, t.Width)}
}

func number32(word uint32, at source.Pos) *tree.Const { return number(tree.Uint, word, at) }

// operation is x op y, of values of the type of x; one of constants is folded as far as addresses need it.
func operation(op tree.BinaryOp, x, y tree.Expr) tree.Expr {
	a, ok := x.(*tree.Const)
	b, both := y.(*tree.Const)
	if ok && both && a.T == tree.Uint {
		switch op {
		case tree.Add:
			return number32(a.Bits[0]+b.Bits[0], a.At)
		case tree.BitAnd:
			return number32(a.Bits[0]&b.Bits[0], a.At)
		case tree.ShiftRight:
			return number32(a.Bits[0]>>b.Bits[0], a.At)
		case tree.ShiftLeft:
			return number32(a.Bits[0]<<b.Bits[0], a.At)
		}
	}
	if both && b.Bits[0] == 0 && b.T == tree.Uint && (op == tree.Add || op.IsShift()) {
		return x
	}
	return &tree.Binary{Node: node(x.Type(), x.Pos()), Op: op, X: x, Y: y}
}

// compared is a comparison of two scalars.
func compared(op tree.BinaryOp, x, y tree.Expr) tree.Expr {
	return &tree.Binary{Node: node(tree.Bool, x.Pos()), Op: op, X: x, Y: y}
}

// converted converts a value to another kind without a rounding of its own.
func converted(x tree.Expr, t *tree.Type) tree.Expr {
	if x.Type().Equal(t) {
		return x
	}
	return &tree.Convert{Node: node(t, x.Pos()), X: x, Implicit: true}
}

// called is a call of a built-in function on values.
func called(name string, args ...tree.Expr) tree.Expr {
	b := tree.LookupBuiltin(name)
	types := make([]*tree.Type, len(args))
	list := make([]tree.Arg, len(args))
	for i, x := range args {
		types[i], list[i] = x.Type(), tree.Arg{X: x}
	}
	s := signature(b, types)
	return &tree.BuiltinCall{Node: node(s.Result, args[0].Pos()), Builtin: b, Signature: s, Args: list}
}

// signature is the overload with parameters of some types.
func signature(b *tree.Builtin, types []*tree.Type) *tree.Signature {
	for i := range b.Signatures {
		s := &b.Signatures[i]
		if slices.EqualFunc(s.Params, types, func(q tree.Param, t *tree.Type) bool { return q.Type.Equal(t) }) {
			return s
		}
	}
	panic(fmt.Sprintf("BUG: %s has no overload for %v", b.Name, types))
}

func swizzled(x tree.Expr, lanes ...uint8) tree.Expr {
	return &tree.Swizzle{Node: node(tree.Vector(x.Type().Kind, len(lanes)), x.Pos()), X: x, Lanes: lanes}
}

func composed(t *tree.Type, parts ...tree.Expr) tree.Expr {
	if len(parts) == 1 && parts[0].Type().Equal(t) {
		return parts[0]
	}
	return &tree.Compose{Node: node(t, parts[0].Pos()), Parts: parts}
}

// element is element or component i of a value.
func element(x tree.Expr, i int) tree.Expr {
	at := &tree.Const{Node: node(tree.Int, x.Pos()), Bits: []uint32{uint32(i)}}
	return &tree.Index{Node: node(x.Type().Element(), x.Pos()), X: x, I: at}
}

// sequence evaluates expressions one after the other; its value is that of the last one.
func sequence(list ...tree.Expr) tree.Expr {
	last := list[len(list)-1]
	for i := len(list) - 2; i >= 0; i-- {
		last = &tree.Comma{Node: node(last.Type(), list[i].Pos()), X: list[i], Y: last}
	}
	return last
}

// set is an assignment to a variable or a part of one.
func set(target, value tree.Expr) tree.Expr {
	return &tree.Assign{Node: node(target.Type(), value.Pos()), Target: target, Value: value}
}

// temp gives a variable that nothing else uses in this expression.
func (r *rewriter) temp(t *tree.Type, at source.Pos) *tree.VarRef {
	i := slices.IndexFunc(r.temps, func(v *tree.Variable) bool { return !r.used[v] && v.Type.Equal(t) })
	if i < 0 {
		i = len(r.temps)
		v := &tree.Variable{Name: fmt.Sprintf("vt_t%d", i), Kind: r.kind, Type: t, Pos: source.Pos{File: File, Line: 1, Col: 1}}
		if r.kind == tree.VarGlobal {
			v.Name = fmt.Sprintf("vt_g%d", i)
		}
		r.temps = append(r.temps, v)
	}
	r.used[r.temps[i]] = true
	return &tree.VarRef{Node: node(t, at), Var: r.temps[i]}
}

func (r *rewriter) begin(k tree.VarKind) { r.temps, r.kind, r.used = nil, k, map[*tree.Variable]bool{} }

func outside(r *rewriter, at source.Pos, construct, fix, format string, args ...any) {
	r.diags = append(r.diags, source.Diagnostic{
		Kind: source.OutsideSubset, Pos: at, Construct: construct, Message: fmt.Sprintf(format, args...), Fix: fix,
	})
}
