package check

import (
	"context"
	"fmt"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
	"vyretop/engine/units"
)

// Target is a dispatch to check.
type Target struct {
	Program   *engine.Program     // within the kernel language
	Buffers   map[uint32][]uint32 // words by binding; changed as the dispatch does
	Grid      [3]uint32           // workgroups; zero means 1
	Workgroup [3]uint32           // size; zero: the program's own
	Budget    uint64              // loop rounds that an invocation may run; 0: DefaultBudget
	Undefined []uint32            // bindings of buffers whose words have no value until the dispatch writes them

	Roles func(low *lower.Result) Roles // of the instructions, without Follow; nil: all of them are checked
}

// DefaultBudget is how many loop rounds an invocation may run.
const DefaultBudget = 1 << 26

// ErrTarget is the kind of the error about a target that cannot be checked.
const ErrTarget fault.Kind = "target cannot be checked"

// maxWorkgroups bounds a grid so that the number of its workgroups fits a word.
const maxWorkgroups = 1 << 31

// Workgroups that take turns, and the instructions of a turn.
const (
	together = 16
	turn     = 1 << 14
)

// checker is what is checked together: a dispatch, or all dispatches of a resident kernel. The hooks are called for one
// group at a time, now.
type checker struct {
	programs []*program
	report   Report
	found    map[place]int // index in report.Findings, -1: not kept
	races    races
	now      *group
	grid     [3]uint32
	budget   uint64
	barriers uint32 // passed by all workgroups
	time     uint32
	fence    uint32   // some actor knows everything up to this time
	tasks    Tasks    // nil: actors are workgroups
	actors   []*Actor // tasks, by number

	undefined map[uint32][]bool // words that have a value, of Target.Undefined
}

// group is a workgroup under way.
type group struct {
	*vm.Group
	p       *program
	number  uint64
	barrier uint32 // the last one passed
	self    Actor
	lanes   []*Actor // the tasks of lanes, in a resident kernel,
	all     *Actor   // and the one that all lanes run together
	unset   bits     // registers without a value, by lane
	set     []bool   // words of shared memory that have been written
	shared  store    // of the shared space
	tickets []ticket // by lane
	last    []lastAccess
	exact   exacts
}

// actor is what a lane acts for.
func (g *group) actor(lane int32, together bool) *Actor {
	switch {
	case g.lanes == nil:
		return &g.self
	case together:
		return g.all
	}
	return g.lanes[lane]
}

func newChecker() *checker {
	c := &checker{found: map[place]int{}, grid: [3]uint32{1, 1, 1}, budget: DefaultBudget}
	c.races.init(c)
	return c
}

// newGroup makes what is known of a group at its start.
func (c *checker) newGroup(g *vm.Group, p *program, number uint64) *group {
	n := p.code.Lanes()
	x := &group{Group: g, p: p, number: number, tickets: make([]ticket, n), last: make([]lastAccess, n)}
	x.unset.init(p.code.Regs, n)
	for _, s := range p.code.Spaces {
		if s.Shared {
			x.set = make([]bool, s.Words)
		}
	}
	if c.tasks != nil {
		x.lanes = make([]*Actor, n)
		return x
	}
	x.self.number = uint32(number)
	c.tick(&x.self)
	return x
}

// Run runs a dispatch under all checkers. The report comes with the error where ctx ends first. Other errors are of kind ErrTarget.
func Run(ctx context.Context, t Target) (Report, error) {
	p, err := t.Program.WithWorkgroup(t.Workgroup)
	if err != nil {
		return Report{}, err
	}
	if p.Tree == nil {
		return Report{}, &fault.Error{Kind: ErrTarget, Op: "check", Subject: p.Name, Detail: "it is outside the kernel language", Cause: p.Outside, Fix: "run vyretop check on it and keep to docs/kernel-language.md"}
	}
	low, code, err := compile(p)
	if err != nil {
		return Report{}, err
	}
	d := &dispatch{checker: newChecker(), total: 1}
	if t.Budget > 0 {
		d.budget = t.Budget
	}
	for i := range d.grid {
		d.grid[i] = max(t.Grid[i], 1)
		if d.total *= uint64(d.grid[i]); d.total > maxWorkgroups {
			return Report{}, &fault.Error{Kind: ErrTarget, Detail: fmt.Sprintf("the grid %s has too many workgroups", units.Extent(t.Grid)), Fix: "give a smaller grid"}
		}
	}
	var roles Roles
	if t.Roles != nil {
		roles = t.Roles(low)
	}
	d.leaveUndefined(t.Undefined, t.Buffers)
	d.program = d.newProgram(p.Tree, low, code.Code(), roles)
	linked, err := code.Link(memory(code.Code(), t.Buffers))
	if err != nil {
		return Report{}, &fault.Error{Kind: ErrTarget, Op: "bind buffers", Cause: err, Fix: "give the buffer at least that many words"}
	}
	err = d.run(ctx, linked.Hooked(d.hooks(d.program)))
	return d.result(), err
}

