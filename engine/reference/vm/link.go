package vm

import "fmt"

// step is an instruction made ready for one number of lanes and one set of memories: registers are
// word offsets, masks are offsets in the mask words, functions are chosen.
type step struct {
	run        func(*Group, *step)
	jump       func(*Group, *step) int
	d, a, b, c int
	n          int // components
	span       int // components times lanes
	pc         int
	k          uint32 // the constant of a runConst
	acc        access
}

// access is an Access whose length is known.
type access struct {
	space        int
	base, stride int
	len          uint32
	quiet        bool
	contended    bool // stores must be atomic
}

// Memory is the memory bound to a space.
type Memory struct {
	Words []uint32
	// Contended says that someone else reads or writes the words while the code runs, so that every
	// access must be atomic.
	Contended bool
}

// Linked is verified code bound to its memories.
type Linked struct {
	code   *Code
	steps  []step
	lanes  int
	all    []uint64 // the mask of all lanes
	every  []int32  // their numbers
	memory [][]uint32
}

// Link binds verified code to memories, one for each buffer space by index; entries of shared
// spaces are ignored. A memory smaller than its space needs is an error.
func (v *Verified) Link(memory []Memory) (*Linked, error) {
	c := v.code
	if len(memory) != len(c.Spaces) {
		return nil, fmt.Errorf("%d memories for %d spaces", len(memory), len(c.Spaces))
	}
	p := &Linked{code: c, lanes: c.Lanes(), memory: make([][]uint32, len(memory))}
	p.all, p.every = allLanes(p.lanes)
	for i, m := range memory {
		if c.Spaces[i].Shared {
			continue
		}
		if len(m.Words) < c.Spaces[i].Words {
			return nil, fmt.Errorf("buffer %s has %d words and needs %d", c.Spaces[i].Name, len(m.Words), c.Spaces[i].Words)
		}
		p.memory[i] = m.Words
	}
	p.steps = make([]step, len(c.Instrs))
	for pc := range c.Instrs {
		p.steps[pc] = p.link(pc, memory)
	}
	return p, nil
}

func allLanes(lanes int) (mask []uint64, every []int32) {
	mask = make([]uint64, (lanes+63)/64)
	for l := range lanes {
		mask[l>>6] |= 1 << (l & 63)
		every = append(every, int32(l))
	}
	return mask, every
}

func (p *Linked) link(pc int, memory []Memory) step {
	in := &p.code.Instrs[pc]
	info := &Ops[in.Op]
	s := step{run: info.run, jump: info.jump, n: int(in.N), span: int(in.N) * p.lanes, pc: pc}
	for i, operand := range [4]int32{in.D, in.A, in.B, in.C} {
		at := p.place(info.Kinds[i], operand)
		switch i {
		case 0:
			s.d = at
		case 1:
			s.a = at
		case 2:
			s.b = at
		default:
			s.c = at
		}
		if info.Kinds[i] == KindAccess {
			s.acc = p.resolve(&p.code.Accesses[operand], memory)
		}
	}
	if k, ok := p.constant(in); ok && info.runConst != nil {
		s.k, s.run = k, info.runConst
	}
	return s
}

// place turns an operand into the offset that the run functions use.
func (p *Linked) place(k Kind, operand int32) int {
	if operand < 0 {
		return -1
	}
	switch {
	case k.Registers(1) > 0:
		return int(operand) * p.lanes
	case k == KindMask || k == KindMaskOpt:
		return int(operand) * len(p.all)
	default:
		return int(operand)
	}
}

func (p *Linked) resolve(a *Access, memory []Memory) access {
	r := access{space: int(a.Space), base: int(a.Base), stride: int(a.Stride), len: uint32(a.Len), quiet: a.Quiet}
	if a.Space >= 0 && !p.code.Spaces[a.Space].Shared {
		r.contended = memory[a.Space].Contended
	}
	if a.Runtime {
		r.len = uint32(max(0, len(memory[a.Space].Words)-int(a.Origin)) / int(a.Stride))
	}
	return r
}

// constant returns the value of operand B when it is the same constant in every component.
func (p *Linked) constant(in *Instr) (uint32, bool) {
	at := int(in.B) - p.code.ConstBase()
	if Ops[in.Op].Kinds[2] != KindSrc || at < 0 {
		return 0, false
	}
	values := p.code.Consts[at : at+int(in.N)]
	for _, v := range values {
		if v != values[0] {
			return 0, false
		}
	}
	return values[0], len(values) > 0
}
