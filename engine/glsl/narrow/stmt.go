package narrow

import "vyretop/engine/glsl/tree"

// root rewrites a whole expression whose value is read.
func (r *rewriter) root(e tree.Expr) tree.Expr {
	clear(r.used)
	return r.value(e)
}

// effectOf rewrites a whole expression whose value is not read.
func (r *rewriter) effectOf(e tree.Expr) tree.Expr {
	clear(r.used)
	return r.effect(e)
}

// stmt rewrites a statement and those inside it, in place.
func (r *rewriter) stmt(s tree.Stmt) {
	switch x := s.(type) {
	case *tree.Declare:
		for i := range x.Vars {
			if x.Vars[i].Init != nil {
				x.Vars[i].Init = r.root(x.Vars[i].Init)
			}
		}
	case *tree.ExprStmt:
		x.X = r.effectOf(x.X)
	case *tree.If:
		x.Cond = r.root(x.Cond)
	case *tree.For:
		if x.Cond != nil {
			x.Cond = r.root(x.Cond)
		}
		if x.Post != nil {
			x.Post = r.effectOf(x.Post)
		}
	case *tree.While:
		x.Cond = r.root(x.Cond)
	case *tree.DoWhile:
		x.Cond = r.root(x.Cond)
	case *tree.Switch:
		x.Tag = r.root(x.Tag)
	case *tree.Return:
		if x.X != nil {
			x.X = r.root(x.X)
		}
	}
	for _, c := range tree.Children(s) {
		r.stmt(c)
	}
}

// effect rewrites an expression whose value is not read.
func (r *rewriter) effect(e tree.Expr) tree.Expr {
	switch x := e.(type) {
	case *tree.Assign:
		return r.assign(x, false)
	case *tree.IncDec:
		return r.incDec(x, false)
	case *tree.Comma:
		return sequence(r.effect(x.X), r.effect(x.Y))
	}
	return r.value(e)
}
