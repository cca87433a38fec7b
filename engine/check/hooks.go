package check

import "vyretop/engine/reference/vm"

// hooks chooses what looks at each instruction.
func (c *checker) hooks() func(pc int) (before, after vm.Hook) {
	u := newUnsets(c)
	return func(pc int) (before, after vm.Hook) {
		in := &c.code.Instrs[pc]
		var b, a []vm.Hook
		add := func(list *[]vm.Hook, h vm.Hook) {
			if h != nil {
				*list = append(*list, h)
			}
		}
		add(&b, u.before(pc))
		add(&a, u.after(pc))
		switch in.Op {
		case vm.OpLoadReg:
			add(&b, u.loadReg(pc))
		case vm.OpShl, vm.OpShrI, vm.OpShrU:
			add(&b, c.shift(pc))
		case vm.OpBarrier, vm.OpGridBarrier:
			add(&a, func(*vm.Group) { c.now.barrier++ })
		}
		if makesNaN(in.Op) {
			add(&a, c.nan(pc))
		}
		if c.toMemory(in) {
			add(&b, c.races.hook(pc))
			c.sharedHooks(pc, func(h vm.Hook) { add(&b, h) })
		}
		return all(b), all(a)
	}
}

// toMemory reports whether an instruction reads or writes a buffer or shared memory.
func (c *checker) toMemory(in *vm.Instr) bool {
	switch in.Op {
	case vm.OpOffset, vm.OpLength, vm.OpLoadReg, vm.OpStoreReg:
		return false
	}
	return vm.Ops[in.Op].Kinds[3] == vm.KindAccess && c.code.Accesses[in.C].Space >= 0
}

// sharedHooks adds what knows which shared words have a value.
func (c *checker) sharedHooks(pc int, add func(vm.Hook)) {
	in := &c.code.Instrs[pc]
	if !c.code.Spaces[c.code.Accesses[in.C].Space].Shared {
		return
	}
	if in.Op != vm.OpStore {
		add(c.sharedRead(pc))
	}
	if in.Op != vm.OpLoad {
		add(c.sharedWrite(pc))
	}
}

func all(list []vm.Hook) vm.Hook {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return func(g *vm.Group) {
		for _, h := range list {
			h(g)
		}
	}
}
