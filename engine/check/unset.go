package check

import "vyretop/engine/reference/vm"

// bits are registers of each lane.
type bits struct {
	words []uint64
	lanes int
}

func (b *bits) init(regs, lanes int) { b.words, b.lanes = make([]uint64, (regs*lanes+63)/64), lanes }

func (b *bits) has(reg, lane int32) bool {
	i := int(reg)*b.lanes + int(lane)
	return b.words[i>>6]>>(i&63)&1 == 1
}

func (b *bits) put(reg, lane int32, on bool) {
	i := int(reg)*b.lanes + int(lane)
	if on {
		b.words[i>>6] |= 1 << (i & 63)
	} else {
		b.words[i>>6] &^= 1 << (i & 63)
	}
}

// unsets finds reads of variables that have no value. Only instructions that use a register of such a variable, or of a
// copy of one, are looked at.
type unsets struct {
	c     *checker
	p     *program
	names map[int]string // of the variable that an instruction leaves without a value
	regs  []bool         // that may be without a value
}

func newUnsets(c *checker, p *program) *unsets {
	u := &unsets{c: c, p: p, names: map[int]string{}, regs: make([]bool, p.code.Regs)}
	for _, x := range p.low.Unset {
		if !p.within(x.PC) {
			continue
		}
		u.names[x.PC] = x.Variable.Name
		u.mark(p.code.Instrs[x.PC].D, p.code.Instrs[x.PC].N)
	}
	for again := len(u.names) > 0; again; { // copies of copies
		again = false
		for i := range p.code.Instrs {
			if in := &p.code.Instrs[i]; passesOn(in.Op) && u.uses(in) && !u.regs[in.D] {
				again = u.mark(in.D, in.N) || again
			}
		}
	}
	return u
}

func (u *unsets) mark(reg int32, n uint16) (news bool) {
	for i := range int32(n) {
		news = news || !u.regs[reg+i]
		u.regs[reg+i] = true
	}
	return news
}

// passesOn reports whether an operation copies its operand A, value or not.
func passesOn(op vm.Op) bool { return op == vm.OpMove }

// reads yields the registers that an instruction reads.
func reads(in *vm.Instr, yield func(reg int32)) {
	for i, operand := range [4]int32{in.D, in.A, in.B, in.C} {
		kind := vm.Ops[in.Op].Kinds[i]
		if kind.Writes() {
			continue
		}
		for k := range int32(kind.Registers(int(in.N))) {
			if operand >= 0 {
				yield(operand + k)
			}
		}
	}
}

func (u *unsets) uses(in *vm.Instr) (uses bool) {
	reads(in, func(reg int32) { uses = uses || u.regs[reg] })
	return uses
}

// before looks at what an instruction reads.
func (u *unsets) before(pc int) vm.Hook {
	in := &u.p.code.Instrs[pc]
	if passesOn(in.Op) && in.N > 1 || !u.uses(in) || !u.p.handles(pc) {
		return nil
	}
	var regs []int32
	reads(in, func(reg int32) {
		if u.regs[reg] {
			regs = append(regs, reg)
		}
	})
	return func(*vm.Group) {
		g := u.c.now
		for _, lane := range g.LanesOn() {
			for _, reg := range regs {
				if g.unset.has(reg, lane) {
					u.report(pc, lane, reg)
				}
			}
		}
	}
}

// after notes what an instruction gives a value, and what it leaves without one.
func (u *unsets) after(pc int) vm.Hook {
	if !u.p.within(pc) {
		return nil
	}
	in := &u.p.code.Instrs[pc]
	n := written(in)
	_, leaves := u.names[pc]
	copies := passesOn(in.Op) && in.N > 1
	if in.Op == vm.OpStoreReg {
		if len(u.names) == 0 {
			return nil
		}
		return u.storeReg(pc)
	}
	marked := false
	for k := range n {
		marked = marked || u.regs[in.D+k]
	}
	if !marked {
		return nil
	}
	return func(*vm.Group) {
		g := u.c.now
		for _, lane := range g.LanesOn() {
			for k := range n {
				g.unset.put(in.D+k, lane, leaves || copies && g.unset.has(in.A+k, lane))
			}
		}
	}
}

// storeReg notes a write to an element of an array in registers.
func (u *unsets) storeReg(pc int) vm.Hook {
	return func(*vm.Group) {
		g := u.c.now
		for _, lane := range g.LanesOn() {
			if _, first, n, ok := g.Touches(pc, lane); ok {
				for k := range n {
					g.unset.put(int32(first+k), lane, false)
				}
			}
		}
	}
}

// loadReg looks at the element that a read of an array in registers is of.
func (u *unsets) loadReg(pc int) vm.Hook {
	return func(*vm.Group) {
		g := u.c.now
		for _, lane := range g.LanesOn() {
			_, first, n, ok := g.Touches(pc, lane)
			for k := range n {
				if ok && g.unset.has(int32(first+k), lane) {
					u.report(pc, lane, int32(first+k))
					break
				}
			}
		}
	}
}

func (u *unsets) report(pc int, lane, reg int32) {
	u.c.findWith(Uninitialized, pc, lane, "read", func() string { return u.name(pc, reg) + " is read without a value" })
}

// name is the variable that is in a register at an instruction.
func (u *unsets) name(pc int, reg int32) string {
	for i := len(u.p.low.Vars) - 1; i >= 0; i-- {
		v := u.p.low.Vars[i]
		if pc >= v.From && pc <= v.To && int(reg) >= v.Reg && int(reg) < v.Reg+v.Variable.Type.Components() {
			return v.Variable.Name
		}
	}
	return "a variable"
}

// readsUnset looks at reads of words of a memory that nothing has written. set tells which have been.
func (c *checker) readsUnset(p *program, pc int, memory string, set func() []bool) vm.Hook {
	return func(g *vm.Group) {
		has := set()
		for _, lane := range g.LanesOn() {
			space, first, n, ok := g.Touches(pc, lane)
			for at := first; ok && at < first+n; at++ {
				if !has[at] {
					c.findWith(Uninitialized, pc, lane, "read", func() string {
						return p.name(&touch{p: p, space: space, at: at}) + " of " + memory + " is read without a value"
					})
				}
			}
		}
	}
}

// sets notes which words of a memory an instruction gives a value.
func sets(pc int, set func() []bool) vm.Hook {
	return func(g *vm.Group) {
		has := set()
		for _, lane := range g.LanesOn() {
			if _, first, n, ok := g.Touches(pc, lane); ok {
				for at := first; at < first+n; at++ {
					has[at] = true
				}
			}
		}
	}
}

// valued tells which words of the memory of an access have a value, and what that memory is called; set is nil where all have one.
func (c *checker) valued(p *program, in *vm.Instr) (set func() []bool, memory string) {
	s := p.code.Spaces[p.code.Accesses[in.C].Space]
	if s.Shared {
		return func() []bool { return c.now.set }, "shared memory"
	}
	if has, ok := c.undefined[s.Binding]; ok {
		return func() []bool { return has }, "the buffer"
	}
	return nil, ""
}

// leaveUndefined makes the words of buffers have no value until the dispatch writes them.
func (c *checker) leaveUndefined(bindings []uint32, buffers map[uint32][]uint32) {
	c.undefined = map[uint32][]bool{}
	for _, b := range bindings {
		c.undefined[b] = make([]bool, len(buffers[b]))
	}
}
