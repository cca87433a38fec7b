package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Touch has a kernel notice when an invocation writes a value of a buffer: other invocations write the same buffer at the
// same time, so that a value which has changed does not tell which of them it was.
type Touch struct {
	Expr  string                 // of the value, as at module scope
	Files func(file string) bool // chooses the files whose writes count
	// Function is one of the kernel: uint f(uint index, uint watched, uint bit). It is called with each write that may be to
	// the value, with the first index of the place that is written, which must be its result, and that of the value; both are 0 where there is none.
	Function string
	Bit      uint32
}

// addTouches puts the calls into the functions of a program.
func addTouches(p *parser) {
	for _, o := range p.opts.Touches {
		x, err := Expression(o.Expr, p.prog, nil)
		if err != nil {
			p.malformed(p.pos(), o.Expr, "name a word of a buffer", "%q is not an expression of what the kernel declares", o.Expr)
			continue
		}
		t := &toucher{p: p, of: path(x), bit: o.Bit}
		if len(t.of) == 0 {
			p.malformed(p.pos(), o.Expr, "name a word of a buffer", "%q is not in a buffer", o.Expr)
			continue
		}
		for _, f := range p.prog.Functions {
			if f.Name == o.Function {
				t.call = f
			} else if t.call != nil && f.Body != nil && o.Files(f.Pos.File) {
				tree.InspectStmts(f.Body, t.statement)
			}
		}
	}
}

// path is the way to a place in a buffer, from the buffer on; nil for others.
func path(e tree.Expr) (steps []tree.Expr) {
	if _, ok := tree.Root(e).(*tree.BufferRef); !ok {
		return nil
	}
	for {
		steps = append([]tree.Expr{e}, steps...)
		switch x := e.(type) {
		case *tree.Field:
			e = x.X
		case *tree.Swizzle:
			e = x.X
		case *tree.Index:
			e = x.X
		default:
			return steps
		}
	}
}

// toucher adds the calls for one value.
type toucher struct {
	p    *parser
	of   []tree.Expr // way to the value
	bit  uint32
	call *tree.Function
	top  *tree.Expr // the expression of the statement that is looked at
}

func (t *toucher) statement(s tree.Stmt) {
	t.top = nil
	switch x := s.(type) {
	case *tree.ExprStmt:
		t.top = &x.X
	case *tree.For:
		if x.Post != nil {
			t.top = &x.Post
		}
	}
	for _, e := range tree.Exprs(s) {
		tree.Inspect(e, t.expr)
	}
}

func (t *toucher) expr(e tree.Expr) bool {
	switch x := e.(type) {
	case *tree.Assign:
		if index, may := t.mayWrite(x.Target); may && !t.wrap(index) {
			x.Value = t.before(x.Value)
		}
	case *tree.Atomic:
		if index, may := t.mayWrite(x.Target); may && !t.wrap(index) {
			x.Value = t.before(x.Value)
		}
	case *tree.IncDec:
		if index, may := t.mayWrite(x.X); may && !t.wrap(index) {
			t.incDec(x)
		}
	case *tree.Call:
		t.args(x.Args, x.Pos())
	case *tree.BuiltinCall:
		t.args(x.Args, x.Pos())
	}
	return true
}

// incDec puts the call before an increment that is a statement of its own.
func (t *toucher) incDec(x *tree.IncDec) {
	if t.top == nil || *t.top != tree.Expr(x) {
		t.refuse(x.Pos())
		return
	}
	*t.top = t.before(x)
}

func (t *toucher) refuse(at source.Pos) {
	t.p.malformed(at, "watched value", "write += 1u, or assign the result of the function", "this write of the value that is watched cannot be followed")
}

func (t *toucher) args(list []tree.Arg, at source.Pos) {
	for _, a := range list {
		if a.Mode == tree.ModeIn {
			continue
		}
		if index, may := t.mayWrite(a.X); may && !t.wrap(index) {
			t.refuse(at)
		}
	}
}

// indexes are the first indexes of a place that is written and of the value.
type indexes struct {
	written *tree.Index
	watched tree.Expr
}

// mayWrite reports whether a write to a place may change the value.
func (t *toucher) mayWrite(target tree.Expr) (first indexes, may bool) {
	steps := path(target)
	for i := range min(len(steps), len(t.of)) {
		switch x := steps[i].(type) {
		case *tree.BufferRef:
			if of := t.of[i].(*tree.BufferRef); of.Buffer != x.Buffer || of.Member != x.Member {
				return first, false
			}
		case *tree.Field:
			if of, ok := t.of[i].(*tree.Field); ok && of.Member != x.Member {
				return first, false
			}
		case *tree.Index:
			of, ok := t.of[i].(*tree.Index)
			if !ok {
				continue
			}
			a, fixed := x.I.(*tree.Const)
			b, same := of.I.(*tree.Const)
			if fixed && same && a.Bits[0] != b.Bits[0] {
				return first, false
			}
			if first.written == nil {
				first = indexes{x, of.I}
			}
		}
	}
	return first, len(steps) > 0
}

// wrap has the index of a place that is written pass through the call; false where there is none.
func (t *toucher) wrap(i indexes) bool {
	if i.written == nil {
		return false
	}
	x := i.written
	x.I = as(x.I.Type(), t.touch(as(tree.Uint, x.I), as(tree.Uint, i.watched), x.I.Pos()))
	return true
}

// before is an expression behind the call.
func (t *toucher) before(x tree.Expr) tree.Expr {
	at := x.Pos()
	return &tree.Comma{Node: tree.Node{T: x.Type(), At: at}, X: t.touch(uintConst(0, at), uintConst(0, at), at), Y: x}
}

func (t *toucher) touch(index, watched tree.Expr, at source.Pos) *tree.Call {
	return &tree.Call{Node: tree.Node{T: tree.Uint, At: at}, Func: t.call, Args: []tree.Arg{{X: index}, {X: watched}, {X: uintConst(t.bit, at)}}}
}
