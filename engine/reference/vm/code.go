package vm

import "vyretop/engine/glsl/source"

// Op numbers an operation; Ops describes it.
type Op uint16

// Instr is one instruction. N is the number of components it works on; what D, A, B and C mean is
// in the operation's Info. An absent operand is -1.
type Instr struct {
	Op         Op
	N          uint16
	D, A, B, C int32
}

// None marks an absent operand.
const None int32 = -1

// The compute inputs occupy the first registers of every lane.
const (
	RegNumWorkGroups        = 0  // 3 components
	RegWorkGroupID          = 3  // 3
	RegLocalInvocationID    = 6  // 3
	RegGlobalInvocationID   = 9  // 3
	RegLocalInvocationIndex = 12 // 1
	InputRegs               = 13
)

// The masks with a fixed number.
const (
	MaskActive = 0
	MaskLeft   = 1
	FixedMasks = 2
)

// Limits of a Code; Verify refuses more.
const (
	MaxLanes  = 1024
	MaxRegs   = 1 << 16
	MaxInstrs = 1 << 18
	MaxMasks  = 1 << 12
)

// SpaceRegs is the Access.Space of the registers themselves, for arrays indexed at run time.
const SpaceRegs int32 = -1

// Space describes one memory a Code uses: a buffer, or the workgroup's shared memory.
type Space struct {
	Name    string
	Binding uint32 // of a buffer
	Shared  bool
	Words   int // least size of a buffer, exact size of the shared memory
}

// Access says which words an instruction may touch. Element i starts at word Base + i*Stride and
// has N words; i must be below the length. The length is Len, or for a Runtime access whatever
// fits: (size of the memory - Origin) / Stride.
type Access struct {
	Space  int32
	Base   int32
	Stride int32
	Len    int32
	Origin int32
	N      int32

	Runtime bool
	Quiet   bool // the index comes from an offset instruction, which has reported already
}

// Site is the source place of an instruction.
type Site struct {
	Pos  source.Pos
	Call int32 // index in Code.Calls of the inlined call it belongs to, or -1 for main itself
}

// Call is one inlined call of a function.
type Call struct {
	Func   string     // name of the function called
	Pos    source.Pos // of the call
	Parent int32      // the call that contains this one, or -1

	Inserted bool // the guard of a loop, which the source does not have
}

// Code is a lowered kernel.
type Code struct {
	Instrs []Instr
	Where  []int32 // per instruction, index in Sites
	Sites  []Site
	Calls  []Call

	Consts    []uint32
	Regs      int // all registers, inputs and constants included
	Masks     int
	Accesses  []Access
	Spaces    []Space
	LocalSize [3]uint32
}

// Lanes is the number of invocations in a workgroup.
func (c *Code) Lanes() int {
	return int(c.LocalSize[0]) * int(c.LocalSize[1]) * int(c.LocalSize[2])
}

// ConstBase is the number of the first constant register.
func (c *Code) ConstBase() int { return c.Regs - len(c.Consts) }

// Site returns the source place of the instruction at pc.
func (c *Code) Site(pc int) Site { return c.Sites[c.Where[pc]] }

// Stack lists the inlined calls that are open at pc, innermost first.
func (c *Code) Stack(pc int) []Call {
	var list []Call
	for i := c.Site(pc).Call; i >= 0; i = c.Calls[i].Parent {
		list = append(list, c.Calls[i])
	}
	return list
}
