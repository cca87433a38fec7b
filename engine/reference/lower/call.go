package lower

import (
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// callFunction inlines a call and returns the registers of its result: into, if that is given. No
// expression of the call may be able to read those.
func (l *lowerer) callFunction(x *tree.Call, into int32) int32 {
	if l.err != nil {
		return vm.InputRegs
	}
	result := l.orTemp(into, x.Func.Result.Components())
	places := make([]place, len(x.Args))
	params := make([]int32, len(x.Args))
	for i := range x.Args {
		params[i] = l.argument(x, i, &places[i])
	}
	l.mark(x)
	l.inline(x, result, params)
	l.at(x.At)
	for i, a := range x.Args {
		if a.Mode != tree.ModeIn {
			p := x.Func.Params[i]
			l.store(places[i], l.converted(params[i], p.Type, a.X.Type(), vm.None))
		}
	}
	return result
}

// mark makes sure that an instruction stands at the place of a call, before those of the function.
func (l *lowerer) mark(x *tree.Call) {
	l.at(x.At)
	if n := len(l.code.Where); n > 0 {
		last := l.code.Sites[l.code.Where[n-1]]
		if last.Call == l.call && last.Pos.Line == x.At.Line && last.Pos.File == x.At.File {
			return
		}
	}
	l.emit(vm.OpMark, 0, 0, 0, 0, 0)
	guard(l, x)
}

// argument evaluates argument i and returns the registers that become the parameter: those of the
// argument itself when neither side can change them.
func (l *lowerer) argument(x *tree.Call, i int, target *place) int32 {
	param, a := x.Func.Params[i], x.Args[i]
	n := param.Type.Components()
	if a.Mode == tree.ModeIn && !l.assigned[param] && !laterChanges(x, i) {
		return l.outsideGlobals(l.eval(a.X, vm.None), n)
	}
	reg := l.temp(n)
	switch a.Mode {
	case tree.ModeIn:
		l.evalFresh(a.X, reg)
	case tree.ModeInOut:
		*target = l.locate(a.X, true)
		l.move(reg, l.load(*target, reg), n)
	default:
		*target = l.locate(a.X, true)
		l.unset = append(l.unset, Unset{param, len(l.code.Instrs)})
		l.zero(reg, n)
	}
	return reg
}

// laterChanges reports whether evaluating the arguments after the i-th changes variables.
func laterChanges(x *tree.Call, i int) bool {
	return slices.ContainsFunc(x.Args[i+1:], func(a tree.Arg) bool { return changes(a.X) })
}

// outsideGlobals copies a value that sits in a global, which the function may change.
func (l *lowerer) outsideGlobals(reg int32, n int) int32 {
	if reg >= vm.InputRegs && reg < l.globalsEnd {
		return l.copied(reg, n)
	}
	return reg
}

// inline lowers the body of a function with its parameters in the given registers.
func (l *lowerer) inline(x *tree.Call, result int32, params []int32) {
	caller := l.enterCall(x, result)
	scope := len(l.open)
	for i, p := range x.Func.Params {
		l.bindVar(p, params[i])
	}
	l.at(x.Func.Pos)
	if returnsOnlyAtEnd(x.Func) {
		l.fn.returnSet = vm.None
		l.clearResult(x.Func)
		l.block(x.Func.Body)
	} else {
		l.clearResult(x.Func)
		l.divergentBody(x.Func)
	}
	l.closeScope(scope)
	l.leaveCall(caller)
}

// clearResult makes the result zero where the function may end without a return.
func (l *lowerer) clearResult(f *tree.Function) {
	list := f.Body.List
	if len(list) > 0 {
		if _, ok := list[len(list)-1].(*tree.Return); ok {
			return
		}
	}
	l.zero(l.fn.result, f.Result.Components())
}

// divergentBody lowers a body in which lanes may return early; they wait at its end.
func (l *lowerer) divergentBody(f *tree.Function) {
	saved, returned := l.mask(), l.mask()
	l.emit(vm.OpEnter, 0, saved, returned, vm.None, 0)
	l.fn.returnSet = returned
	outer := l.merge
	end := &label{}
	l.merge = end
	l.block(f.Body)
	l.at(f.End)
	l.bind(end)
	l.merge = outer
	l.emitTo(vm.OpMerge, saved, returned, outer)
}

// suspended is what a call puts aside.
type suspended struct {
	fn                    frame
	call                  int32
	breakSet, continueSet int32
	nextMask, next        int32
}

func (l *lowerer) enterCall(x *tree.Call, result int32) suspended {
	s := suspended{l.fn, l.call, l.breakSet, l.continueSet, l.nextMask, l.next}
	l.code.Calls = append(l.code.Calls, vm.Call{Func: x.Func.Name, Pos: x.At, Parent: l.call, Inserted: x.Inserted})
	if l.call = int32(len(l.code.Calls) - 1); x.Func.Images != nil {
		l.images[l.call] = x.Func.Images
	}
	l.fn = frame{result: result}
	l.breakSet, l.continueSet = vm.None, vm.None
	return s
}

func (l *lowerer) leaveCall(s suspended) {
	l.fn, l.call, l.breakSet, l.continueSet = s.fn, s.call, s.breakSet, s.continueSet
	l.nextMask, l.next = s.nextMask, s.next
}

// returnsOnlyAtEnd reports whether no statement but the last of the body returns.
func returnsOnlyAtEnd(f *tree.Function) bool {
	returns := 0
	tree.InspectStmts(f.Body, func(s tree.Stmt) {
		if _, ok := s.(*tree.Return); ok {
			returns++
		}
	})
	if returns == 0 {
		return true
	}
	_, last := f.Body.List[len(f.Body.List)-1].(*tree.Return)
	return last && returns == 1
}
