package emit

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// Compilers compute how often a loop runs from the constants with which its counter starts, steps and is compared, and
// get wrong what wraps around: Mesa (22.3) takes while (true) { i++; if (i == 0u) break; … } for one round when i starts
// at 0, NVIDIA's (580.159) takes for (uint i = 5u; i <= 5u; i--) for one. So a condition that leaves a loop is compared
// with a bool of which the compiler knows nothing, unless the loop counts in a way that no compiler gets wrong.

// leaves writes a condition under which a loop ends or continues, so that the compiler cannot foresee it.
func (w *writer) leaves(cond tree.Expr) string {
	return "(" + w.expr(cond) + " != " + w.prelude.Call("never", 1) + ")"
}

// goesOn writes the condition of a loop.
func (w *writer) goesOn(cond tree.Expr) string {
	if c, ok := cond.(*tree.Const); ok && c.Bits[0] != 0 {
		return w.expr(cond)
	}
	return w.leaves(cond)
}

// forCondition writes the condition of a for loop, as it stands when the loop counts plainly.
func (w *writer) forCondition(x *tree.For) string {
	if x.CondDecl == nil && (x.Cond == nil || countsPlainly(x)) {
		return w.optional(x.Cond)
	}
	return w.condition(x.CondDecl, x.Cond)
}

// ifCondition writes the condition of an if, which may decide whether the loop around it ends.
func (w *writer) ifCondition(x *tree.If) string {
	if w.loops > 0 && (exits(x.Then) || x.Else != nil && exits(x.Else)) {
		return w.leaves(x.Cond)
	}
	return w.expr(x.Cond)
}

// tag writes the value of a switch, a case of which may return from a loop.
func (w *writer) tag(x *tree.Switch) string {
	if w.loops > 0 && returns(x) {
		name := map[tree.Kind]string{tree.KindInt: "hideInt", tree.KindUint: "hideUint"}[x.Tag.Type().Kind]
		return w.call(name, x.Tag.Type(), w.expr(x.Tag))
	}
	return w.expr(x.Tag)
}

// exits reports whether s has a break or a return that leaves the loop around s.
func exits(s tree.Stmt) bool {
	switch s.(type) {
	case *tree.Break:
		return true
	case *tree.For, *tree.While, *tree.DoWhile, *tree.Switch:
		return returns(s) // a break in it leaves it alone
	}
	for _, c := range tree.Children(s) {
		if exits(c) {
			return true
		}
	}
	_, is := s.(*tree.Return)
	return is
}

func returns(s tree.Stmt) (found bool) {
	tree.InspectStmts(s, func(s tree.Stmt) {
		_, is := s.(*tree.Return)
		found = found || is
	})
	return found
}

// countsPlainly reports whether a loop has a counter of its own that nothing else changes, and that reaches its limit
// before it could wrap around: either all is constant, or it takes steps of one up to < or down to > a limit.
func countsPlainly(x *tree.For) bool {
	v, start := counter(x.Init)
	cond, ok := x.Cond.(*tree.Binary)
	if v == nil || !ok || !refers(cond.X, v) || assigns(x.Body, v) || mentions(cond.Y, v) {
		return false
	}
	step, ok := stepOf(x.Post, v)
	if !ok {
		return false
	}
	if limit, ok := cond.Y.(*tree.Const); ok && start != nil {
		return reaches(v.Type.Kind, number(start), number(limit), step, cond.Op)
	}
	return (cond.Op == tree.Less && step == 1 || cond.Op == tree.Greater && step == -1) && !changes(cond.Y)
}

// counter is the int or uint that the beginning of a for loop declares, with its first value if that is constant.
func counter(init tree.Stmt) (*tree.Variable, *tree.Const) {
	d, ok := init.(*tree.Declare)
	if !ok || len(d.Vars) != 1 || !d.Vars[0].Var.Type.IsScalar() || !d.Vars[0].Var.Type.Kind.IsInteger32() {
		return nil, nil
	}
	start, _ := d.Vars[0].Init.(*tree.Const)
	return d.Vars[0].Var, start
}

// number is the value of a constant int or uint.
func number(c *tree.Const) int64 {
	if c.T.Kind == tree.KindInt {
		return int64(int32(c.Bits[0]))
	}
	return int64(c.Bits[0])
}

// stepOf is what the end of each round adds to v.
func stepOf(post tree.Expr, v *tree.Variable) (int64, bool) {
	switch x := post.(type) {
	case *tree.IncDec:
		if x.Dec {
			return -1, refers(x.X, v)
		}
		return 1, refers(x.X, v)
	case *tree.Assign:
		by, ok := x.Value.(*tree.Const)
		if !ok || !refers(x.Target, v) {
			return 0, false
		}
		switch x.Op {
		case tree.Add:
			return number(by), true
		case tree.Sub:
			return -number(by), true
		}
	}
	return 0, false
}

// reaches reports whether a counter gets to a value at which op no longer holds without leaving its type's range.
func reaches(kind tree.Kind, start, limit, step int64, op tree.BinaryOp) bool {
	switch {
	case step == 0:
		return false
	case op == tree.Less && step > 0 || op == tree.Greater && step < 0:
	case op == tree.LessEqual && step > 0:
		limit++
	case op == tree.GreaterEqual && step < 0:
		limit--
	case op == tree.NotEqual && (limit-start)%step == 0 && (limit-start)/step >= 0:
	default:
		return false
	}
	rounds := max(0, (limit-start)/step)
	if start+rounds*step != limit && (limit-start)/step >= 0 {
		rounds++
	}
	end := start + rounds*step
	return max(start, end) <= plainLimit && min(start, end) >= -plainLimit && (kind == tree.KindInt || min(start, end) >= 0)
}

// plainLimit bounds the values of a counter that a compiler may know about. NVIDIA's (580.159) refuses
// for (int i = 2147483647; i > -2147483647 - 1; i--) with breaks in it.
const plainLimit = 1 << 24

func refers(e tree.Expr, v *tree.Variable) bool {
	r, ok := e.(*tree.VarRef)
	return ok && r.Var == v
}

func mentions(e tree.Expr, v *tree.Variable) (found bool) {
	tree.Inspect(e, func(x tree.Expr) bool {
		found = found || refers(x, v)
		return !found
	})
	return found
}

// assigns reports whether a statement may change v.
func assigns(s tree.Stmt, v *tree.Variable) (found bool) {
	tree.InspectStmts(s, func(s tree.Stmt) {
		for _, e := range tree.Exprs(s) {
			tree.Inspect(e, func(x tree.Expr) bool {
				found = found || slices.ContainsFunc(tree.Targets(x), func(target tree.Expr) bool { return refers(target, v) })
				return !found
			})
		}
	})
	return found
}
