package vm

import "slices"

// RunUntil is Run that also stops before an instruction whose entry in stops is set. It executes at
// least one instruction, so that it leaves the place where it stopped before. Stops has one entry for
// each instruction.
func (g *Group) RunUntil(limit int, stops []bool) int {
	if g.state != Running {
		return 0
	}
	steps := g.prog.steps
	stops = stops[:len(steps)]
	pc, n := g.pc, 0
	for n < limit {
		s := &steps[pc]
		n++
		if s.jump == nil {
			s.run(g, s)
			pc++
		} else if pc = s.jump(g, s); g.state != Running {
			break
		}
		if stops[pc] {
			break
		}
	}
	g.pc = pc
	return n
}

// Saved is the whole state of a Group but for the buffers it uses.
type Saved struct {
	Regs, Shared []uint32
	masks        []uint64
	ownRounds    []uint64
	pc           int
	state        State
	fault        Fault
	budget       uint64
	rounds       uint64
	mostRounds   uint64
	id           [3]uint32
}

// Save copies the state. Regs and Shared of the result are the group's own words, which the caller
// copies before the group continues.
func (g *Group) Save() Saved {
	return Saved{
		Regs: g.regs[:g.prog.code.ConstBase()*g.lanes], Shared: g.SharedMemory(),
		masks: slices.Clone(g.masks), ownRounds: slices.Clone(g.ownRounds),
		pc: g.pc, state: g.state, fault: g.fault, budget: g.budget, rounds: g.rounds, mostRounds: g.mostRounds, id: g.id,
	}
}

// Restore puts a group of the same program into a saved state.
func (g *Group) Restore(s *Saved) {
	copy(g.regs, s.Regs)
	copy(g.SharedMemory(), s.Shared)
	copy(g.masks, s.masks)
	copy(g.ownRounds, s.ownRounds)
	g.pc, g.state, g.fault = s.pc, s.state, s.fault
	g.budget, g.rounds, g.mostRounds, g.id = s.budget, s.rounds, s.mostRounds, s.id
	g.listed = false
	g.full = slices.Equal(g.active(), g.prog.all)
}

// SharedMemory gives the words of the workgroup's shared memory, nil when it has none.
func (g *Group) SharedMemory() []uint32 {
	for i, s := range g.prog.code.Spaces {
		if s.Shared {
			return g.mem[i]
		}
	}
	return nil
}

// SetRegister changes one register of one lane and reports whether there is such a register that may
// be changed: inputs and constants may not.
func (g *Group) SetRegister(reg, lane int, word uint32) bool {
	if reg < InputRegs || reg >= g.prog.code.ConstBase() || lane < 0 || lane >= g.lanes {
		return false
	}
	g.regs[reg*g.lanes+lane] = word
	return true
}

// Writes tells which words the next instruction will write in one lane: registers when space is
// SpaceRegs, else words of a memory. The range is empty when it writes none, or is out of range. An
// instruction whose condition decides (a compare-and-swap) counts as a write.
func (g *Group) Writes(lane int) (space int32, first, n int) {
	in, s := &g.prog.code.Instrs[g.pc], &g.prog.steps[g.pc]
	if !g.Active(lane) {
		return 0, 0, 0
	}
	switch kinds := Ops[in.Op].Kinds; {
	case kinds[3] == KindAccess && in.Op != OpLoad && in.Op != OpLoadReg && in.Op != OpOffset && in.Op != OpLength:
		at, n := g.prog.code.Accesses[in.C].Base, 1
		if in.Op == OpStore || in.Op == OpStoreReg {
			n = s.n
		}
		if s.a >= 0 {
			index := g.regs[s.a+lane]
			if index >= s.acc.len {
				return 0, 0, 0
			}
			at += int32(index) * int32(s.acc.stride)
		}
		return g.prog.code.Accesses[in.C].Space, int(at), n
	case kinds[0].Writes():
		return SpaceRegs, int(in.D), kinds[0].Registers(s.n)
	}
	return 0, 0, 0
}
