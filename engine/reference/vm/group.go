package vm

// State says whether a Group can continue.
type State uint8

// The states of a Group.
const (
	Running State = iota
	Ended
	Failed
	Waiting // at a grid barrier, for Release
)

// FaultKind says why a Group failed.
type FaultKind uint8

// The reasons of a failure.
const (
	FaultBudget  FaultKind = iota // a lane ran more loop rounds than the budget
	FaultBarrier                  // barrier() was not reached by all lanes
)

// Fault is a failure of a Group.
type Fault struct {
	Kind FaultKind
	PC   int
}

// Group is one workgroup under way: registers, masks, shared memory and the place it has reached.
// It is used by one goroutine at a time.
type Group struct {
	prog *Linked
	regs []uint32   // register r of lane l is word r*lanes+l
	mem  [][]uint32 // by space

	masks     []uint64
	scratch   []uint64
	maskWords int
	lanes     int
	list      []int32 // active lanes, when listed
	listed    bool
	full      bool // every lane is active

	pc    int
	state State
	fault Fault

	budget     uint64
	rounds     uint64   // loop rounds run by all lanes together
	ownRounds  []uint64 // loop rounds run by each lane otherwise
	mostRounds uint64   // the largest of them

	id       [3]uint32
	observer Observer
}

// Observer receives what a kernel does that GLSL leaves undefined. Its methods are called by the
// goroutine that runs the group.
type Observer interface {
	Event(g *Group, e Event)
}

// EventKind names an undefined operation that was given a defined result.
type EventKind uint8

// The kinds of an Event.
const (
	DivisionByZero EventKind = iota
	OutOfRangeRead
	OutOfRangeWrite
	OutOfRangeAtomic
	OutOfRangeIndex // of an array or vector inside another indexed one
	eventKinds
)

var eventNames = [eventKinds]string{"division by zero", "read out of range", "write out of range", "atomic out of range", "index out of range"}

// String names the kind in words.
func (k EventKind) String() string { return eventNames[k] }

// Event is one such operation by one lane.
type Event struct {
	Kind EventKind
	PC   int
	Lane int

	Index, Len uint32 // of an access out of range: the index, and how many elements there are
}

// NewGroup makes a group that runs p; Start gives it work.
func (p *Linked) NewGroup(observer Observer) *Group {
	words := len(p.all)
	g := &Group{
		prog: p, observer: observer, lanes: p.lanes, maskWords: words,
		regs:      make([]uint32, p.code.Regs*p.lanes),
		masks:     make([]uint64, p.code.Masks*words),
		scratch:   make([]uint64, words),
		list:      make([]int32, 0, p.lanes),
		ownRounds: make([]uint64, p.lanes),
		mem:       make([][]uint32, len(p.memory)),
		state:     Ended,
	}
	copy(g.mem, p.memory)
	for i, s := range p.code.Spaces {
		if s.Shared {
			g.mem[i] = make([]uint32, s.Words)
		}
	}
	base := p.code.ConstBase()
	for i, v := range p.code.Consts {
		fill(g.regs[(base+i)*p.lanes:][:p.lanes], v)
	}
	return g
}

// Start puts the group at the beginning of workgroup id of a grid, with everything zero. A lane
// that runs more than budget loop rounds fails the group.
func (g *Group) Start(id, grid [3]uint32, budget uint64) {
	clear(g.regs[:g.prog.code.ConstBase()*g.lanes])
	for i, s := range g.prog.code.Spaces {
		if s.Shared {
			clear(g.mem[i])
		}
	}
	clear(g.masks)
	clear(g.ownRounds)
	g.activate(g.prog.all)
	g.pc, g.state, g.fault = 0, Running, Fault{}
	g.budget, g.rounds, g.mostRounds = budget, 0, 0
	g.id = id
	g.setInputs(grid)
}

func (g *Group) setInputs(grid [3]uint32) {
	size := g.prog.code.LocalSize
	for axis := range 3 {
		fill(g.reg((RegNumWorkGroups+axis)*g.lanes), grid[axis])
		fill(g.reg((RegWorkGroupID+axis)*g.lanes), g.id[axis])
	}
	index := g.reg(RegLocalInvocationIndex * g.lanes)
	for l := range g.lanes {
		i := uint32(l)
		index[l] = i
		local := [3]uint32{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
		for axis, v := range local {
			g.reg((RegLocalInvocationID + axis) * g.lanes)[l] = v
			g.reg((RegGlobalInvocationID + axis) * g.lanes)[l] = g.id[axis]*size[axis] + v
		}
	}
}

func fill(s []uint32, v uint32) {
	for i := range s {
		s[i] = v
	}
}

// reg returns the lanes of the register at word offset at.
func (g *Group) reg(at int) []uint32 { return g.regs[at : at+g.lanes] }

func (g *Group) fail(kind FaultKind, pc int) {
	g.state = Failed
	g.fault = Fault{kind, pc}
}

func (g *Group) event(kind EventKind, pc int, lane int) {
	if g.observer != nil {
		g.observer.Event(g, Event{Kind: kind, PC: pc, Lane: lane})
	}
}

// Run executes at most limit instructions, stops earlier at the end or at a failure, and returns how
// many it executed.
func (g *Group) Run(limit int) int {
	if g.state != Running {
		return 0
	}
	steps := g.prog.steps
	pc, n := g.pc, 0
	for n < limit {
		s := &steps[pc]
		n++
		if s.jump == nil {
			s.run(g, s)
			pc++
			continue
		}
		pc = s.jump(g, s)
		if g.state != Running {
			break
		}
	}
	g.pc = pc
	return n
}

// Release lets a group continue that waits at a grid barrier.
func (g *Group) Release() {
	if g.state == Waiting {
		g.state = Running
	}
}

// PassBarrier lets a group continue that has failed at a barrier, as if all lanes had reached it.
func PassBarrier(g *Group) {
	if g.state != Failed || g.fault.Kind != FaultBarrier {
		return
	}
	if g.state = Running; g.prog.code.Instrs[g.fault.PC].Op == OpGridBarrier {
		g.state = Waiting
	}
	g.fault = Fault{}
}

// State tells whether the group can continue.
func (g *Group) State() State { return g.state }

// Fault tells why the group is Failed.
func (g *Group) Fault() Fault { return g.fault }

// ID is the workgroup's place in the grid.
func (g *Group) ID() [3]uint32 { return g.id }

// PC is the number of the instruction to run next.
func (g *Group) PC() int { return g.pc }

// Rounds is the largest number of loop rounds that a lane may have run so far.
func (g *Group) Rounds() uint64 { return g.rounds + g.mostRounds }

// Code is what the group runs.
func (g *Group) Code() *Code { return g.prog.code }

// Active reports whether a lane takes part in the next instruction.
func (g *Group) Active(lane int) bool {
	return lane >= 0 && lane < g.lanes && g.masks[lane>>6]>>(lane&63)&1 == 1
}

// Register reads n consecutive registers of one lane; out of range gives nil.
func (g *Group) Register(reg, n, lane int) []uint32 {
	if reg < 0 || n < 0 || reg+n > g.prog.code.Regs || lane < 0 || lane >= g.lanes {
		return nil
	}
	words := make([]uint32, n)
	for i := range words {
		words[i] = g.regs[(reg+i)*g.lanes+lane]
	}
	return words
}

// Memory gives the words of a space as this group sees it.
func (g *Group) Memory(space int) []uint32 { return g.mem[space] }

// Observe makes observer receive the group's events.
func (g *Group) Observe(observer Observer) { g.observer = observer }
