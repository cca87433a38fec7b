package check

import (
	"fmt"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// deed is one access of one invocation to a word.
type deed struct {
	group   int64 // workgroup, plus 1; 0: none
	barrier uint32
	time    uint32 // of the workgroup's clock
	pc      int32
	value   uint32 // written
	lane    int16
	atomic  bool
}

// cell is what is known of a word.
type cell struct {
	write deed
	reads [2]deed // the last ones, of different invocations
}

const pageWords = 1024

// races finds accesses that nothing orders.
type races struct {
	c       *checker
	buffers [][][]cell     // by space, in pages; nil for the shared space
	sync    map[word]clock // what atomics at a word pass on
}

type word struct {
	space int32
	at    int
}

func pages(words int) [][]cell { return make([][]cell, (words+pageWords-1)/pageWords) }

func (r *races) init(c *checker) {
	r.c = c
	r.buffers = make([][][]cell, len(c.code.Spaces))
	r.sync = map[word]clock{}
}

// forget starts over behind a barrier of the whole grid.
func (r *races) forget() {
	clear(r.buffers)
	clear(r.sync)
}

// cell gives the cell of a word.
func (r *races) cell(g *group, space int32, at int) *cell {
	list := &r.buffers[space]
	if r.c.code.Spaces[space].Shared {
		list = &g.shared
	}
	for at/pageWords >= len(*list) {
		*list = append(*list, nil)
	}
	page := &(*list)[at/pageWords]
	if *page == nil {
		*page = make([]cell, pageWords)
	}
	return &(*page)[at%pageWords]
}

// hook looks at the access of an instruction to memory.
func (r *races) hook(pc int) vm.Hook {
	in := r.c.code.Instrs[pc]
	switch in.Op {
	case vm.OpLoad:
		return func(*vm.Group) { r.each(pc, func(d deed, x *cell, w word) { r.read(d, x, w) }) }
	case vm.OpStore:
		return func(*vm.Group) { r.each(pc, func(d deed, x *cell, w word) { r.write(d, x, w) }) }
	}
	return func(*vm.Group) {
		r.each(pc, func(d deed, x *cell, w word) {
			d.atomic = true
			r.order(w)
			d.time = r.c.now.clock.own
			r.write(d, x, w)
		})
	}
}

// each calls f for every word that an access of the active lanes is to.
func (r *races) each(pc int, f func(d deed, x *cell, w word)) {
	g := r.c.now
	in := &r.c.code.Instrs[pc]
	for _, lane := range g.LanesOn() {
		space, first, n, ok := g.Touches(pc, lane)
		if !ok {
			continue
		}
		d := deed{group: int64(g.number) + 1, barrier: g.barrier, time: g.clock.own, pc: int32(pc), lane: int16(lane)}
		for k := range n {
			if in.Op == vm.OpStore {
				d.value = g.Word(in.B+int32(k), lane)
			}
			f(d, r.cell(g, space, first+k), word{space, first + k})
		}
	}
}

func (r *races) read(d deed, x *cell, w word) {
	if r.unordered(&x.write, &d) {
		r.report(&d, &x.write, w, "read", "write")
	} else if r.incoherent(&x.write, &d, w) {
		r.reportIncoherent(&d, &x.write, w)
	}
	if x.reads[0].same(&d) || x.reads[0].group == 0 {
		x.reads[0] = d
	} else {
		x.reads[1] = x.reads[0]
		x.reads[0] = d
	}
}

func (r *races) write(d deed, x *cell, w word) {
	what := "write"
	if d.atomic {
		what = "atomic"
	}
	if r.unordered(&x.write, &d) && (d.atomic || x.write.atomic || d.value != x.write.value) {
		other := "write"
		if x.write.atomic {
			other = "atomic"
		}
		r.report(&d, &x.write, w, what, other)
	}
	for i := range x.reads {
		if r.unordered(&x.reads[i], &d) {
			r.report(&d, &x.reads[i], w, what, "read")
			break
		}
	}
	x.write = d
	x.reads = [2]deed{}
}

// same reports whether two accesses are of the same invocation.
func (d *deed) same(e *deed) bool { return d.group == e.group && d.lane == e.lane }

// unordered reports whether nothing orders an earlier access and one that happens now, one of which writes.
func (r *races) unordered(before, now *deed) bool {
	switch {
	case before.group == 0 || before.same(now) || before.atomic && now.atomic:
		return false
	case before.group == now.group:
		return before.barrier == now.barrier
	}
	return !r.c.now.clock.knows(uint64(before.group-1), before.time)
}

// incoherent reports whether a read sees what another invocation wrote through a buffer that is not coherent.
func (r *races) incoherent(before, now *deed, w word) bool {
	if before.group == 0 || before.same(now) || r.c.code.Spaces[w.space].Shared {
		return false
	}
	return r.memory(w)&(tree.Coherent|tree.Volatile) == 0
}

// memory are the qualifiers of the member that a word belongs to.
func (r *races) memory(w word) tree.Memory {
	b := r.c.tree.Buffers[w.space]
	for i := len(b.Block.Members) - 1; i >= 0; i-- {
		if int(b.Block.Members[i].Offset)/4 <= w.at {
			return b.MemberMemory(i)
		}
	}
	return b.Memory
}

// order makes an atomic take over what those before it at the word have passed on, and pass on its own.
func (r *races) order(w word) {
	if r.c.code.Spaces[w.space].Shared {
		return // barriers order within a workgroup
	}
	passed := r.sync[w]
	r.c.now.clock.join(&passed)
	r.c.now.clock.tick()
	r.sync[w] = r.c.now.clock.snapshot(passed.seen)
}

func (r *races) report(now, before *deed, w word, what, other string) {
	c := r.c
	c.add(place{Race, now.pc, before.pc}, func() Finding {
		where := "another workgroup"
		if now.group == before.group {
			where = "the same workgroup"
		}
		return Finding{
			Text:   fmt.Sprintf("%s of %s races with a %s by an invocation of %s", what, r.name(w), other, where),
			Access: c.access(what, c.id(now), int32(now.lane), now.pc), Other: c.access(other, c.id(before), int32(before.lane), before.pc),
		}
	})
}

func (r *races) reportIncoherent(now, before *deed, w word) {
	c := r.c
	c.add(place{Incoherent, now.pc, before.pc}, func() Finding {
		return Finding{
			Text:   fmt.Sprintf("read of %s, which another invocation wrote; the buffer is not coherent", r.name(w)),
			Access: c.access("read", c.id(now), int32(now.lane), now.pc), Other: c.access("write", c.id(before), int32(before.lane), before.pc),
		}
	})
}

// id is the gl_WorkGroupID of the workgroup of an access.
func (c *checker) id(d *deed) [3]uint32 {
	n, x, y := uint64(d.group-1), uint64(c.grid[0]), uint64(c.grid[1])
	return [3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / x / y)}
}

