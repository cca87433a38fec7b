package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// IndexChecks chooses the accesses whose index a kernel checks itself, for devices that do not report those out of range.
// The zero value chooses none.
type IndexChecks struct {
	Files func(file string) bool // chooses files by source.File.Name
	// Function is one of the kernel: uint f(uint index, uint length, uint number). Each index that is not constant becomes
	// its result, which must be the index; number is the place of the access in tree.Program.IndexChecks.
	Function string
}

// checkIndexes puts the calls into the functions of a program, but for the statements of except, so that marks change no
// numbers.
func checkIndexes(p *tree.Program, o IndexChecks, except map[tree.Stmt]bool) {
	if o.Files == nil {
		return
	}
	c := indexChecker{prog: p, except: except, kinds: map[*tree.Index]tree.AccessKind{}}
	for _, f := range p.Functions {
		if f.Name == o.Function {
			c.check = f
		} else if c.check != nil && o.Files(f.Pos.File) {
			c.function(f)
		}
	}
}

// indexChecker adds checks to functions below the one that checks.
type indexChecker struct {
	prog   *tree.Program
	check  *tree.Function
	except map[tree.Stmt]bool
	kinds  map[*tree.Index]tree.AccessKind // of those that do not only read
}

func (c *indexChecker) function(f *tree.Function) {
	tree.InspectStmts(f.Body, func(s tree.Stmt) {
		if c.except[s] {
			return
		}
		for _, e := range tree.Exprs(s) {
			tree.Inspect(e, func(e tree.Expr) bool {
				c.expr(f, e)
				return true
			})
		}
	})
}

// expr learns from an expression what becomes of its operands, and adds the check where it is an access itself.
func (c *indexChecker) expr(f *tree.Function, e tree.Expr) {
	switch x := e.(type) {
	case *tree.Assign:
		c.target(x.Target, tree.AccessWrite)
	case *tree.IncDec:
		c.target(x.X, tree.AccessWrite)
	case *tree.Atomic:
		c.target(x.Target, tree.AccessAtomic)
	case *tree.Call:
		c.args(x.Args)
	case *tree.BuiltinCall:
		c.args(x.Args)
	case *tree.Index:
		c.index(f, x)
	}
}

func (c *indexChecker) args(list []tree.Arg) {
	for _, a := range list {
		if a.Mode != tree.ModeIn {
			c.target(a.X, tree.AccessWrite)
		}
	}
}

// target notes the kind of the accesses that lead to what is written.
func (c *indexChecker) target(e tree.Expr, kind tree.AccessKind) {
	for ; e != nil; e = tree.Whole(e) {
		if x, ok := e.(*tree.Index); ok {
			c.kinds[x] = kind
		}
	}
}

// index replaces the index of an access by a call, unless it is known to be in range.
func (c *indexChecker) index(f *tree.Function, x *tree.Index) {
	of := x.X.Type()
	if _, fixed := x.I.(*tree.Const); fixed && of.Class != tree.ClassRuntimeArray {
		return
	}
	number := uint32(len(c.prog.IndexChecks))
	c.prog.IndexChecks = append(c.prog.IndexChecks, tree.IndexCheck{Pos: x.Pos(), Kind: c.kinds[x], Function: f})
	call := &tree.Call{
		Node: tree.Node{T: tree.Uint, At: x.I.Pos()}, Func: c.check,
		Args: []tree.Arg{{X: as(tree.Uint, x.I)}, {X: as(tree.Uint, elements(x))}, {X: uintConst(number, x.Pos())}},
	}
	x.I = as(x.I.Type(), call)
}

// elements is the number of elements that an access chooses from.
func elements(x *tree.Index) tree.Expr {
	switch of := x.X.Type(); of.Class {
	case tree.ClassRuntimeArray:
		return &tree.Length{Node: tree.Node{T: tree.Int, At: x.Pos()}, X: x.X}
	case tree.ClassArray:
		return uintConst(uint32(of.Len), x.Pos())
	default:
		return uintConst(uint32(of.Width), x.Pos())
	}
}

func uintConst(v uint32, at source.Pos) tree.Expr {
	return &tree.Const{Node: tree.Node{T: tree.Uint, At: at}, Bits: []uint32{v}}
}

// as converts an int or uint, which keeps its bits.
func as(t *tree.Type, e tree.Expr) tree.Expr {
	if e.Type() == t {
		return e
	}
	return &tree.Convert{Node: tree.Node{T: t, At: e.Pos()}, X: e}
}
