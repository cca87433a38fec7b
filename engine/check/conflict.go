package check

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// ticket is the last atomic of a lane whose result it has not used.
type ticket struct {
	space   int32
	at      int
	barrier uint32
	actor   uint32
}

// lastAccess is where a lane was last in memory, and the first word of it.
type lastAccess struct {
	pc, at int32
}

// polls reports whether a lane reads the same word at the same place as in its last access, through a buffer that is not
// volatile: a compiler may read it once.
func (r *races) polls(d *deed, t *touch) bool {
	return !t.shared() && r.c.now.last[t.lane] == lastAccess{d.pc - t.p.base, int32(t.at)} && r.qualifiers(t)&tree.Volatile == 0
}

func (r *races) report(now, before *deed, t *touch, what, other string) {
	r.add(Race, now, before, t, what, other, func(name string) string {
		return fmt.Sprintf("%s of %s races with a %s by %s", what, name, other, r.c.doer(now, before))
	})
}

func (r *races) reportIncoherent(now, before *deed, t *touch) {
	r.add(Incoherent, now, before, t, "read", "write", func(name string) string {
		return fmt.Sprintf("read of %s, which another %s wrote; the buffer is not coherent", name, r.c.doers())
	})
}

func (r *races) reportTicket(now, before *deed, t *touch) {
	r.add(Ticket, now, before, t, "read", "atomic", func(name string) string {
		return fmt.Sprintf("%s is read behind an atomic whose result is not used; another %s has changed it in between", name, r.c.doers())
	})
}

func (r *races) reportPoll(now, before *deed, t *touch) {
	r.add(Unvolatile, now, before, t, "read", "write", func(name string) string {
		return fmt.Sprintf("%s is read in a loop until another %s writes it; the buffer is not volatile", name, r.c.doers())
	})
}

func (r *races) add(kind Kind, now, before *deed, t *touch, what, other string, text func(name string) string) {
	c := r.c
	c.add(place{kind: kind, pc: now.pc, other: before.pc}, func() Finding {
		return Finding{Text: text(t.p.name(t)), Access: c.accessOf(what, now), Other: c.accessOf(other, before)}
	})
}

// doers is what invocations act for.
func (c *checker) doers() string {
	if c.tasks != nil {
		return "task"
	}
	return "invocation"
}

// doer says who did an access, as one that another access races with.
func (c *checker) doer(now, before *deed) string {
	switch {
	case c.tasks != nil && now.actor != before.actor:
		return fmt.Sprintf("task %s", c.actors[before.actor-1].Name)
	case c.tasks != nil:
		return "another lane of the task"
	case now.actor == before.actor:
		return "an invocation of the same workgroup"
	}
	return "an invocation of another workgroup"
}

// accessOf describes an access that was noted.
func (c *checker) accessOf(what string, d *deed) Access {
	a := c.access(what, c.id(uint64(d.worker)), int32(d.lane), d.pc)
	if c.tasks != nil {
		a.Task = &c.actors[d.actor-1].Task
	}
	return a
}

// id is the gl_WorkGroupID of a workgroup.
func (c *checker) id(n uint64) [3]uint32 {
	x, y := uint64(c.grid[0]), uint64(c.grid[1])
	return [3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / x / y)}
}

// name is what a word is called in the shader.
func (p *program) name(t *touch) string {
	if !t.shared() {
		b := p.tree.Buffers[t.space]
		for i := len(b.Block.Members) - 1; i >= 0; i-- {
			m := &b.Block.Members[i]
			if at := t.at - int(m.Offset)/4; at >= 0 {
				return inBuffer.word(qualified(b.Instance, m.Name), m.Type, at)
			}
		}
	}
	for i := len(p.low.Shared) - 1; i >= 0; i-- {
		if s := p.low.Shared[i]; t.at >= s.Word {
			return inShared.word(s.Variable.Name, s.Variable.Type, t.at-s.Word)
		}
	}
	return fmt.Sprintf("word %d", t.at)
}

func qualified(instance, name string) string {
	if instance == "" {
		return name
	}
	return instance + "." + name
}
