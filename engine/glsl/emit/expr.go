package emit

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// expr writes an expression as a primary expression: whatever stands beside it, it needs no more
// brackets. A float that is not a number has the canonical bits when arithmetic made it.
func (w *writer) expr(e tree.Expr) string {
	if w.mayBeNaN(e) {
		return w.call("nan", e.Type(), w.raw(e))
	}
	return w.raw(e)
}

// raw is expr without the promise about NaN, for operands of what yields the same for every NaN.
func (w *writer) raw(e tree.Expr) string {
	switch x := e.(type) {
	case *tree.Const:
		return w.literal(x.T, x.Bits)
	case *tree.VarRef, *tree.BufferRef, *tree.Field, *tree.Swizzle, *tree.Index:
		return value(w, e)
	case *tree.Length:
		return w.expr(x.X) + ".length()"
	case *tree.Call:
		if returnsElement(w, x.Args) {
			return throughCopies(w, x.Args, x.T, func(args []tree.Arg) tree.Expr { return &tree.Call{Node: x.Node, Func: x.Func, Args: args} })
		}
		return w.callUser(x)
	case *tree.BuiltinCall:
		if returnsElement(w, x.Args) {
			return throughCopies(w, x.Args, x.T, func(args []tree.Arg) tree.Expr {
				return &tree.BuiltinCall{Node: x.Node, Builtin: x.Builtin, Signature: x.Signature, Args: args}
			})
		}
		return w.builtin(x)
	case *tree.Atomic:
		return w.atomic(x)
	case *tree.Splat:
		return w.typeName(x.T) + "(" + w.raw(x.X) + ")"
	case *tree.Compose:
		return constructor(w, x.T) + "(" + w.exprs(x.Parts) + ")"
	case *tree.Convert:
		return w.convert(x)
	default:
		return w.operator(e)
	}
}

// operator writes what GLSL writes with operators.
func (w *writer) operator(e tree.Expr) string {
	switch x := e.(type) {
	case *tree.Unary:
		return w.unary(x)
	case *tree.Binary:
		return w.binary(x)
	case *tree.Logical:
		op := "||"
		if x.And {
			op = "&&"
		}
		return fmt.Sprintf("(%s %s %s)", w.expr(x.X), op, w.expr(x.Y))
	case *tree.Conditional:
		return fmt.Sprintf("(%s ? %s : %s)", w.expr(x.Cond), branch(w, x.Then), branch(w, x.Else))
	case *tree.Comma:
		return fmt.Sprintf("(%s, %s)", w.effect(x.X), w.expr(x.Y))
	case *tree.Assign:
		if text, ok := assignedApart(w, x); ok {
			return text
		}
		if wanders(x.Target) {
			return w.assigned(x)
		}
		return "(" + w.assign(x) + ")"
	case *tree.IncDec:
		if isChangedApart(w, x.X) {
			return steppedElement(w, x)
		}
		if wanders(x.X) && !x.T.ComponentKind().IsFloat() {
			return w.stepped(x)
		}
		return "(" + w.incDec(x, true) + ")"
	default:
		panic("BUG: unknown expression in the typed tree")
	}
}

// effect writes an expression whose value is not read.
func (w *writer) effect(e tree.Expr) string {
	switch x := e.(type) {
	case *tree.Assign:
		if text, ok := assignedApart(w, x); ok {
			return text
		}
		return w.assign(x)
	case *tree.IncDec:
		if isChangedApart(w, x.X) {
			return steppedElement(w, x)
		}
		return w.incDec(x, false)
	case *tree.Comma:
		return w.effect(x.X) + ", " + w.effect(x.Y)
	default:
		return w.expr(e)
	}
}

// access writes what names a variable or a part of a value.
func (w *writer) access(e tree.Expr) string {
	switch x := e.(type) {
	case *tree.VarRef:
		if x.Var.Kind == tree.VarInput {
			return input(w, x.Var)
		}
		return w.names.of(x.Var.Name)
	case *tree.BufferRef:
		name := w.names.of(x.Buffer.Block.Members[x.Member].Name)
		if x.Buffer.Instance != "" {
			name = w.names.of(x.Buffer.Instance) + "." + name
		}
		return name
	case *tree.Field:
		return part(w, x.X) + "." + w.names.of(x.X.Type().Struct.Members[x.Member].Name)
	case *tree.Swizzle:
		return part(w, x.X) + "." + lanes(x)
	default:
		i := e.(*tree.Index)
		switch {
		case selected(i):
			return w.selection(i)
		case isCompared(w, i):
			return element(w, i)
		}
		return part(w, i.X) + chosenBy(w, i)
	}
}

// part writes what a part is taken of.
func part(w *writer, e tree.Expr) string {
	switch e.(type) {
	case *tree.VarRef, *tree.BufferRef, *tree.Field, *tree.Swizzle, *tree.Index:
		return w.access(e)
	default:
		return w.expr(e)
	}
}

