package check

import (
	"sync"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// Tasks tells what a resident kernel does with tasks: which there are, where they run and what orders them.
type Tasks interface {
	// Roles is called once for each program.
	Roles(low *lower.Result) (Roles, error)
}

// Monitor checks the dispatches of a resident kernel on a reference backend, all of them together: tasks live on from one to
// the next. It implements reference.Watcher. What tells it of tasks is called by its hooks, so that it needs no lock.
type Monitor struct {
	c      *checker
	groups map[*vm.Group]*group
	most   int // tasks that are followed

	mu     sync.Mutex // of what follows
	report Report
	err    error
}

// NewMonitor makes a monitor that follows at most that many tasks; each takes up to half a kilobyte.
func NewMonitor(t Tasks, most int) *Monitor {
	m := &Monitor{c: newChecker(), groups: map[*vm.Group]*group{}, most: most}
	m.c.tasks, m.c.grid = t, [3]uint32{maxWorkgroups, 1, 1}
	return m
}

// Report is what has been found up to the end of the last dispatch, whether the target still runs or not.
func (m *Monitor) Report() (Report, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.report, m.err
}

// Hooks implements reference.Watcher.
func (m *Monitor) Hooks(t *tree.Program, low *lower.Result) func(pc int) (before, after vm.Hook) {
	roles, err := m.c.tasks.Roles(low)
	if err != nil {
		m.mu.Lock()
		m.err = err
		m.mu.Unlock()
		return func(int) (before, after vm.Hook) { return nil, nil }
	}
	p := m.c.newProgram(t, low, low.Code, roles)
	hooks := m.c.hooks(p)
	return func(pc int) (before, after vm.Hook) {
		b, a := hooks(pc)
		return m.entering(p, b), m.entering(p, a)
	}
}

// entering has a hook see its group as the one that acts.
func (m *Monitor) entering(p *program, h vm.Hook) vm.Hook {
	if h == nil {
		return nil
	}
	return func(g *vm.Group) {
		m.enter(p, g)
		h(g)
	}
}

// enter makes g the group that acts.
func (m *Monitor) enter(p *program, g *vm.Group) {
	if m.c.now != nil && m.c.now.Group == g {
		return
	}
	x := m.groups[g]
	if x == nil || x.p != p {
		x = m.c.newGroup(g, p, uint64(g.ID()[0]))
		m.groups[g] = x
	}
	m.c.now = x
}

// Begin implements reference.Watcher.
func (m *Monitor) Begin(g *vm.Group) {
	delete(m.groups, g)
	if m.c.now != nil && m.c.now.Group == g {
		m.c.now = nil
	}
}

// Event implements reference.Watcher.
func (m *Monitor) Event(g *vm.Group, e vm.Event) {
	if m.c.now != nil && m.c.now.Group == g {
		m.c.Event(g, e)
	}
}

// Failed implements reference.Watcher.
func (m *Monitor) Failed(g *vm.Group) {
	if m.c.now != nil && m.c.now.Group == g {
		m.c.fault()
	}
}

// Overrun reports that a lane of the group that acts is over the budget of its activation, at an instruction.
func (m *Monitor) Overrun(pc int, lane int32) {
	m.c.find(Endless, pc, lane, "loop", "the activation is over its budget of loop iterations")
}

// End implements reference.Watcher.
func (m *Monitor) End() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.report = m.c.result()
}

// Clock is what was done before some time, for those that come after.
type Clock struct{ clock clock }

// Join is what either clock has.
func (k Clock) Join(other Clock) Clock { return Clock{k.clock.join(other.clock)} }

// New makes a task that comes after what a clock says; nil where there have been too many.
func (m *Monitor) New(t Task, after Clock) *Actor {
	if len(m.c.actors) == m.most {
		m.c.report.Unwatched = true
		return nil
	}
	a := &Actor{Task: t, number: uint32(len(m.c.actors)), clock: after.clock}
	m.c.tick(a)
	m.c.actors = append(m.c.actors, a)
	return a
}

// Pass gives what a task has done and knows to others.
func (m *Monitor) Pass(a *Actor) Clock { return Clock{m.c.pass(a)} }

// Take has a task come after what a clock says.
func (m *Monitor) Take(a *Actor, k Clock) { a.clock = a.clock.join(k.clock) }

// All is everything done so far.
func (m *Monitor) All() Clock { return Clock{clock{floor: m.c.everything()}} }

// Begins tells that a lane of the group that acts begins an activation of a task.
func (m *Monitor) Begins(lane int32, a *Actor) {
	m.c.now.lanes[lane] = a
	m.c.now.last[lane] = lastAccess{}
	m.c.now.tickets[lane] = ticket{}
}

// BeginsTogether tells that all lanes of the group that acts begin an activation of a task. Shared memory of the
// handlers has no values then.
func (m *Monitor) BeginsTogether(a *Actor) {
	g := m.c.now
	g.all = a
	clear(g.last)
	clear(g.tickets)
	for _, s := range g.p.low.Shared {
		if g.p.roles.Own != nil && g.p.roles.Own(s.Variable) {
			clear(g.set[s.Word:][:s.Variable.Type.Components()])
		}
	}
}

// Running is the task of a lane of the group that acts; nil for none.
func (m *Monitor) Running(lane int32) *Actor { return m.c.now.lanes[lane] }

// Together is the task that all lanes of the group that acts run; nil for none.
func (m *Monitor) Together() *Actor { return m.c.now.all }
