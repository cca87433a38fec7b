package lower

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// block lowers statements in a scope of their own.
func (l *lowerer) block(b *tree.Block) { l.scope(func() { l.list(b.List) }) }

// scope runs lower and then frees the registers and variables it reserved.
func (l *lowerer) scope(lower func()) {
	mark, open := l.next, len(l.open)
	lower()
	l.closeScope(open)
	l.release(mark)
}

// list lowers statements up to the first after which no lane is left.
func (l *lowerer) list(list []tree.Stmt) {
	for _, s := range list {
		if l.err != nil {
			return
		}
		l.stmt(s)
		if isLeave(s) {
			return
		}
	}
}

func isLeave(s tree.Stmt) bool {
	switch s.(type) {
	case *tree.Break, *tree.Continue, *tree.Return:
		return true
	default:
		return false
	}
}

func (l *lowerer) stmt(s tree.Stmt) {
	l.at(s.Pos())
	switch x := s.(type) {
	case *tree.Declare:
		for i := range x.Vars {
			l.declare(&x.Vars[i])
		}
	case *tree.ExprStmt:
		l.discard(x.X)
	case *tree.Block:
		l.block(x)
	case *tree.If:
		l.ifStmt(x)
	case *tree.For:
		l.scope(func() { l.forLoop(x) })
	case *tree.While:
		l.loop(loop{pos: x.From, decl: x.CondDecl, cond: x.Cond, body: x.Body})
	case *tree.DoWhile:
		l.loop(loop{pos: x.From, body: x.Body, until: x.Cond})
	case *tree.Switch:
		l.scope(func() { l.switchStmt(x) })
	case *tree.Break:
		l.leave(l.breakSet)
	case *tree.Continue:
		l.leave(l.continueSet)
	case *tree.Return:
		l.returnStmt(x)
	case *tree.Empty:
		if x.Breakpoint != "" {
			mark := l.next
			l.move(l.temp(1), l.constants(0), 1) // an instruction at which a debugger can stop
			l.release(mark)
		}
	default:
		panic("BUG: unknown statement in the typed tree")
	}
}

// declare reserves the registers of a variable and gives it its first value.
func (l *lowerer) declare(d *tree.Declarator) {
	n := d.Var.Type.Components()
	reg := l.temp(n)
	mark := l.next
	l.at(d.Var.Pos)
	if d.Init != nil {
		l.evalFresh(d.Init, reg)
	} else {
		l.unset = append(l.unset, Unset{d.Var, len(l.code.Instrs)})
		l.zero(reg, n)
	}
	l.release(mark)
	l.bindVar(d.Var, reg)
}

func (l *lowerer) ifStmt(x *tree.If) {
	mark := l.next
	cond := l.eval(x.Cond, vm.None)
	l.release(mark)
	l.at(x.From)
	b := branch{cond: cond, then: func() { l.nested(x.Then) }, end: x.To}
	if x.Else != nil {
		b.otherwise, b.middle = func() { l.nested(x.Else) }, x.Else.Pos()
	}
	l.branch(b)
}

// nested lowers the body of a construct, which is a scope even without braces.
func (l *lowerer) nested(s tree.Stmt) {
	l.scope(func() { l.stmt(s) })
}

// branch runs then for the lanes where cond holds and otherwise, which may be nil, for the rest.
// Middle and end are where a debugger sees the change from one to the other and the end.
type branch struct {
	cond            int32
	then, otherwise func()
	middle, end     source.Pos
}

func (l *lowerer) branch(b branch) {
	masks := l.nextMask
	saved, rest := l.mask(), l.mask()
	outer := l.merge
	next := &label{}
	next.uses = append(next.uses, l.emit(vm.OpIf, 0, saved, b.cond, rest, 0))
	l.merge = next
	b.then()
	if b.otherwise != nil {
		end := &label{}
		l.bind(next)
		l.at(b.middle)
		l.emitTo(vm.OpElse, rest, 0, end)
		l.merge, next = end, end
		b.otherwise()
	}
	l.bind(next)
	l.merge = outer
	l.at(b.end)
	l.emitTo(vm.OpMerge, saved, vm.None, outer)
	l.nextMask = masks
}

// leave ends the active lanes' part in the innermost construct that set belongs to.
func (l *lowerer) leave(set int32) { l.emitTo(vm.OpLeave, set, 0, l.merge) }

func (l *lowerer) returnStmt(x *tree.Return) {
	mark := l.next
	if x.X != nil {
		l.evalFresh(x.X, l.fn.result)
	}
	l.release(mark)
	if l.fn.returnSet != vm.None {
		l.at(x.From)
		l.leave(l.fn.returnSet)
	}
}