func (w *writer) unary(x *tree.Unary) string {
	switch {
	case x.Op == tree.Neg && x.T.Matrix:
		return matrixNegated(w, x)
	case x.Op == tree.Neg && x.T.Kind.IsFloat():
		return w.call("neg", x.T, w.raw(x.X))
	case x.Op == tree.Neg: // NVIDIA's compiler (580.159) gets -i wrong when it finds that i is 2147483647
		one := map[tree.Kind]string{tree.KindInt: "1", tree.KindUint: "1u", tree.KindInt64: "1l", tree.KindUint64: "1ul"}[x.T.Kind]
		return "(~" + w.expr(x.X) + " + " + one + ")"
	case x.Op == tree.Plus:
		return w.expr(x.X)
	case x.Op == tree.Not && x.T.IsVector():
		return "not(" + w.expr(x.X) + ")"
	default:
		return "(" + x.Op.String() + w.expr(x.X) + ")"
	}
}

func (w *writer) binary(x *tree.Binary) string {
	if !x.Op.IsEquality() && (x.X.Type().Matrix || x.Y.Type().Matrix) {
		return matrixBinary(w, x)
	}
	if name, ok := floatBinary[x.Op]; ok && x.OperandKind().IsFloat() {
		return w.call(name, x.X.Type(), w.raw(x.X), w.raw(x.Y))
	}
	if w.guards(x) {
		return w.guarded(x)
	}
	if text, ok := w.integerBinary(x); ok {
		return text
	}
	return fmt.Sprintf("(%s %s %s)", operand(w, x.Op, x.X), x.Op, operand(w, x.Op, x.Y))
}

// assign writes an assignment without brackets. A compound one on floats names its target twice,
// unless evaluating it has effects.
func (w *writer) assign(x *tree.Assign) string {
	if x.Op == tree.OpNone {
		return fmt.Sprintf("%s = %s", w.place(x.Target), stored(w, x.Target, x.Value))
	}
	if x.T.Matrix || x.Value.Type().Matrix {
		return matrixAssign(w, plain(x.T), plain(x.Value.Type()), x.Op, w.place(x.Target), w.expr(x.Value))
	}
	if !x.T.Kind.IsFloat() {
		return w.integerAssign(x)
	}
	return w.update(x.T, floatBinary[x.Op], x.Target, w.raw(x.Value), changes(x.Value))
}

// update writes target = op(target, value); once says that the target must be evaluated once only,
// before the value.
func (w *writer) update(t *tree.Type, op string, target tree.Expr, value string, once bool) string {
	if once || changes(target) {
		return w.call(op+"To", t, w.place(target), value)
	}
	result := w.call(op, t, w.expr(target), value)
	if op != "div" {
		result = w.call("nan", t, result)
	}
	return fmt.Sprintf("%s = %s", w.place(target), result)
}

// incDec writes ++ or --; wanted says that the value is read.
func (w *writer) incDec(x *tree.IncDec, wanted bool) string {
	if x.T.Matrix {
		return matrixStep(w, x)
	}
	op, name := "++", "add"
	if x.Dec {
		op, name = "--", "sub"
	}
	switch {
	case x.T.Kind.IsFloat() && (x.Prefix || !wanted):
		return w.update(x.T, name, x.X, w.one(x.T), wanted && wanders(x.X))
	case x.T.Kind.IsFloat():
		return w.call(name+"After", x.T, w.place(x.X), w.one(x.T))
	case x.Prefix:
		return op + w.place(x.X)
	default:
		return w.place(x.X) + op
	}
}

func (w *writer) atomic(x *tree.Atomic) string {
	operands := []tree.Expr{x.Target, x.Value}
	if x.Compare != nil {
		operands = []tree.Expr{x.Target, x.Compare, x.Value}
	}
	return x.Builtin.Name + "(" + w.exprs(operands) + ")"
}

func (w *writer) exprs(list []tree.Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = w.expr(e)
	}
	return strings.Join(parts, ", ")
}

func (w *writer) args(list []tree.Arg) string {
	parts := make([]string, len(list))
	for i := range list {
		if list[i].Mode == tree.ModeIn {
			parts[i] = w.expr(list[i].X)
		} else {
			parts[i] = w.place(list[i].X)
		}
	}
	return strings.Join(parts, ", ")
}

// evenArgs writes the arguments of min, max or clamp on integers with scalars widened to the vectors beside
// them: Mesa (22.3) crashes on clamp(max(uvec2(0u), n), 3u, 9u).y.
func (w *writer) evenArgs(x *tree.BuiltinCall) string {
	switch x.Builtin.ID {
	case tree.FnMin, tree.FnMax, tree.FnClamp:
	default:
		return w.args(x.Args)
	}
	parts := make([]string, len(x.Args))
	for i := range x.Args {
		if parts[i] = w.expr(x.Args[i].X); x.T.IsVector() && x.Args[i].X.Type().IsScalar() {
			parts[i] = w.typeName(x.T) + "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, ", ")
}

// changes reports whether evaluating e can change a variable.
func changes(e tree.Expr) bool {
	found := false
	tree.Inspect(e, func(x tree.Expr) bool {
		switch x := x.(type) {
		case *tree.Assign, *tree.IncDec, *tree.Call, *tree.Atomic:
			found = true
		case *tree.BuiltinCall:
			for i := range x.Args {
				found = found || x.Args[i].Mode != tree.ModeIn
			}
		}
		return !found
	})
	return found
}
