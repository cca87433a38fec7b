// Package census owns what one pass over the slots of a snapshot finds out: how many tasks there
// are in which state, priority and tenant, how old the oldest that waits is, and one byte per slot
// that a map of the ring is drawn from. A ring of a million slots is 64 MiB; the pass reads each
// slot's cache line once and leaves a megabyte behind.
package census

import (
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

// Census is the outcome of a pass. It is immutable once made.
type Census struct {
	States     [UnknownState + 1]int
	Priorities [UnknownPriority + 1]Group
	Tenants    [OtherTenant + 1][UnknownPriority + 1]Group
	Codes      []Code // by slot
}

// Take counts the slots of a ring given as slot words; words behind the last whole slot are ignored.
func Take(slots []uint32) *Census {
	c := &Census{Codes: make([]Code, len(slots)/tasks.SlotWords)}
	for i := range c.Codes {
		w := slots[i*tasks.SlotWords:][:tasks.SlotWords]
		if w[tasks.WordState] == uint32(tasks.Empty) {
			c.States[tasks.Empty]++
			continue
		}
		c.add(i, w)
	}
	c.sum()
	return c
}

// add counts a slot that is not empty.
func (c *Census) add(slot int, w []uint32) {
	state := tasks.State(min(w[tasks.WordState], UnknownState))
	priority := min(w[tasks.WordPriority], UnknownPriority)
	c.States[state]++
	c.Codes[slot] = code(state, priority)
	g := &c.Tenants[min(w[tasks.WordTenant], OtherTenant)][priority]
	switch state {
	case tasks.Ready, tasks.Yielded, tasks.Requeued:
		g.Waiting++
		g.Oldest = max(g.Oldest, w[tasks.WordAgeTicks])
	case tasks.Running:
		g.Running++
	case tasks.Paused:
		g.Held++
	}
}

// sum adds the tenants up by priority.
func (c *Census) sum() {
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
func (c *Census) Tenant(t int) Group {
	var sum Group
	for _, g := range c.Tenants[t] {
		sum.merge(g)
	}
	return sum
}

// Range counts the states of the slots from..to-1, which must be in the ring.
func (c *Census) Range(from, to int) (states [UnknownState + 1]int) {
	for _, code := range c.Codes[from:to] {
		states[code.State()]++
	}
	return states
}