// name is what a word is called in the shader.
func (r *races) name(w word) string {
	if !r.c.code.Spaces[w.space].Shared {
		b := r.c.tree.Buffers[w.space]
		for i := len(b.Block.Members) - 1; i >= 0; i-- {
			m := &b.Block.Members[i]
			if at := w.at - int(m.Offset)/4; at >= 0 {
				return indexed(qualified(b.Instance, m.Name), m.Type, at)
			}
		}
	}
	for i := len(r.c.low.Shared) - 1; i >= 0; i-- {
		if s := r.c.low.Shared[i]; w.at >= s.Word {
			return indexed(s.Variable.Name, s.Variable.Type, w.at-s.Word)
		}
	}
	return fmt.Sprintf("word %d", w.at)
}

func qualified(instance, name string) string {
	if instance == "" {
		return name
	}
	return instance + "." + name
}

func indexed(name string, t *tree.Type, at int) string {
	switch {
	case t.Class == tree.ClassScalar:
		return name
	case (t.Class == tree.ClassArray || t.Class == tree.ClassRuntimeArray) && t.Elem.Class == tree.ClassScalar:
		return fmt.Sprintf("%s[%d]", name, at)
	case at == 0 && t.Class != tree.ClassArray && t.Class != tree.ClassRuntimeArray:
		return name
	}
	return fmt.Sprintf("%s, word %d", name, at)
}
