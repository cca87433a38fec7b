package taskcheck

import (
	"slices"
	"strings"

	"vyretop/engine/check"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/tasks"
)

// ErrKernel is the kind of the error about a kernel in which tasks cannot be followed.
const ErrKernel fault.Kind = "tasks cannot be followed"

// operations is the file of the kernel that is checked like handlers.
const operations = "vyretop/builtin/operations.glsl"

// counters are the functions of the kernel that count the loops of handlers.
var counters = []string{"vt_tick", "vt_round"}

// model follows the tasks of a resident kernel by what its functions store into slots.
type model struct {
	monitor  *check.Monitor
	host     *hostOrder
	handlers func(opcode uint32) string
	slots    []*check.Actor // the task in each
	epoch    check.Clock    // what was done before epochs began
}

// newModel follows at most that many tasks; 0: mostTasks. takes says that what the host publishes depends on completions.
func newModel(takes bool, most int) *model {
	m := &model{host: newHostOrder(takes), handlers: func(uint32) string { return "" }}
	m.monitor = check.NewMonitor(m, or(most, mostTasks))
	return m
}

// code is one program of the kernel.
type code struct {
	*model
	*vm.Code
	calls   [][]string // by instruction: functions that are open, innermost first
	overrun int32      // register that says that an activation is over its budget; -1: there is none
}

// variable is the register of a variable of the kernel; -1: it has none.
func variable(low *lower.Result, name string) int32 {
	for _, v := range low.Vars {
		if v.Variable.Name == name {
			return int32(v.Reg)
		}
	}
	return -1
}

// Roles implements check.Tasks.
func (m *model) Roles(low *lower.Result) (check.Roles, error) {
	c := &code{model: m, Code: low.Code, calls: openCalls(low), overrun: variable(low, "vt_overrun")}
	if !slices.ContainsFunc(c.calls, func(list []string) bool { return slices.Contains(list, "vt_begin") }) {
		return check.Roles{}, &fault.Error{Kind: ErrKernel, Op: "check", Detail: "the kernel has no function vt_begin", Fix: "report this: vyretop and its kernel do not match"}
	}
	return check.Roles{
		Handles:  c.handles,
		Within:   c.handling,
		Together: func(pc int) bool { return c.within(pc, "vt_dispatch_together") },
		Follow:   c.follow,
		Inner:    func(name string) bool { return slices.Contains(counters, name) },
		Caller:   activations.Caller,
		Word:     activations.FirstWord,
		Own:      func(x *tree.Variable) bool { return !strings.HasPrefix(x.Pos.File, activations.OwnFiles) },
	}, nil
}

func (c *code) handles(pc int) bool {
	file := c.Site(pc).Pos.File
	return !strings.HasPrefix(file, activations.OwnFiles) || file == operations
}

func (c *code) within(pc int, name string) bool { return slices.Contains(c.calls[pc], name) }

// handling reports whether an instruction is of a handler or of what it calls.
func (c *code) handling(pc int) bool {
	return slices.ContainsFunc(c.calls[pc], activations.Caller)
}

// follow chooses what looks at an instruction of the kernel that tells of tasks.
func (c *code) follow(pc int) vm.Hook {
	in := &c.Instrs[pc]
	if in.Op == vm.OpMove && in.D == c.overrun && len(c.calls[pc]) > 0 && slices.Contains(counters, c.calls[pc][0]) {
		return c.each(pc, func(_ *vm.Group, _ *check.Actor, lane int32) { c.monitor.Overrun(pc, lane) })
	}
	if vm.Ops[in.Op].Kinds[3] != vm.KindAccess || c.Accesses[in.C].Space < 0 || c.Spaces[c.Accesses[in.C].Space].Shared {
		return nil
	}
	binding := c.Spaces[c.Accesses[in.C].Space].Binding
	switch {
	case in.Op == vm.OpStore && binding == megakernel.BindRing:
		return c.followSlot(pc)
	case binding != megakernel.BindSched:
		return nil
	case in.Op == vm.OpAtomicAdd && c.within(pc, "vt_next_epoch"):
		return c.each(pc, func(_ *vm.Group, a *check.Actor, _ int32) { c.epoch = c.epoch.Join(c.monitor.Pass(a)) })
	case in.Op == vm.OpLoad && c.within(pc, "vt_epoch") && c.handling(pc):
		return c.each(pc, func(_ *vm.Group, a *check.Actor, _ int32) { c.takeEpoch(a) })
	}
	return nil
}

