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

// Touches tells which words of a memory, or registers where space is SpaceRegs, the access of the instruction at pc is to
// in one lane. It is false for an index out of range; pc must be of an instruction with an access.
func (g *Group) Touches(pc int, lane int32) (space int32, first, n int, ok bool) {
	in, s := &g.prog.code.Instrs[pc], &g.prog.steps[pc]
	a := &g.prog.code.Accesses[in.C]
	first, n = int(a.Base), 1
	switch in.Op {
	case OpLoad, OpStore, OpLoadReg, OpStoreReg:
		n = s.n
	}
	if s.a >= 0 {
		index := g.regs[s.a+int(lane)]
		if index >= s.acc.len {
			return 0, 0, 0, false
		}
		first += int(index) * s.acc.stride
	}
	return a.Space, first, n, true
}
