package profile

import (
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// Roles tell the functions of a resident kernel from the user's. In the zero value all are the user's.
type Roles struct {
	Caller func(name string) bool // calls handlers: stacks end below it, and what no handler called is the kernel's own
	Inner  func(file string) bool // has functions of the kernel: what they execute in handlers counts as their caller's line
}

// Profiler counts what the dispatches of a reference backend execute. It implements reference.Watcher.
type Profiler struct {
	roles    Roles
	programs map[*lower.Result]*program
	order    []*program
}

// program has the counts of one program, by instruction.
type program struct {
	low   *lower.Result
	code  *vm.Code
	steps []uint64
	lanes []uint64 // sum of the active lanes over the steps
}

// New makes a profiler.
func New(roles Roles) *Profiler {
	return &Profiler{roles: roles, programs: map[*lower.Result]*program{}}
}

// Hooks implements reference.Watcher.
func (p *Profiler) Hooks(_ *tree.Program, low *lower.Result) func(pc int) (before, after vm.Hook) {
	q := p.programs[low]
	if q == nil {
		n := len(low.Code.Instrs)
		q = &program{low: low, code: low.Code, steps: make([]uint64, n), lanes: make([]uint64, n)}
		p.programs[low] = q
		p.order = append(p.order, q)
	}
	return q.hooks
}

// hooks counts the lanes that are active at an instruction. Where there are none before it, it brings lanes together that
// have left the code above one by one: it counts those, or as no step if there are none either.
func (q *program) hooks(pc int) (before, after vm.Hook) {
	counted := false
	count := func(g *vm.Group) {
		n := len(g.LanesOn())
		if counted = n > 0; counted {
			q.steps[pc]++
			q.lanes[pc] += uint64(n)
		}
	}
	switch q.code.Instrs[pc].Op {
	case vm.OpMerge, vm.OpElse, vm.OpJoin, vm.OpRejoin:
		return count, func(g *vm.Group) {
			if !counted {
				count(g)
			}
		}
	}
	return count, nil
}

// Event implements reference.Watcher.
func (p *Profiler) Event(*vm.Group, vm.Event) {}

// Begin implements reference.Watcher.
func (p *Profiler) Begin(*vm.Group) {}

// Failed implements reference.Watcher.
func (p *Profiler) Failed(*vm.Group) {}

// End implements reference.Watcher.
func (p *Profiler) End() {}

// Profile is what has been counted. No dispatch is running.
func (p *Profiler) Profile() *Profile {
	out := &Profile{index: map[string]int{}}
	for _, q := range p.order {
		out.Width = max(out.Width, q.code.Lanes())
		for pc, steps := range q.steps {
			if steps > 0 {
				out.add(p.roles, q, pc)
			}
		}
	}
	return out
}