// followSlot chooses what looks at a store into a slot.
func (c *code) followSlot(pc int) vm.Hook {
	in := &c.Instrs[pc]
	ids := in.N == 4 // a quarter of a slot
	switch {
	case c.within(pc, "vt_begin"):
		together := c.within(pc, "vt_run_together")
		return func(g *vm.Group) { c.begin(g, pc, together) }
	case ids && c.within(pc, "task_spawn"):
		return c.each(pc, func(g *vm.Group, parent *check.Actor, lane int32) {
			c.enter(g, pc, lane, func(uint32) check.Clock { return c.monitor.Pass(parent) })
		})
	case ids && (c.within(pc, "vt_store_few") || c.within(pc, "vt_place_quarter")):
		return func(g *vm.Group) {
			c.host.settle(c.model)
			for _, lane := range g.LanesOn() {
				c.enter(g, pc, lane, c.host.published)
			}
		}
	}
	return nil
}

// each calls f with the task of each active lane that has one.
func (c *code) each(pc int, f func(g *vm.Group, a *check.Actor, lane int32)) vm.Hook {
	together := c.within(pc, "vt_dispatch_together")
	return func(g *vm.Group) {
		for _, lane := range g.LanesOn() {
			a := c.monitor.Running(lane)
			if together {
				a = c.monitor.Together()
			}
			if a != nil {
				f(g, a, lane)
			}
		}
	}
}

// enter notes a task that comes into a slot, if the store is of the quarter with its ID.
func (c *code) enter(g *vm.Group, pc int, lane int32, after func(id uint32) check.Clock) {
	const quarter = tasks.WordTaskID / 4 * 4
	_, first, _, ok := g.Touches(pc, lane)
	if !ok || first%tasks.SlotWords != quarter {
		return
	}
	id := g.Word(c.Instrs[pc].B+tasks.WordTaskID-quarter, lane)
	a := c.monitor.New(check.Task{ID: id, Name: megakernel.TaskName(id)}, after(id))
	c.put(first/tasks.SlotWords, a)
	c.host.came(a)
}

func (m *model) put(slot int, a *check.Actor) {
	for slot >= len(m.slots) {
		m.slots = append(m.slots, nil)
	}
	m.slots[slot] = a
}

// begin notes the activations that begin.
func (c *code) begin(g *vm.Group, pc int, together bool) {
	c.host.settle(c.model)
	for _, lane := range g.LanesOn() {
		space, first, _, ok := g.Touches(pc, lane)
		if !ok {
			continue
		}
		at := first / tasks.SlotWords * tasks.SlotWords
		words := g.Memory(int(space))[at:][:tasks.SlotWords]
		a := c.in(at/tasks.SlotWords, words)
		if a != nil && words[tasks.WordFlags]&tasks.FlagResumeReady != 0 {
			c.takeEpoch(a)
		}
		if together {
			c.monitor.BeginsTogether(a)
		} else {
			c.monitor.Begins(lane, a)
		}
	}
}

// in is the task in a slot.
func (m *model) in(slot int, words []uint32) *check.Actor {
	if slot >= len(m.slots) || m.slots[slot] == nil || m.slots[slot].ID != words[tasks.WordTaskID] {
		id := words[tasks.WordTaskID]
		m.put(slot, m.monitor.New(check.Task{ID: id, Name: megakernel.TaskName(id)}, m.monitor.All()))
	}
	a := m.slots[slot]
	if a == nil {
		return nil
	}
	a.Opcode, a.Handler = words[tasks.WordOpcode], m.handlers(words[tasks.WordOpcode])
	return a
}

func (m *model) takeEpoch(a *check.Actor) { m.monitor.Take(a, m.epoch) }
