package emit

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

func (w *writer) list(list []tree.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *writer) stmt(s tree.Stmt) {
	pos := s.Pos()
	switch x := s.(type) {
	case *tree.Declare:
		for i := range x.Vars {
			w.declare(&x.Vars[i])
		}
	case *tree.ExprStmt:
		w.line(pos, "%s;", strings.Join(append([]string{w.effect(x.X)}, renewals(w, x.X)...), "; "))
	case *tree.Block:
		w.block(pos, "", func() { w.list(x.List) })
	case *tree.If:
		w.ifStmt(x)
	case *tree.For:
		w.forStmt(x)
	case *tree.While:
		w.whileStmt(x)
	case *tree.DoWhile:
		w.doWhile(x)
	case *tree.Switch:
		w.switchStmt(x)
	case *tree.Break:
		w.line(pos, "break;")
	case *tree.Continue:
		w.continueStmt(pos)
	case *tree.Return:
		w.line(pos, "%s;", returned(w, x))
	case *tree.Empty:
		w.line(pos, ";")
	default:
		panic("BUG: unknown statement in the typed tree")
	}
}

// doWhile writes a do as a for that does not look at its condition the first time. llvmpipe (Mesa 22.3)
// loses what a lane read from memory in its last round of a do, when other lanes continue.
func (w *writer) doWhile(x *tree.DoWhile) {
	first := fmt.Sprintf("%sd%d", reserved, w.indent)
	w.block(x.Pos(), fmt.Sprintf("for (bool %s = true; %s || %s; %s = false)", first, first, w.goesOn(x.Cond), first), func() { w.loopBody(x.Body) })
}

// inner writes the statement that another one controls, without braces of its own.
func (w *writer) inner(s tree.Stmt) {
	if b, ok := s.(*tree.Block); ok {
		w.list(b.List)
		return
	}
	w.stmt(s)
}

func (w *writer) declare(d *tree.Declarator) {
	declaration := w.variable(d.Var.Type, w.names.of(d.Var.Name))
	if d.Var.Value != nil {
		declaration = "const " + declaration
	}
	w.initialize(d, declaration)
}

func (w *writer) ifStmt(x *tree.If) {
	w.block(x.From, "if ("+w.ifCondition(x)+")", func() { w.inner(x.Then) })
	if x.Else != nil {
		w.block(x.Else.Pos(), "else", func() { w.inner(x.Else) })
	}
}

// forStmt keeps the form of a for loop, whose continue goes to the step. What declares several
// variables, or needs a loop to clear one, stands before it in a block of its own.
func (w *writer) forStmt(x *tree.For) {
	loop := func() {
		head := "for (; " + w.forCondition(x) + "; " + w.optionalEffect(x.Post) + ")"
		w.block(x.From, head, func() { w.loopBody(x.Body) })
	}
	if x.Init == nil && x.CondDecl == nil {
		loop()
		return
	}
	w.block(x.From, "", func() {
		if x.Init != nil {
			w.stmt(x.Init)
		}
		w.declareCondition(x.From, x.CondDecl)
		loop()
	})
}

func (w *writer) whileStmt(x *tree.While) {
	loop := func() {
		w.block(x.From, "while ("+w.condition(x.CondDecl, x.Cond)+")", func() { w.loopBody(x.Body) })
	}
	if x.CondDecl == nil {
		loop()
		return
	}
	w.block(x.From, "", func() {
		w.declareCondition(x.From, x.CondDecl)
		loop()
	})
}

// declareCondition declares before a loop what its condition declares, for NVIDIA's compiler (580.159)
// refuses a declaration there.
func (w *writer) declareCondition(pos source.Pos, decl *tree.Declare) {
	if decl != nil {
		w.line(pos, "bool %s = false;", w.names.of(decl.Vars[0].Var.Name))
	}
}

func (w *writer) condition(decl *tree.Declare, cond tree.Expr) string {
	if decl == nil {
		return w.goesOn(cond)
	}
	d := &decl.Vars[0]
	return fmt.Sprintf("((%s = %s) != %s)", w.names.of(d.Var.Name), w.expr(d.Init), w.prelude.Call("never", 1))
}

func (w *writer) optional(e tree.Expr) string {
	if e == nil {
		return ""
	}
	return w.expr(e)
}

func (w *writer) optionalEffect(e tree.Expr) string {
	if e == nil {
		return ""
	}
	if e.Type() == tree.Void { // which a comma does not take
		return w.effect(e)
	}
	return strings.Join(append([]string{w.effect(e)}, renewals(w, e)...), ", ")
}