// result is the report so far.
func (c *checker) result() Report {
	r := c.report
	r.Findings = sorted(append([]Finding(nil), r.Findings...))
	return r
}

func memory(code *vm.Code, buffers map[uint32][]uint32) []vm.Memory {
	list := make([]vm.Memory, len(code.Spaces))
	for i, s := range code.Spaces {
		if s.Shared {
			continue
		}
		if list[i].Words = buffers[s.Binding]; list[i].Words == nil {
			list[i].Words = make([]uint32, s.Words)
		}
	}
	return list
}

// dispatch is one dispatch under way.
type dispatch struct {
	*checker
	program *program
	next    uint64 // workgroup that begins next
	total   uint64
}

// run gives the workgroups turns until all have ended, or one is in a loop that does not.
func (d *dispatch) run(ctx context.Context, linked *vm.Linked) error {
	var under []*group
	for {
		for len(under) < together && d.next < d.total {
			under = append(under, d.begin(linked))
		}
		waiting := 0
		for i := 0; i < len(under); i++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			d.now = under[i]
			d.now.Run(turn)
			switch d.now.State() {
			case vm.Ended:
				under = append(under[:i], under[i+1:]...)
				i--
			case vm.Failed:
				if d.fault(); d.report.Stopped {
					return nil
				}
			}
			if d.now.State() == vm.Waiting {
				waiting++
			}
		}
		switch {
		case len(under) == 0 && d.next == d.total:
			return nil
		case waiting == len(under) && d.next < d.total: // a barrier of the grid: the others must come to it
			under = append(under, d.begin(linked))
		case waiting == len(under) && waiting > 0:
			d.races.forget()
			for _, g := range under {
				g.Release()
			}
		}
	}
}

func (d *dispatch) begin(linked *vm.Linked) *group {
	g := d.newGroup(linked.NewGroup(d.checker), d.program, d.next)
	d.next++
	g.Start(d.id(g.number), d.grid, d.budget)
	return g
}

// fault reports why the group that ran last has failed. One that not all invocations of which have reached a barrier continues as if
// they had: what comes behind can have more mistakes.
func (c *checker) fault() {
	f := c.now.Fault()
	lane := int32(0)
	if on := c.now.LanesOn(); len(on) > 0 {
		lane = on[0]
	}
	kind, text, what := Endless, fmt.Sprintf("an invocation ran more than %d loop rounds", c.budget), "loop"
	if f.Kind == vm.FaultBarrier {
		kind, text, what = Divergence, "barrier() is not reached by all invocations of the workgroup", "barrier"
	}
	c.find(kind, f.PC, lane, what, text)
	if kind == Divergence {
		c.report.Passed++
		vm.PassBarrier(c.now.Group)
	} else {
		c.report.Stopped = true
	}
}

// find reports what a lane of the group now does at an instruction.
func (c *checker) find(kind Kind, pc int, lane int32, what, text string) {
	c.findWith(kind, pc, lane, what, func() string { return text })
}

func (c *checker) findWith(kind Kind, pc int, lane int32, what string, text func() string) {
	p := c.now.p
	at := p.base + int32(pc)
	c.add(place{kind: kind, pc: at, other: p.base, what: what}, func() Finding {
		f := Finding{Text: text(), Access: c.access(what, c.now.ID(), lane, at)}
		if a := c.now.actor(lane, p.together(pc)); c.tasks != nil && a != nil {
			f.Access.Task = &a.Task
		}
		return f
	})
}

// Event implements vm.Observer.
func (c *checker) Event(_ *vm.Group, e vm.Event) {
	if !c.now.p.handles(e.PC) {
		return
	}
	if e.Kind == vm.DivisionByZero {
		c.find(DivideByZero, e.PC, int32(e.Lane), e.Kind.String(), "division by zero")
		return
	}
	c.findWith(OutOfRange, e.PC, int32(e.Lane), e.Kind.String(), func() string {
		return fmt.Sprintf("%v: index %d of %d elements", e.Kind, e.Index, e.Len)
	})
}
