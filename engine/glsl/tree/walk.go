package tree

// Inspect visits e and the expressions inside it, parents first, left to right. When visit
// returns false the expressions inside are left out.
func Inspect(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, x := range Operands(e) {
		Inspect(x, visit)
	}
}

// Operands lists the direct operands of e in the order of evaluation; nil ones are left out.
func Operands(e Expr) []Expr {
	switch x := e.(type) {
	case *Field:
		return []Expr{x.X}
	case *Swizzle:
		return []Expr{x.X}
	case *Index:
		return []Expr{x.X, x.I}
	case *Length:
		return []Expr{x.X}
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.X, x.Y}
	case *Logical:
		return []Expr{x.X, x.Y}
	case *Conditional:
		return []Expr{x.Cond, x.Then, x.Else}
	case *Assign:
		return []Expr{x.Target, x.Value}
	case *IncDec:
		return []Expr{x.X}
	case *Comma:
		return []Expr{x.X, x.Y}
	case *Call:
		return argExprs(x.Args)
	case *BuiltinCall:
		return argExprs(x.Args)
	case *Atomic:
		return atomicOperands(x)
	case *Convert:
		return []Expr{x.X}
	case *Splat:
		return []Expr{x.X}
	case *Compose:
		return x.Parts
	default:
		return nil
	}
}

func argExprs(args []Arg) []Expr {
	list := make([]Expr, len(args))
	for i := range args {
		list[i] = args[i].X
	}
	return list
}

func atomicOperands(a *Atomic) []Expr {
	if a.Compare == nil {
		return []Expr{a.Target, a.Value}
	}
	return []Expr{a.Target, a.Compare, a.Value}
}

// Targets lists what an expression itself writes: what it assigns to, steps or changes by an atomic operation, and the out and inout
// arguments of a call.
func Targets(e Expr) []Expr {
	var args []Arg
	switch x := e.(type) {
	case *Assign:
		return []Expr{x.Target}
	case *IncDec:
		return []Expr{x.X}
	case *Atomic:
		return []Expr{x.Target}
	case *Call:
		args = x.Args
	case *BuiltinCall:
		args = x.Args
	}
	var list []Expr
	for i := range args {
		if args[i].Mode != ModeIn {
			list = append(list, args[i].X)
		}
	}
	return list
}

// AsGridBarrier returns the call when s is the statement gridBarrier(), else nil.
func AsGridBarrier(s Stmt) *BuiltinCall {
	e, ok := s.(*ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*BuiltinCall)
	if !ok || call.Builtin.ID != FnGridBarrier {
		return nil
	}
	return call
}

// InspectStmts visits s and the statements inside it, parents first, in source order.
func InspectStmts(s Stmt, visit func(Stmt)) {
	if s == nil {
		return
	}
	visit(s)
	for _, c := range Children(s) {
		InspectStmts(c, visit)
	}
}

// Children lists the statements directly inside s, in source order.
func Children(s Stmt) []Stmt {
	switch x := s.(type) {
	case *Block:
		return x.List
	case *If:
		return present(x.Then, x.Else)
	case *For:
		return append(condition(x.Init, x.CondDecl), x.Body)
	case *While:
		return append(condition(nil, x.CondDecl), x.Body)
	case *DoWhile:
		return []Stmt{x.Body}
	case *Switch:
		var list []Stmt
		for i := range x.Cases {
			list = append(list, x.Cases[i].Body...)
		}
		return list
	default:
		return nil
	}
}

func present(list ...Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

func condition(init Stmt, decl *Declare) []Stmt {
	list := present(init)
	if decl != nil {
		list = append(list, decl)
	}
	return list
}

// Exprs lists the expressions that belong to s itself, not to the statements inside it, in source
// order.
func Exprs(s Stmt) []Expr {
	switch x := s.(type) {
	case *Declare:
		var list []Expr
		for i := range x.Vars {
			list = appendExpr(list, x.Vars[i].Init)
		}
		return list
	case *ExprStmt:
		return []Expr{x.X}
	case *If:
		return []Expr{x.Cond}
	case *For:
		return appendExpr(appendExpr(nil, x.Cond), x.Post)
	case *While:
		return []Expr{x.Cond}
	case *DoWhile:
		return []Expr{x.Cond}
	case *Switch:
		return []Expr{x.Tag}
	case *Return:
		return appendExpr(nil, x.X)
	default:
		return nil
	}
}

func appendExpr(list []Expr, e Expr) []Expr {
	if e == nil {
		return list
	}
	return append(list, e)
}
