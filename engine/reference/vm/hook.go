package vm

import "slices"

// Hook looks at a group before or after it executes an instruction. The lanes that take part are those of LanesOn.
type Hook func(g *Group)

// Hooked is the same code with hooks around some instructions; nil hooks cost nothing. An after hook of an instruction
// that decides what runs next sees the lanes that are active then.
func (p *Linked) Hooked(hooks func(pc int) (before, after Hook)) *Linked {
	q := *p
	q.steps = slices.Clone(p.steps)
	for pc := range q.steps {
		if before, after := hooks(pc); before != nil || after != nil {
			q.steps[pc].hook(before, after)
		}
	}
	return &q
}

func (s *step) hook(before, after Hook) {
	call := func(h Hook, g *Group) {
		if h != nil {
			h(g)
		}
	}
	if run := s.run; s.jump == nil {
		s.run = func(g *Group, s *step) {
			call(before, g)
			run(g, s)
			call(after, g)
		}
		return
	}
	jump := s.jump
	s.jump = func(g *Group, s *step) int {
		call(before, g)
		next := jump(g, s)
		call(after, g)
		return next
	}
}

// LanesOn lists the active lanes in ascending order. The list is valid until the group continues.
func (g *Group) LanesOn() []int32 { return g.lanesOn() }

// Word is register reg of one lane; both must exist.
func (g *Group) Word(reg int32, lane int32) uint32 { return g.regs[int(reg)*g.lanes+int(lane)] }

// Words are a register of all lanes of a group, which keeps them.
func Words(g *Group, reg int32) []uint32 { return g.reg(int(reg) * g.lanes) }

// Spot is where the access of an instruction is to: N words from Base + i*Stride on, i being the lane's word of Index, which
// must be below Len; from Base on where Index is nil. Space is SpaceRegs for registers.
type Spot struct {
	Space  int32
	Base   int
	Stride int
	N      int
	Index  []uint32
	Len    uint32
}

// SpotOf tells where the access of the instruction at pc is to; that must have one.
func SpotOf(g *Group, pc int) Spot {
	in, s := &g.prog.code.Instrs[pc], &g.prog.steps[pc]
	a := &g.prog.code.Accesses[in.C]
	spot := Spot{Space: a.Space, Base: int(a.Base), N: Ops[in.Op].Kinds[0].Registers(1)}
	switch in.Op {
	case OpLoad, OpStore, OpLoadReg, OpStoreReg:
		spot.N = s.n
	}
	if s.a >= 0 {
		spot.Index, spot.Len, spot.Stride = g.reg(s.a), s.acc.len, s.acc.stride
	}
	return spot
}

// First is the first word that one lane accesses; false for an index out of range.
func (s *Spot) First(lane int32) (first int, ok bool) {
	if s.Index == nil {
		return s.Base, true
	}
	i := s.Index[lane]
	return s.Base + int(i)*s.Stride, i < s.Len
}

// Touches tells which words of a memory, or registers where space is SpaceRegs, the access of the instruction at pc is to
// in one lane. It is false for an index out of range; pc must be of an instruction with an access.
func (g *Group) Touches(pc int, lane int32) (space int32, first, n int, ok bool) {
	s := SpotOf(g, pc)
	first, ok = s.First(lane)
	return s.Space, first, s.N, ok
}
