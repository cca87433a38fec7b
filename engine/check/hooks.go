package check

import "vyretop/engine/reference/vm"

// hooks chooses what looks at each instruction.
func (c *checker) hooks(p *program) func(pc int) (before, after vm.Hook) {
	h := &hooker{c: c, p: p, unsets: newUnsets(c, p), indexes: newIndexes(c, p)}
	return func(pc int) (before, after vm.Hook) {
		var b, a hookList
		if follow := p.roles.Follow; follow != nil {
			b.add(follow(pc))
		}
		b.add(h.unsets.before(pc))
		a.add(h.unsets.after(pc))
		in := &p.code.Instrs[pc]
		switch {
		case in.Op == vm.OpBarrier || in.Op == vm.OpGridBarrier:
			a.add(c.passBarrier)
		case in.Op == vm.OpStore && c.toMemory(p, in):
			if set, _ := c.valued(p, in); set != nil {
				a.add(sets(pc, set))
			}
		}
		if p.handles(pc) {
			h.handled(pc, in, &b, &a)
		}
		return c.enter(b), c.enter(a)
	}
}

// hooker chooses hooks for one program.
type hooker struct {
	c       *checker
	p       *program
	unsets  *unsets
	indexes *indexes
}

// handled adds what looks at an instruction of a handler, or of a shader.
func (h *hooker) handled(pc int, in *vm.Instr, b, a *hookList) {
	switch in.Op {
	case vm.OpLoadReg:
		b.add(h.unsets.loadReg(pc))
	case vm.OpShl, vm.OpShrI, vm.OpShrU:
		if !h.p.below(in.B, int32(in.N), wordBits) {
			b.add(h.c.shift(in, pc))
		}
	}
	if makesNaN(in.Op) {
		a.add(h.c.nan(in, pc))
	}
	b.add(h.indexes.before(pc))
	if !h.c.toMemory(h.p, in) {
		return
	}
	space := h.p.code.Accesses[in.C].Space
	if h.p.from(space) >= 0 && !h.p.packed(space) {
		b.add(h.c.races.hook(h.p, pc))
	}
	set, memory := h.c.valued(h.p, in)
	if set == nil || in.Op == vm.OpStore {
		return
	}
	b.add(h.c.readsUnset(h.p, pc, memory, set))
	if in.Op != vm.OpLoad {
		b.add(sets(pc, set))
	}
}

// toMemory reports whether an instruction reads or writes a buffer or shared memory.
func (c *checker) toMemory(p *program, in *vm.Instr) bool {
	switch in.Op {
	case vm.OpOffset, vm.OpLength, vm.OpLoadReg, vm.OpStoreReg:
		return false
	}
	return vm.Ops[in.Op].Kinds[3] == vm.KindAccess && p.code.Accesses[in.C].Space >= 0
}

// passBarrier gives a workgroup the number of a barrier that it has passed.
func (c *checker) passBarrier(*vm.Group) {
	c.barriers++
	c.now.barrier = c.barriers
}

type hookList []vm.Hook

func (l *hookList) add(h vm.Hook) {
	if h != nil {
		*l = append(*l, h)
	}
}

// enter makes one hook of several.
func (c *checker) enter(list hookList) vm.Hook {
	switch {
	case len(list) == 0:
		return nil
	case len(list) == 1:
		return list[0]
	}
	return func(g *vm.Group) {
		for _, h := range list {
			h(g)
		}
	}
}
