package check

import (
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// deed is one access of one invocation to a word.
type deed struct {
	actor    uint32 // its number, plus 1; 0: none
	worker   uint32 // number of the workgroup
	barrier  uint32 // the last one of the workgroup; no two have the same
	time     uint32 // of the actor
	pc       int32  // of all programs
	value    uint32 // written; of a read: behindAtomic, tookOver or 0
	lane     int16
	atomic   bool
	together bool // other lanes of the workgroup act for the same actor
}

// cell is what is known of a word.
type cell struct {
	write deed    // where no actor has written: value is what was read, if lane is seen
	reads [2]deed // the last ones, of different invocations
}

// seen marks a write that was not made by the device.
const seen = -1

const (
	pageWords = 1024
	maxPages  = 4096 // 4 Mi words: 350 MB
)

// store has the cells of one memory, in pages.
type store [][]cell

// races finds accesses that nothing orders.
type races struct {
	c       *checker
	buffers map[uint32]*store // by binding
	pages   int
	sync    map[word]clock // what atomics at a word pass on
	actor   *Actor         // that acts
	writers map[uint32]*Actor
	deed    deed // that happens
	touch   touch
}

// word is a word of the buffer at a binding.
type word struct {
	binding uint32
	at      int
}

func (r *races) init(c *checker) {
	*r = races{c: c, buffers: map[uint32]*store{}, sync: map[word]clock{}, writers: map[uint32]*Actor{}}
}

// forget starts over behind a barrier of the whole grid.
func (r *races) forget() {
	for _, s := range r.buffers {
		clear(*s)
	}
	r.pages = 0
	clear(r.sync)
}

// buffer gives the cells of the buffer at a binding.
func (r *races) buffer(binding uint32) *store {
	if r.buffers[binding] == nil {
		r.buffers[binding] = new(store)
	}
	return r.buffers[binding]
}

// cell gives the cell of a word; nil where there are too many.
func (r *races) cell(s *store, at int) *cell {
	if i := uint(at) / pageWords; i < uint(len(*s)) {
		if page := (*s)[i]; page != nil {
			return &page[uint(at)%pageWords]
		}
	}
	return r.newCell(s, at)
}

func (r *races) newCell(s *store, at int) *cell {
	for at/pageWords >= len(*s) {
		*s = append(*s, nil)
	}
	page := &(*s)[at/pageWords]
	if *page == nil {
		if r.pages == maxPages {
			r.c.report.Unwatched = true
			return nil
		}
		r.pages++
		*page = make([]cell, pageWords)
	}
	return &(*page)[at%pageWords]
}

// touch is an access to one word.
type touch struct {
	p     *program
	space int32
	at    int
	lane  int32
}

func (t *touch) shared() bool { return t.p.code.Spaces[t.space].Shared }

func (t *touch) word() word { return word{t.p.code.Spaces[t.space].Binding, t.at} }

// hook looks at the access of an instruction to memory.
func (r *races) hook(p *program, pc int) vm.Hook {
	in := &p.code.Instrs[pc]
	a := &p.code.Accesses[in.C]
	hands := r.qualifiers(&touch{p: p, space: a.Space, at: int(a.Base)})&r.c.handing() != 0
	look := r.read
	switch {
	case in.Op == vm.OpLoad && hands && r.c.tasks != nil:
		look = r.readHosted
	case in.Op == vm.OpStore && hands && p.updates(pc):
		look = r.update
	case in.Op == vm.OpStore && hands && r.c.tasks == nil:
		look = r.writeHanding
	case in.Op == vm.OpStore:
		look = r.write
	}
	if in.Op == vm.OpLoad || in.Op == vm.OpStore {
		return func(*vm.Group) { r.each(p, pc, look) }
	}
	unused := !p.used(pc)
	return func(*vm.Group) {
		r.each(p, pc, func(d *deed, x *cell, t *touch) {
			d.atomic = true
			r.order(t, !unused)
			d.time = r.actor.own
			r.write(d, x, t)
			if unused {
				r.c.now.tickets[t.lane] = ticket{t.space, t.at, d.barrier, d.actor}
			}
		})
	}
}

// each calls f for every word that an access of the active lanes is to.
func (r *races) each(p *program, pc int, f func(d *deed, x *cell, t *touch)) {
	g := r.c.now
	in := &p.code.Instrs[pc]
	spot := vm.SpotOf(g.Group, pc)
	cells := p.cells[spot.Space]
	if cells == nil {
		cells = &g.shared
	}
	var values []uint32
	if in.Op == vm.OpStore {
		values = vm.Words(g.Group, in.B)
	}
	from, end := p.from(spot.Space), p.end(spot.Space, g.Group)
	d, t := &r.deed, &r.touch
	*t = touch{p: p, space: spot.Space}
	*d = deed{worker: uint32(g.number), barrier: g.barrier, pc: p.base + int32(pc), together: p.together(pc)}
	for _, lane := range g.LanesOn() {
		first, ok := spot.First(lane)
		a := g.actor(lane, d.together)
		if !ok || a == nil || first < from || first >= end {
			continue
		}
		r.c.renew(a)
		r.actor, t.lane = a, lane
		d.actor, d.time, d.lane = a.number+1, a.own, int16(lane)
		for k := range spot.N {
			t.at = first + k
			x := r.cell(cells, t.at)
			if x == nil {
				continue
			}
			if k > 0 && values != nil {
				values = vm.Words(g.Group, in.B+int32(k))
			}
			if values != nil {
				d.value = values[lane]
			}
			f(d, x, t)
		}
		if spot.N > 1 && values != nil {
			values = vm.Words(g.Group, in.B)
		}
		g.last[lane] = lastAccess{int32(pc), int32(first)}
	}
}

// readHosted is read of a word that the host may write.
func (r *races) readHosted(d *deed, x *cell, t *touch) {
	value := r.c.now.Memory(int(t.space))[t.at]
	w := &x.write
	switch {
	case w.actor == 0 && w.lane != seen:
		*w = deed{lane: seen, value: value}
	case w.value != value && !w.atomic: // the host has written it, and may have seen all that was done
		*w = deed{lane: seen, value: value}
		r.c.knowsAll(r.actor)
	}
	r.read(d, x, t)
}

// The values of reads: one behind an atomic of the same invocation whose result is not used, and one that nothing but the
// word itself orders behind the write that it sees.
const (
	behindAtomic = 1
	tookOver     = 2
)

func (r *races) read(d *deed, x *cell, t *touch) {
	w := &x.write
	if d.value = 0; r.c.now.tickets[t.lane] == (ticket{t.space, t.at, d.barrier, d.actor}) {
		d.value = behindAtomic
	}
	switch {
	case w.actor == 0 || w.same(d):
	case !r.unordered(w, d, t):
		if r.incoherent(w, d, t) {
			r.reportIncoherent(d, w, t)
		}
	case w.atomic && d.value == behindAtomic:
		r.reportTicket(d, w, t)
	case r.polls(d, t):
		r.reportPoll(d, w, t)
	case r.qualifiers(t)&r.c.handing() != 0:
		r.takeOver(w)
		d.value = tookOver
	default:
		r.report(d, w, t, "read", "write")
	}
	if w.atomic && r.qualifiers(t)&r.c.handing() != 0 { // it stands for all atomics before it at the word
		r.actor.clock = r.actor.clock.join(r.sync[t.word()])
	}
	if x.reads[0].same(d) || x.reads[0].actor == 0 {
		x.reads[0] = *d
	} else {
		x.reads[1] = x.reads[0]
		x.reads[0] = *d
	}
}

func (r *races) write(d *deed, x *cell, t *touch) {
	what := "write"
	if d.atomic {
		what = "atomic"
	}
	w := &x.write
	if w.actor != 0 && !w.same(d) && r.unordered(w, d, t) && (d.atomic || w.atomic || d.value != w.value) && !r.status(t) {
		other := "write"
		if w.atomic {
			other = "atomic"
		}
		r.report(d, w, t, what, other)
	}
	if x.reads[0].actor != 0 && !(x.reads[0].same(d) && x.reads[1].actor == 0) {
		r.writeBehind(d, x, t, what)
	}
	x.write = *d
	x.reads[0].actor, x.reads[1].actor = 0, 0
}

// writeBehind looks at the reads before a write.
func (r *races) writeBehind(d *deed, x *cell, t *touch, what string) {
	for i := range x.reads {
		switch read := &x.reads[i]; {
		case !r.unordered(read, d, t):
		case d.atomic && read.value == behindAtomic:
			r.reportTicket(read, d, t)
			return
		case r.qualifiers(t)&r.c.handing() == 0:
			r.report(d, read, t, what, "read")
			return
		}
	}
}

// update is write of a value that was made of the value that the word had. It races where only that read orders it behind
// another write: both could have read the same value.
func (r *races) update(d *deed, x *cell, t *touch) {
	for i := range x.reads {
		if read := &x.reads[i]; read.same(d) && read.value == tookOver && x.write.actor != 0 && !x.write.same(d) && !r.status(t) {
			r.report(d, &x.write, t, "update", "write")
			break
		}
	}
	r.writeHanding(d, x, t)
}

// writeHanding is write of a word that others take over from.
func (r *races) writeHanding(d *deed, x *cell, t *touch) {
	r.write(d, x, t)
	r.writers[d.actor-1] = r.actor
}

// same reports whether two accesses are of the same invocation.
func (d *deed) same(e *deed) bool { return d.actor == e.actor && (d.lane == e.lane || !d.together) }

// unordered reports whether nothing orders an earlier access and one that happens now, one of which writes.
func (r *races) unordered(before, now *deed, t *touch) bool {
	switch {
	case before.actor == 0 || before.same(now) || before.atomic && now.atomic:
		return false
	case before.actor == now.actor:
		return before.barrier == now.barrier
	case t.shared():
		return false // the task before has ended
	}
	return !r.actor.clock.knows(before.actor-1, before.time)
}

// incoherent reports whether a read sees what another invocation wrote through a buffer that is not coherent.
func (r *races) incoherent(before, now *deed, t *touch) bool {
	if before.actor == 0 || before.same(now) || t.shared() {
		return false
	}
	return r.qualifiers(t)&(tree.Coherent|tree.Volatile) == 0
}

// qualifiers are those of the member that a word belongs to.
func (r *races) qualifiers(t *touch) tree.Memory {
	if t.shared() {
		return 0
	}
	b := t.p.tree.Buffers[t.space]
	for i := len(b.Block.Members) - 1; i >= 0; i-- {
		if int(b.Block.Members[i].Offset)/4 <= t.at {
			return b.MemberMemory(i)
		}
	}
	return b.Memory
}

// handsOver are the qualifiers of words by which tasks may tell each other, and the host, without atomics.
const handsOver = tree.Coherent | tree.Volatile

// handing are the qualifiers of words whose unordered reads are meant: they take over what the writer has done. Between
// workgroups of a dispatch only volatile says that; between tasks coherent does, which is how the kernel documents it.
func (c *checker) handing() tree.Memory {
	if c.tasks != nil {
		return handsOver
	}
	return tree.Volatile
}

// status reports whether a word is one that the device only writes while others look: the last write counts.
func (r *races) status(t *touch) bool {
	const is = tree.Volatile | tree.WriteOnly
	return r.qualifiers(t)&is == is
}

// takeOver makes the actor that acts know what the one that wrote a word has done.
func (r *races) takeOver(w *deed) {
	a := r.writers[w.actor-1]
	if r.c.tasks != nil {
		a = r.c.actors[w.actor-1]
	}
	if a == nil { // an atomic
		r.actor.clock = r.actor.clock.with(w.actor-1, w.time)
		return
	}
	r.actor.clock = r.actor.clock.join(r.c.pass(a))
}

// order makes an atomic take over what those before it at the word have passed on, and pass on its own. One whose result is not used
// tells its invocation nothing of those before it.
func (r *races) order(t *touch, used bool) {
	if t.shared() {
		return // barriers order within a workgroup
	}
	w := t.word()
	if used {
		r.actor.clock = r.actor.clock.join(r.sync[w])
		r.sync[w] = r.c.pass(r.actor)
		return
	}
	r.sync[w] = r.sync[w].join(r.c.pass(r.actor))
}
