package lower

import (
	"encoding/binary"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// constMark is added to the numbers of constant registers until their place is known.
const constMark = int32(vm.MaxRegs)

// temp reserves n consecutive registers until the next release.
func (l *lowerer) temp(n int) int32 {
	reg := l.next
	if n > vm.MaxRegs-int(l.next) {
		l.limit("registers", vm.MaxRegs)
		return reg
	}
	l.next += int32(n)
	l.high = max(l.high, l.next)
	return reg
}

// orTemp is hint, or a fresh temporary when there is none.
func (l *lowerer) orTemp(hint int32, n int) int32 {
	if hint != vm.None {
		return hint
	}
	return l.temp(n)
}

// release frees the registers reserved since mark, an earlier value of l.next.
func (l *lowerer) release(mark int32) { l.next = mark }

// mask reserves a mask register.
func (l *lowerer) mask() int32 {
	m := l.nextMask
	l.nextMask++
	l.code.Masks = max(l.code.Masks, int(l.nextMask))
	if l.code.Masks > vm.MaxMasks {
		l.limit("nested constructs", vm.MaxMasks)
	}
	return m
}

// constants gives the registers that hold the words, equal ones shared.
func (l *lowerer) constants(words ...uint32) int32 {
	key := make([]byte, 0, 4*len(words))
	for _, w := range words {
		key = binary.LittleEndian.AppendUint32(key, w)
	}
	reg, ok := l.consts[string(key)]
	if !ok {
		reg = constMark + int32(len(l.code.Consts))
		l.consts[string(key)] = reg
		l.code.Consts = append(l.code.Consts, words...)
	}
	if len(l.code.Consts) > vm.MaxRegs/2 {
		l.limit("constant words", vm.MaxRegs/2)
	}
	return reg
}

// filled gives n constant registers that hold the same word.
func (l *lowerer) filled(word uint32, n int) int32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = word
	}
	return l.constants(words...)
}

// finish puts the constant registers after the others.
func (l *lowerer) finish() {
	l.code.Regs = int(l.high) + len(l.code.Consts)
	if l.code.Regs > vm.MaxRegs {
		l.limit("registers", vm.MaxRegs)
	}
	for i := range l.code.Instrs {
		in := &l.code.Instrs[i]
		kinds := vm.Ops[in.Op].Kinds
		for k, operand := range [4]*int32{&in.D, &in.A, &in.B, &in.C} {
			if kinds[k].Registers(1) > 0 {
				l.place(operand)
			}
		}
	}
	for i := range l.records {
		if reg := int32(l.records[i].Reg); reg >= constMark {
			l.records[i].Reg += int(l.high - constMark)
		}
	}
	for i := range l.code.Accesses {
		if l.code.Accesses[i].Space == vm.SpaceRegs {
			l.place(&l.code.Accesses[i].Base)
		}
	}
}

func (l *lowerer) place(reg *int32) {
	if *reg >= constMark {
		*reg += l.high - constMark
	}
}

// variable returns the first register of a variable that lives in registers.
func (l *lowerer) variable(v *tree.Variable) int32 {
	if v.Kind == tree.VarInput {
		return inputRegs[v.Input]
	}
	return l.vars[v]
}

var inputRegs = [...]int32{
	tree.InputNumWorkGroups:        vm.RegNumWorkGroups,
	tree.InputWorkGroupID:          vm.RegWorkGroupID,
	tree.InputLocalInvocationID:    vm.RegLocalInvocationID,
	tree.InputGlobalInvocationID:   vm.RegGlobalInvocationID,
	tree.InputLocalInvocationIndex: vm.RegLocalInvocationIndex,
}

// bindVar makes reg the place of v from the next instruction on.
func (l *lowerer) bindVar(v *tree.Variable, reg int32) {
	l.vars[v] = reg
	l.open = append(l.open, len(l.records))
	l.records = append(l.records, Var{Variable: v, Reg: int(reg), From: len(l.code.Instrs), Call: l.call})
}

// closeScope ends the variables bound since there were n open ones.
func (l *lowerer) closeScope(n int) {
	for _, i := range l.open[n:] {
		l.records[i].To = len(l.code.Instrs)
	}
	l.open = l.open[:n]
}

// noteAssigned finds every variable that an expression changes. A parameter that is not among them
// can share the registers of its argument.
func (l *lowerer) noteAssigned() {
	note := func(target tree.Expr) {
		if ref, ok := tree.Root(target).(*tree.VarRef); ok {
			l.assigned[ref.Var] = true
		}
	}
	visit := func(e tree.Expr) bool {
		for _, target := range targets(e) {
			note(target)
		}
		return true
	}
	for _, f := range l.prog.Functions {
		tree.InspectStmts(f.Body, func(s tree.Stmt) {
			for _, e := range tree.Exprs(s) {
				tree.Inspect(e, visit)
			}
		})
	}
}

// noteParameters counts every parameter as one that is changed, so that it has registers of its own.
func noteParameters(p *tree.Program, assigned map[*tree.Variable]bool) {
	for _, f := range p.Functions {
		for _, v := range f.Params {
			assigned[v] = true
		}
	}
}

// targets lists the l-values that an expression itself changes, those inside it left out.
func targets(e tree.Expr) []tree.Expr {
	switch x := e.(type) {
	case *tree.Assign:
		return []tree.Expr{x.Target}
	case *tree.IncDec:
		return []tree.Expr{x.X}
	case *tree.Call:
		return outputs(x.Args)
	case *tree.BuiltinCall:
		return outputs(x.Args)
	default:
		return nil
	}
}

func outputs(args []tree.Arg) []tree.Expr {
	var list []tree.Expr
	for _, a := range args {
		if a.Mode != tree.ModeIn {
			list = append(list, a.X)
		}
	}
	return list
}

// changes reports whether evaluating e may change a variable.
func changes(e tree.Expr) bool {
	found := false
	tree.Inspect(e, func(x tree.Expr) bool {
		_, call := x.(*tree.Call)
		found = found || call || len(targets(x)) > 0
		return !found
	})
	return found
}
