package check

import (
	"context"
	"fmt"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// Target is a dispatch to check.
type Target struct {
	Program   *engine.Program     // within the kernel language
	Buffers   map[uint32][]uint32 // words by binding; changed as the dispatch does
	Grid      [3]uint32           // workgroups; zero means 1
	Workgroup [3]uint32           // size; zero: the program's own
	Budget    uint64              // loop rounds that an invocation may run; 0: DefaultBudget
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

// checker is a dispatch under way. The hooks are called for one group at a time, now.
type checker struct {
	tree   *tree.Program
	code   *vm.Code
	low    *lower.Result
	report Report
	found  map[place]int // index in report.Findings, -1: not kept
	firsts []int32

	races  races
	now    *group
	grid   [3]uint32
	next   uint64 // workgroup that begins next
	total  uint64
	budget uint64
}

// group is a workgroup under way.
type group struct {
	*vm.Group
	number  uint64
	barrier uint32 // barriers passed
	clock   clock
	unset   bits     // registers without a value, by lane
	set     []bool   // words of shared memory that have been written
	shared  [][]cell // of the shared space, in pages
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
	low, err := lower.Lower(p.Tree)
	if err != nil {
		return Report{}, err
	}
	verified, err := vm.Verify(low.Code)
	if err != nil {
		return Report{}, err
	}
	c := &checker{tree: p.Tree, code: low.Code, low: low, found: map[place]int{}, firsts: firsts(low.Code), total: 1, budget: t.Budget}
	if c.budget == 0 {
		c.budget = DefaultBudget
	}
	for i := range c.grid {
		c.grid[i] = max(t.Grid[i], 1)
		if c.total *= uint64(c.grid[i]); c.total > maxWorkgroups {
			return Report{}, &fault.Error{Kind: ErrTarget, Detail: fmt.Sprintf("the grid %v has too many workgroups", t.Grid), Fix: "give a smaller grid"}
		}
	}
	linked, err := verified.Link(c.memory(t.Buffers))
	if err != nil {
		return Report{}, &fault.Error{Kind: ErrTarget, Op: "bind buffers", Cause: err, Fix: "give the buffer at least that many words"}
	}
	c.races.init(c)
	err = c.run(ctx, linked.Hooked(c.hooks()))
	c.report.Findings = sorted(c.report.Findings)
	return c.report, err
}

func (c *checker) memory(buffers map[uint32][]uint32) []vm.Memory {
	list := make([]vm.Memory, len(c.code.Spaces))
	for i, s := range c.code.Spaces {
		if s.Shared {
			continue
		}
		if list[i].Words = buffers[s.Binding]; list[i].Words == nil {
			list[i].Words = make([]uint32, s.Words)
		}
	}
	return list
}

// run gives the workgroups turns until all have ended or one has failed.
func (c *checker) run(ctx context.Context, linked *vm.Linked) error {
	var under []*group
	for {
		for len(under) < together && c.next < c.total {
			under = append(under, c.begin(linked))
		}
		waiting := 0
		for i := 0; i < len(under); i++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.now = under[i]
			c.now.Run(turn)
			switch c.now.State() {
			case vm.Ended:
				under = append(under[:i], under[i+1:]...)
				i--
			case vm.Failed:
				c.fault()
				return nil
			case vm.Waiting:
				waiting++
			}
		}
		switch {
		case len(under) == 0 && c.next == c.total:
			return nil
		case waiting == len(under) && c.next < c.total: // a barrier of the grid: the others must come to it
			under = append(under, c.begin(linked))
		case waiting == len(under) && waiting > 0:
			c.races.forget()
			for _, g := range under {
				g.Release()
			}
		}
	}
}

func (c *checker) begin(linked *vm.Linked) *group {
	n, x, y := c.next, uint64(c.grid[0]), uint64(c.grid[1])
	c.next++
	g := &group{Group: linked.NewGroup(c), number: n}
	g.unset.init(c.code.Regs, c.code.Lanes())
	g.clock.init(n)
	for _, s := range c.code.Spaces {
		if s.Shared {
			g.set = make([]bool, s.Words)
			g.shared = pages(s.Words)
		}
	}
	g.Start([3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / x / y)}, c.grid, c.budget)
	return g
}

// fault reports why the group that ran last has failed.
func (c *checker) fault() {
	f := c.now.Fault()
	lane := int32(0)
	if on := c.now.LanesOn(); len(on) > 0 {
		lane = on[0]
	}
	p, text, what := place{kind: Endless, pc: int32(f.PC)}, fmt.Sprintf("an invocation ran more than %d loop rounds", c.budget), "loop"
	if f.Kind == vm.FaultBarrier {
		p.kind, text, what = Divergence, "barrier() is not reached by all invocations of the workgroup", "barrier"
	}
	c.add(p, func() Finding { return Finding{Text: text, Access: c.access(what, c.now.ID(), lane, p.pc)} })
}

// Event implements vm.Observer.
func (c *checker) Event(g *vm.Group, e vm.Event) {
	p := place{kind: OutOfRange, pc: int32(e.PC)}
	text := fmt.Sprintf("%v: index %d of %d elements", e.Kind, e.Index, e.Len)
	if e.Kind == vm.DivisionByZero {
		p.kind, text = DivideByZero, "division by zero"
	}
	c.add(p, func() Finding {
		return Finding{Text: text, Access: c.access(e.Kind.String(), g.ID(), int32(e.Lane), p.pc)}
	})
}
