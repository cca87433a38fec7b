package check

import (
	"math"
	"slices"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// program is the code of a dispatch that is checked.
type program struct {
	tree   *tree.Program
	code   *vm.Code
	low    *lower.Result
	base   int32    // number of its first instruction among those of all programs
	firsts []int32  // for each instruction the first one of its line and call
	cells  []*store // by space; nil for shared memory
	roles  Roles
}

// Roles say what the instructions of a resident kernel are for. A nil function says no.
type Roles struct {
	Handles  func(pc int) bool           // of a handler: checked
	Within   func(pc int) bool           // of a handler, or of what it calls: what it leaves in registers matters to handlers
	Together func(pc int) bool           // all lanes of the workgroup run it for one task
	Follow   func(pc int) vm.Hook        // of the kernel itself: tells which tasks there are and where they run; before it
	Inner    func(name string) bool      // a function of the kernel that handlers call: stacks begin above it
	Caller   func(name string) bool      // a function that calls handlers: stacks end below it
	Word     func(binding uint32) int    // first word of a buffer that is the handlers' own, -1: none is
	Own      func(v *tree.Variable) bool // a shared variable is of a handler file
}

// newProgram adds the code of a program.
func (c *checker) newProgram(t *tree.Program, low *lower.Result, code *vm.Code, roles Roles) *program {
	p := &program{tree: t, code: code, low: low, firsts: firsts(code), roles: roles}
	for _, q := range c.programs {
		p.base = max(p.base, q.base+int32(len(q.code.Instrs)))
	}
	p.cells = make([]*store, len(code.Spaces))
	for i, s := range code.Spaces {
		if !s.Shared {
			p.cells[i] = c.races.buffer(s.Binding)
		}
	}
	c.programs = append(c.programs, p)
	return p
}

// of is the program of an instruction, and its number there.
func (c *checker) of(pc int32) (*program, int) {
	i := slices.IndexFunc(c.programs, func(p *program) bool { return pc < p.base+int32(len(p.code.Instrs)) })
	p := c.programs[i]
	return p, int(pc - p.base)
}

func (p *program) together(pc int) bool { return p.roles.Together == nil || p.roles.Together(pc) }

// handles reports whether an instruction is checked.
func (p *program) handles(pc int) bool { return p.roles.Handles == nil || p.roles.Handles(pc) }

// within reports whether an instruction runs for a handler.
func (p *program) within(pc int) bool { return p.roles.Within == nil || p.roles.Within(pc) }

// from is the first word of a space that handlers have for their own; -1: none is.
func (p *program) from(space int32) int {
	s := p.code.Spaces[space]
	if s.Shared || p.roles.Word == nil {
		return 0
	}
	return p.roles.Word(s.Binding)
}

// beyondTexels is how many texels behind those of an image take what is stored outside of it, and give what is read there.
const beyondTexels = 2

// end is the word of a space behind the last that invocations can tell each other anything by.
func (p *program) end(space int32, g *vm.Group) int {
	if int(space) >= len(p.tree.Buffers) || p.tree.Buffers[space].Image == nil {
		return math.MaxInt
	}
	return len(g.Memory(int(space))) - beyondTexels*p.tree.Buffers[space].Image.Components
}

// packed reports whether a space is a block with members of 8 or 16 bits. Several of these share a word, so that accesses to words say
// nothing of races between them.
func (p *program) packed(space int32) bool {
	return int(space) < len(p.tree.Buffers) && p.tree.Buffers[space].Packed != nil
}

// used reports whether an instruction reads the result of an atomic before another one overwrites it.
func (p *program) used(pc int) bool {
	result := p.code.Instrs[pc].D
	for i := pc + 1; i < len(p.code.Instrs); i++ {
		in := &p.code.Instrs[i]
		uses := false
		reads(in, func(reg int32) { uses = uses || reg == result })
		if uses {
			return true
		}
		if result >= in.D && result < in.D+written(in) {
			return false
		}
	}
	return false
}

// updates reports whether a store is of what was made of a load by the same access, as far as that is seen in the
// instructions just before it.
func (p *program) updates(pc int) bool {
	const most = 128
	in := &p.code.Instrs[pc]
	to := &p.code.Accesses[in.C]
	made := map[int32]bool{}
	for k := range int32(in.N) {
		made[in.B+k] = true
	}
	for i := pc - 1; i >= max(0, pc-most) && len(made) > 0; i-- {
		in := &p.code.Instrs[i]
		from := false
		for k := range written(in) {
			from = from || made[in.D+k]
			delete(made, in.D+k)
		}
		if !from {
			continue
		}
		if in.Op == vm.OpLoad {
			if a := &p.code.Accesses[in.C]; a.Space == to.Space && a.Base == to.Base && a.Stride == to.Stride {
				return true
			}
			continue
		}
		reads(in, func(reg int32) { made[reg] = true })
	}
	return false
}

// below reports whether n registers are constants below a limit.
func (p *program) below(reg, n int32, limit uint32) bool {
	at := int(reg) - p.code.ConstBase()
	return at >= 0 && !slices.ContainsFunc(p.code.Consts[at:at+int(n)], func(k uint32) bool { return k >= limit })
}

// written is how many registers an instruction writes, from its operand D on.
func written(in *vm.Instr) int32 {
	if kind := vm.Ops[in.Op].Kinds[0]; kind.Writes() {
		return int32(kind.Registers(int(in.N)))
	}
	return 0
}

// compile lowers a program.
func compile(p *engine.Program) (*lower.Result, *vm.Verified, error) {
	low, err := lower.Lower(p.Tree)
	if err != nil {
		return nil, nil, err
	}
	code, err := vm.Verify(low.Code)
	return low, code, err
}
