package vm

// construct is an open if, or an enter (loop, switch, call).
type construct struct {
	saved  int32
	other  int32 // the else mask of an if
	sets   [2]int32
	isIf   bool
	inElse bool
	start  int
}

// nesting checks that constructs open and close like brackets, that lanes leave only into a set of an
// open construct, and that every forward jump lands where the active lanes are set again.
func (v *verifier) nesting() {
	var open []construct
	for pc := range v.code.Instrs {
		v.pc = pc
		open = v.nest(open, &v.code.Instrs[pc])
		if v.err != nil {
			return
		}
	}
	v.require(len(open) == 0, "%d constructs are never closed", len(open))
}

func (v *verifier) nest(open []construct, in *Instr) []construct {
	if Ops[in.Op].Kinds[3] == KindForward {
		v.landing(in.C)
	}
	switch in.Op {
	case OpIf:
		return append(open, construct{saved: in.D, other: in.B, isIf: true, start: v.pc})
	case OpEnter:
		return append(open, construct{saved: in.D, sets: [2]int32{in.A, in.B}, start: v.pc})
	case OpLeave, OpRejoin, OpBarrier, OpGridBarrier:
		v.require(hasSet(open, in.D), "mask %d belongs to no open construct", in.D)
	case OpEnd:
		v.require(len(open) == 0, "end inside a construct")
	case OpElse, OpJoin, OpMerge, OpRepeat:
		return v.inside(open, in)
	}
	return open
}

// inside checks an instruction that belongs to the innermost construct.
func (v *verifier) inside(open []construct, in *Instr) []construct {
	if len(open) == 0 {
		v.fail("%s outside any construct", in.Op)
		return open
	}
	top := &open[len(open)-1]
	switch in.Op {
	case OpElse:
		v.require(top.isIf && !top.inElse && top.other == in.D, "else does not match the if")
		top.inElse = true
	case OpJoin:
		v.require(!top.isIf && top.saved == in.D, "join does not match the enter")
	case OpRepeat:
		v.require(!top.isIf && int(in.C) > top.start, "repeat leaves its construct")
	default:
		v.require(top.saved == in.D && (in.A == None || hasSet(open[len(open)-1:], in.A)), "merge does not match")
		return open[:len(open)-1]
	}
	return open
}

func (v *verifier) landing(target int32) {
	switch op := v.code.Instrs[target].Op; op {
	case OpElse, OpJoin, OpRejoin, OpMerge, OpEnd:
	default:
		v.fail("jump to %d, which is %s", target, op)
	}
}

func hasSet(open []construct, set int32) bool {
	for _, c := range open {
		if !c.isIf && (c.sets[0] == set || c.sets[1] == set) {
			return true
		}
	}
	return false
}
