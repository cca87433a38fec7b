package vm

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// ErrInvalid is the kind of the errors of Verify.
const ErrInvalid fault.Kind = "invalid code"

// Verified is code that Verify has accepted.
type Verified struct{ code *Code }

// Code returns the code; it must not be changed.
func (v *Verified) Code() *Code { return v.code }

// Verify checks that code cannot make the machine leave its registers, masks, tables and memories,
// that it ends, that only repeat jumps backwards, and that its constructs nest.
func Verify(c *Code) (*Verified, error) {
	v := verifier{code: c}
	v.limits()
	for i := range c.Accesses {
		v.pc = -1
		v.access(&c.Accesses[i], i)
	}
	for pc := range c.Instrs {
		if v.err != nil {
			break
		}
		v.pc = pc
		v.instr(&c.Instrs[pc])
	}
	if v.err == nil {
		v.nesting()
	}
	if v.err != nil {
		return nil, v.err
	}
	return &Verified{c}, nil
}

type verifier struct {
	code *Code
	pc   int   // instruction, or -1 when the trouble is elsewhere
	err  error // the first found
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		e := &fault.Error{Kind: ErrInvalid, Subject: "invalid code", Detail: fmt.Sprintf(format, args...), Fix: "report the kernel that led to it"}
		if v.pc >= 0 {
			e.Subject += fmt.Sprintf(": instruction %d", v.pc)
		}
		v.err = e
	}
}

func (v *verifier) require(ok bool, format string, args ...any) {
	if !ok {
		v.fail(format, args...)
	}
}

func (v *verifier) limits() {
	c := v.code
	v.pc = -1
	lanes := uint64(1)
	for _, n := range c.LocalSize {
		v.require(n >= 1 && n <= MaxLanes, "local size %s", units.Extent(c.LocalSize))
		lanes *= uint64(min(n, MaxLanes+1))
	}
	v.require(lanes <= MaxLanes, "%d lanes, at most %d", lanes, MaxLanes)
	v.require(c.Regs <= MaxRegs && c.ConstBase() >= InputRegs, "%d registers with %d constants", c.Regs, len(c.Consts))
	v.require(c.Masks >= FixedMasks && c.Masks <= MaxMasks, "%d masks", c.Masks)
	n := len(c.Instrs)
	v.require(n >= 1 && n <= MaxInstrs, "%d instructions", n)
	v.require(n >= 1 && c.Instrs[n-1].Op == OpEnd, "the last instruction is not end")
	v.require(len(c.Where) == n, "%d source places for %d instructions", len(c.Where), n)
	for i, s := range c.Spaces {
		v.require(s.Words >= 0, "space %d has %d words", i, s.Words)
	}
	v.sites()
}

func (v *verifier) sites() {
	for _, w := range v.code.Where {
		v.require(w >= 0 && int(w) < len(v.code.Sites), "source place %d", w)
	}
	for _, s := range v.code.Sites {
		v.require(s.Call >= -1 && int(s.Call) < len(v.code.Calls), "call %d", s.Call)
	}
	for i, c := range v.code.Calls {
		v.require(c.Parent >= -1 && int(c.Parent) < i, "call %d inside call %d", i, c.Parent)
	}
}

// access checks that an access makes sense by itself.
func (v *verifier) access(a *Access, i int) {
	ok := a.Space >= SpaceRegs && int(a.Space) < len(v.code.Spaces) &&
		a.Base >= 0 && a.Stride >= 0 && a.Len >= 1 && a.N >= 0
	v.require(ok, "access %d is out of range: %+v", i, *a)
	if ok && a.Runtime {
		v.require(a.Space >= 0 && !v.code.Spaces[a.Space].Shared, "access %d: only a buffer has a runtime length", i)
		v.require(a.Stride >= 1 && a.Origin >= 0, "access %d: stride %d", i, a.Stride)
	}
}

// reach checks that every element that an access lets through lies in its space.
func (v *verifier) reach(a *Access) {
	if a.Runtime {
		v.require(int64(a.Base)+int64(a.N) <= int64(a.Origin)+int64(a.Stride), "the access reaches past its element")
		return
	}
	size := v.code.Regs
	if a.Space >= 0 {
		size = v.code.Spaces[a.Space].Words
	}
	v.require(a.last() <= int64(size), "the access reaches word %d of %d", a.last(), size)
}

// last is the number of words up to the end of the last element.
func (a *Access) last() int64 {
	return int64(a.Base) + int64(a.Len-1)*int64(a.Stride) + int64(a.N)
}

func (v *verifier) instr(in *Instr) {
	if int(in.Op) >= len(Ops) {
		v.fail("unknown operation %d", in.Op)
		return
	}
	for i, operand := range [4]int32{in.D, in.A, in.B, in.C} {
		v.operand(in, Ops[in.Op].Kinds[i], operand)
	}
	if v.err == nil && Ops[in.Op].Kinds[3] == KindAccess {
		v.memory(in, &v.code.Accesses[in.C])
	}
}

func (v *verifier) operand(in *Instr, k Kind, x int32) {
	n := int(in.N)
	switch k {
	case KindDst, KindDst1, KindDst64, KindDst1x64:
		v.writes(x, k.Registers(n))
	case KindSrc, KindSrc1, KindSrc2, KindSrc4, KindSrc64:
		v.reads(x, k.Registers(n))
	case KindSrc1Opt:
		v.require(x == None || x >= 0, "operand %d", x)
		v.reads(max(x, 0), 1)
	case KindMask:
		v.require(x >= FixedMasks && int(x) < v.code.Masks, "mask %d", x)
	case KindMaskOpt:
		v.require(x == None || x >= FixedMasks && int(x) < v.code.Masks, "mask %d", x)
	case KindForward:
		v.require(int(x) > v.pc && int(x) < len(v.code.Instrs), "jump to %d", x)
	case KindBackward:
		v.require(x >= 0 && int(x) <= v.pc, "jump back to %d", x)
	case KindAccess:
		v.require(x >= 0 && int(x) < len(v.code.Accesses), "access %d", x)
	}
}

func (v *verifier) reads(reg int32, n int) {
	v.require(reg >= 0 && n >= 1 && int(reg)+n <= v.code.Regs, "reads registers %d+%d of %d", reg, n, v.code.Regs)
}

func (v *verifier) writes(reg int32, n int) {
	v.require(reg >= InputRegs && n >= 1 && int(reg)+n <= v.code.ConstBase(), "writes registers %d+%d", reg, n)
}

// memory checks what an instruction asks of its access.
func (v *verifier) memory(in *Instr, a *Access) {
	registers := in.Op == OpLoadReg || in.Op == OpStoreReg
	switch in.Op {
	case OpOffset:
		return
	case OpLength:
		v.require(a.Runtime, "length of an access without a runtime length")
		return
	case OpLoad, OpStore, OpLoadReg, OpStoreReg:
		v.require(a.N == int32(in.N), "%d components through an access of %d", in.N, a.N)
	default:
		v.require(a.N == int32(Ops[in.Op].Kinds[0].Registers(1)), "atomic on %d words", a.N)
	}
	v.reach(a)
	v.require(registers == (a.Space == SpaceRegs), "access to the wrong kind of space")
	v.require(in.A != None || !a.Runtime, "a runtime access needs an index")
	if in.Op == OpStoreReg {
		v.require(a.Base >= InputRegs && a.last() <= int64(v.code.ConstBase()), "store to constant registers")
	}
}
