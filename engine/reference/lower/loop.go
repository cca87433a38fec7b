package lower

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// loop is any of the three loop statements; absent parts are nil.
type loop struct {
	pos   source.Pos
	decl  *tree.Declare // declares the variable that cond reads
	cond  tree.Expr     // tested before the body
	body  tree.Stmt
	post  tree.Expr // evaluated after the body
	until tree.Expr // tested after the body: continues while it holds
}

func (l *lowerer) forLoop(x *tree.For) {
	if x.Init != nil {
		l.stmt(x.Init)
	}
	l.loop(loop{pos: x.From, decl: x.CondDecl, cond: x.Cond, body: x.Body, post: x.Post})
}

// loop lowers
//
//	enter; head: cond; test -> end; body; rejoin -> end; post; until; test -> end; repeat head; end: merge
func (l *lowerer) loop(x loop) {
	masks, outer := l.nextMask, l.merge
	breakSet, continueSet := l.breakSet, l.continueSet
	saved := l.mask()
	l.breakSet, l.continueSet = l.mask(), l.mask()

	l.at(x.pos)
	l.emit(vm.OpEnter, 0, saved, l.breakSet, l.continueSet, 0)
	head, end := int32(len(l.code.Instrs)), &label{}
	l.merge = end
	l.scope(func() { l.round(x, end) })
	l.at(x.pos)
	l.emit(vm.OpRepeat, 0, 0, 0, 0, head)

	l.bind(end)
	l.merge = outer
	l.emitTo(vm.OpMerge, saved, l.breakSet, outer)
	l.breakSet, l.continueSet, l.nextMask = breakSet, continueSet, masks
}

// round lowers one time around.
func (l *lowerer) round(x loop, end *label) {
	if x.decl != nil {
		l.stmt(x.decl)
	}
	if x.cond != nil {
		l.test(x.cond, end)
	}
	next := &label{}
	l.merge = next
	l.nested(x.body)
	l.bind(next)
	l.merge = end
	l.emitTo(vm.OpRejoin, l.continueSet, 0, end)
	if x.post != nil {
		l.discard(x.post)
	}
	if x.until != nil {
		l.test(x.until, end)
	}
}

// test lets the lanes continue where cond holds.
func (l *lowerer) test(cond tree.Expr, end *label) {
	if c, ok := cond.(*tree.Const); ok && c.Bits[0] != 0 {
		return
	}
	mark := l.next
	reg := l.eval(cond, vm.None)
	l.release(mark)
	l.at(cond.Pos())
	l.emitTo(vm.OpTest, 0, reg, end)
	guard(l, guardAlone(cond))
}

// guardAlone is the inserted guard of a condition that has nothing else to test; else nil.
func guardAlone(cond tree.Expr) tree.Expr {
	x, ok := cond.(*tree.Logical)
	if !ok {
		return cond
	}
	if c, ok := x.Y.(*tree.Const); ok && x.And && c.Bits[0] != 0 {
		return x.X
	}
	return nil
}

// switchStmt finds for every case the lanes that begin there, then lowers the cases one after the
// other; the lanes that fall through are still active when the next one's lanes join.
func (l *lowerer) switchStmt(x *tree.Switch) {
	starts := l.caseStarts(x)
	if len(starts) == 0 {
		return
	}
	masks, outer, breakSet := l.nextMask, l.merge, l.breakSet
	saved := l.mask()
	l.breakSet = l.mask()
	l.emit(vm.OpEnter, 0, saved, l.breakSet, vm.None, 0)
	var next *label
	for i := range x.Cases {
		c := &x.Cases[i]
		l.at(c.From)
		op, mask := vm.OpJoin, saved
		if i == 0 {
			op, mask = vm.OpTest, 0
		} else {
			l.bind(next)
		}
		next = &label{}
		l.emitTo(op, mask, starts[i], next)
		l.merge = next
		l.list(c.Body)
	}
	l.bind(next)
	l.merge = outer
	l.emitTo(vm.OpMerge, saved, l.breakSet, outer)
	l.breakSet, l.nextMask = breakSet, masks
}

// caseStarts gives for each case a register that holds 1 in the lanes that begin there.
func (l *lowerer) caseStarts(x *tree.Switch) []int32 {
	tag := l.copied(l.eval(x.Tag, vm.None), 1)
	starts := make([]int32, len(x.Cases))
	any, fallback := vm.None, -1
	for i := range x.Cases {
		if x.Cases[i].Default {
			fallback = i
		}
		starts[i] = l.matches(tag, x.Cases[i].Values)
		any = l.either(any, starts[i])
	}
	if fallback < 0 {
		return starts
	}
	none := l.constants(1)
	if any != vm.None {
		none = l.lanewise(vm.OpXor, 1, vm.None, any, l.constants(1))
	}
	starts[fallback] = l.either(starts[fallback], none)
	return starts
}

// matches compares the tag with each value; without values it gives None.
func (l *lowerer) matches(tag int32, values []uint32) int32 {
	found := vm.None
	for _, v := range values {
		found = l.either(found, l.lanewise(vm.OpEq, 1, vm.None, tag, l.constants(v)))
	}
	return found
}

// either joins two conditions, of which one may be None.
func (l *lowerer) either(a, b int32) int32 {
	switch {
	case a == vm.None:
		return b
	case b == vm.None:
		return a
	default:
		return l.lanewise(vm.OpOr, 1, vm.None, a, b)
	}
}
