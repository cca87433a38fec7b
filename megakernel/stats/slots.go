package stats

import (
	"slices"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Unknown is the index and the code of a state or priority word that has no meaning.
const (
	UnknownState    = tasks.NumStates
	UnknownPriority = tasks.NumPriorities
	OtherTenant     = megakernel.Tenants // ids that the protocol has no words for
)

// Code is the state and the priority of a slot in one byte.
type Code uint8

func code(state tasks.State, priority uint32) Code { return Code(state) | Code(priority)<<4 }

// State is the slot's state, or UnknownState.
func (c Code) State() tasks.State { return tasks.State(c & 15) }

// Priority is the priority of the slot's task, or UnknownPriority.
func (c Code) Priority() tasks.Priority { return tasks.Priority(c >> 4) }

// Group is the tasks of one kind that have not ended.
type Group struct {
	Waiting int    // ready, yielded or requeued
	Running int    //
	Held    int    // paused
	Oldest  uint32 // largest age_ticks of those that wait
}

// SlotCounts is the outcome of a pass. The zero value is that of a ring without slots.
type SlotCounts struct {
	States     [UnknownState + 1]int
	Priorities [UnknownPriority + 1]Group
	Tenants    [OtherTenant + 1][UnknownPriority + 1]Group
	Codes      []Code // by slot
}

// tally counts slots by tenant, priority and state, and keeps the largest age of those that wait. It is
// flat, so that a slot costs one addition.
type tally struct {
	count  [kinds][UnknownState + 1]int32
	oldest [kinds]uint32
}

// kinds is the number of pairs of a tenant and a priority.
const kinds = (OtherTenant + 1) * (UnknownPriority + 1)

// Take counts the slots of a ring given as slot words, in the memory of an earlier pass; words behind the last whole
// slot are ignored.
func (c *SlotCounts) Take(slots []uint32) {
	n := len(slots) / tasks.SlotWords
	*c = SlotCounts{Codes: slices.Grow(c.Codes[:0], n)[:n]}
	var t tally
	for i := range c.Codes {
		w := (*[tasks.SlotWords]uint32)(slots[i*tasks.SlotWords:])
		if w[tasks.WordState] == uint32(tasks.Empty) {
			c.Codes[i] = 0
			continue
		}
		state, priority := min(w[tasks.WordState], UnknownState), min(w[tasks.WordPriority], UnknownPriority)
		c.Codes[i] = code(tasks.State(state), priority)
		kind := min(w[tasks.WordTenant], OtherTenant)*(UnknownPriority+1) + priority
		t.count[kind][state]++
		if age := w[tasks.WordAgeTicks]; age > t.oldest[kind] && tasks.State(state).Schedulable() {
			t.oldest[kind] = age
		}
	}
	c.fill(&t)
	c.sum()
}

// fill takes over what was counted.
func (c *SlotCounts) fill(t *tally) {
	c.States[tasks.Empty] = len(c.Codes)
	for kind := range t.count {
		n := &t.count[kind]
		for state, count := range n {
			c.States[state] += int(count)
			c.States[tasks.Empty] -= int(count)
		}
		c.Tenants[kind/(UnknownPriority+1)][kind%(UnknownPriority+1)] = Group{
			Waiting: int(n[tasks.Ready] + n[tasks.Yielded] + n[tasks.Requeued]),
			Running: int(n[tasks.Running]), Held: int(n[tasks.Paused]), Oldest: t.oldest[kind],
		}
	}
}

// sum adds the tenants up by priority.
func (c *SlotCounts) sum() {
	for t := range c.Tenants {
		for p := range c.Priorities {
			c.Priorities[p].merge(c.Tenants[t][p])
		}
	}
}

func (g *Group) merge(o Group) {
	g.Waiting += o.Waiting
	g.Running += o.Running
	g.Held += o.Held
	g.Oldest = max(g.Oldest, o.Oldest)
}

// Live is the number of tasks of the group.
func (g Group) Live() int { return g.Waiting + g.Running + g.Held }

// Tenant is the sum over the priorities of a tenant.
func (c *SlotCounts) Tenant(t int) Group {
	var sum Group
	for _, g := range c.Tenants[t] {
		sum.merge(g)
	}
	return sum
}

// Range counts the states of the slots from..to-1, which must be in the ring.
func (c *SlotCounts) Range(from, to int) (states [UnknownState + 1]int) {
	for _, code := range c.Codes[from:to] {
		states[code.State()]++
	}
	return states
}
