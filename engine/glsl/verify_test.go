package glsl

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// verify checks that a program keeps what package tree promises, and returns the first violation.
func verify(p *tree.Program) error {
	v := &verifier{}
	for i := range p.Globals {
		d := &p.Globals[i]
		v.same(d.Init, d.Var.Type)
		v.expr(d.Init)
	}
	for i, f := range p.Functions {
		if f.ID != i {
			v.fail("function %s has ID %d at index %d", f.Name, f.ID, i)
		}
		for j, l := range append(append([]*tree.Variable{}, f.Params...), f.Locals...) {
			if l.ID != j {
				v.fail("variable %s of %s has ID %d, want %d", l.Name, f.Name, l.ID, j)
			}
			if !l.Scope.Start.IsValid() || !l.Scope.End.IsValid() {
				v.fail("variable %s has the scope %v", l.Name, l.Scope)
			}
		}
		v.result = f.Result
		tree.InspectStmts(f.Body, v.stmt)
	}
	return v.err
}

type verifier struct {
	err    error
	result *tree.Type
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// same checks that e, if there is one, has type t.
func (v *verifier) same(e tree.Expr, t *tree.Type) {
	if e != nil && !e.Type().Equal(t) {
		v.fail("%s has type %s, want %s", tree.FormatExpr(e), e.Type(), t)
	}
}

func (v *verifier) stmt(s tree.Stmt) {
	if !s.Pos().IsValid() || !s.End().IsValid() {
		v.fail("a %T has no place: %v to %v", s, s.Pos(), s.End())
	}
	for _, e := range tree.Exprs(s) {
		v.expr(e)
	}
	switch x := s.(type) {
	case *tree.Declare:
		for i := range x.Vars {
			v.same(x.Vars[i].Init, x.Vars[i].Var.Type)
		}
	case *tree.If:
		v.same(x.Cond, tree.Bool)
	case *tree.While:
		v.same(x.Cond, tree.Bool)
	case *tree.DoWhile:
		v.same(x.Cond, tree.Bool)
	case *tree.For:
		v.same(x.Cond, tree.Bool)
	case *tree.Return:
		v.same(x.X, v.result)
	}
}

func (v *verifier) expr(e tree.Expr) {
	tree.Inspect(e, func(e tree.Expr) bool {
		if e.Type() == brokenType || !e.Pos().IsValid() {
			v.fail("%s has type %v at %v", tree.FormatExpr(e), e.Type(), e.Pos())
			return false
		}
		v.access(e)
		v.operator(e)
		v.build(e)
		return v.err == nil
	})
}

func (v *verifier) access(e tree.Expr) {
	switch x := e.(type) {
	case *tree.Const:
		if len(x.Bits) != x.T.Components() {
			v.fail("a constant of type %s has %d components", x.T, len(x.Bits))
		}
	case *tree.VarRef:
		v.same(e, x.Var.Type)
	case *tree.BufferRef:
		v.same(e, x.Buffer.Block.Members[x.Member].Type)
	case *tree.Field:
		v.same(e, x.X.Type().Struct.Members[x.Member].Type)
	case *tree.Index:
		v.same(e, x.X.Type().Element())
	case *tree.Swizzle:
		v.same(e, tree.Vector(x.X.Type().Kind, len(x.Lanes)))
	}
}

func (v *verifier) operator(e tree.Expr) {
	switch x := e.(type) {
	case *tree.Unary:
		v.same(x.X, x.T)
	case *tree.Binary:
		if x.Op.IsShift() {
			v.same(x.Y, x.X.Type().WithKind(x.Y.Type().Kind))
		} else if !withMatrix(x) || x.Op.IsEquality() {
			v.same(x.Y, x.X.Type())
		}
	case *tree.Logical:
		v.same(x.X, tree.Bool)
		v.same(x.Y, tree.Bool)
	case *tree.Conditional:
		v.same(x.Cond, tree.Bool)
		v.same(x.Then, x.T)
		v.same(x.Else, x.T)
	case *tree.Assign:
		v.same(x.Target, x.T)
		if x.Op == tree.OpNone {
			v.same(x.Value, x.T)
		}
	case *tree.Comma:
		v.same(x.Y, x.T)
	}
}

func (v *verifier) build(e tree.Expr) {
	switch x := e.(type) {
	case *tree.Convert:
		if !x.T.Matrix && (x.X.Type().Width != x.T.Width || x.X.Type().Kind == x.T.Kind) {
			v.fail("a conversion from %s to %s", x.X.Type(), x.T)
		}
	case *tree.Splat:
		v.same(x.X, x.T.Element())
	case *tree.Compose:
		n := 0
		for _, part := range x.Parts {
			n += part.Type().Components()
		}
		if n != x.T.Components() {
			v.fail("%s has %d components", tree.FormatExpr(x), n)
		}
	case *tree.Call:
		for i, a := range x.Args {
			if a.Mode != tree.ModeOut {
				v.same(a.X, x.Func.Params[i].Type)
			}
		}
	case *tree.BuiltinCall:
		for i, a := range x.Args {
			if a.Mode == tree.ModeIn {
				v.same(a.X, x.Signature.Params[i].Type)
			}
		}
	case *tree.Atomic:
		v.same(x.Target, x.T)
		v.same(x.Value, x.T)
	}
}
