package debugger

import (
	"maps"

	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// action is what one entry of the history did.
type action uint8

const (
	actRun     action = iota // a workgroup ran
	actBegin                 // a workgroup began
	actRelease               // all workgroups passed a grid barrier
	actPoke                  // the user set a variable
)

// entry is a part of the history from a time up to the start of the next entry. Beginning and releasing take one tick; an
// instruction takes one, too. What the user sets takes none: wherever the machine stands, all that was set there has been
// applied, so that no stop shows a value from before.
type entry struct {
	start uint64
	act   action
	group uint64
	poke  poke
}

// poke is a change that the user made.
type poke struct {
	lane  int
	space int32 // vm.SpaceRegs or an index in Code.Spaces
	at    int
	words []uint32
}

// machine runs the workgroups of a dispatch one at a time and keeps a history by which any earlier
// time can be reached again.
type machine struct {
	lowered  *lower.Result
	verified *vm.Verified
	linked   *vm.Linked
	memory   [][]uint32 // by space
	written  []bool     // by space: instructions write it, or the user does
	grid     [3]uint32
	total    uint64
	budget   uint64

	now       uint64
	groups    map[uint64]*vm.Group // that have begun
	log       []entry
	begun     begun  // in log
	end       uint64 // end of the history
	at        int    // entry that now is in, or len(log)
	points    points
	observe   vm.Observer
	forgotten func(now uint64) // called when the history after now is cut off; may be nil
}

// begun are the workgroups that begin within a history.
type begun struct {
	all    map[uint64]bool
	lowest uint64 // no lower one is missing in all
}

func (b *begun) add(group uint64) {
	if b.all == nil {
		b.all = map[uint64]bool{}
	}
	b.all[group] = true
}

func (b *begun) remove(group uint64) {
	delete(b.all, group)
	b.lowest = min(b.lowest, group)
}

// next is the lowest workgroup that does not begin.
func (b *begun) next() uint64 {
	for b.all[b.lowest] {
		b.lowest++
	}
	return b.lowest
}

// group gives a workgroup that has begun, or nil.
func (m *machine) group(n uint64) *vm.Group { return m.groups[n] }

func (m *machine) past() bool { return m.now < m.end }

// entryEnd is where entry i ends.
func (m *machine) entryEnd(i int) uint64 {
	if i+1 < len(m.log) {
		return m.log[i+1].start
	}
	return m.end
}

// do carries out an action that takes one tick, as a new part of the history.
func (m *machine) do(e entry) {
	m.truncate()
	e.start = m.now
	m.log = append(m.log, e)
	if e.act == actBegin {
		m.begun.add(e.group)
	}
	m.end = m.now + 1
	m.at = len(m.log) - 1
	m.apply(&m.log[m.at])
	m.advance(1)
}

// set carries out a change that the user makes now, which a new history follows.
func (m *machine) set(group uint64, p poke) {
	m.truncate()
	m.log = append(m.log, entry{start: m.now, act: actPoke, group: group, poke: p})
	m.end, m.at = m.now, len(m.log)
	m.apply(&m.log[m.at-1])
	m.points.dropFrom(m.now) // one of this time is from before the change
}

// truncate forgets the history after now.
func (m *machine) truncate() {
	if !m.past() {
		return
	}
	keep := m.at
	if m.log[keep].start < m.now {
		keep++
	}
	for _, e := range m.log[keep:] {
		if e.act == actBegin {
			m.begun.remove(e.group)
		}
	}
	m.log = m.log[:keep]
	m.end = m.now
	m.at = len(m.log)
	m.points.dropFrom(m.now + 1)
	if m.forgotten != nil {
		m.forgotten(m.now)
	}
}

// advance moves on in time, and applies what was set at the time it comes to.
func (m *machine) advance(n uint64) {
	m.now += n
	for m.at < len(m.log) && m.entryEnd(m.at) <= m.now {
		m.at++
		if m.at < len(m.log) && m.log[m.at].act == actPoke {
			m.apply(&m.log[m.at])
		}
	}
}

func (m *machine) apply(e *entry) {
	switch e.act {
	case actBegin:
		maps.DeleteFunc(m.groups, func(_ uint64, g *vm.Group) bool { return g.State() == vm.Ended })
		g := m.linked.NewGroup(m.observe)
		n, x, y := e.group, uint64(m.grid[0]), uint64(m.grid[1])
		g.Start([3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / x / y)}, m.grid, m.budget)
		m.groups[n] = g
	case actRelease:
		for _, g := range m.groups {
			g.Release()
		}
	case actPoke:
		m.poke(m.groups[e.group], &e.poke)
	}
}

func (m *machine) poke(g *vm.Group, p *poke) {
	if p.space != vm.SpaceRegs {
		m.written[p.space] = true
	}
	for i, w := range p.words {
		switch {
		case p.space == vm.SpaceRegs:
			g.SetRegister(p.at+i, p.lane, w)
		case g == nil: // its workgroup has ended; the buffers are of all
			m.memory[p.space][p.at+i] = w
		default:
			g.Memory(int(p.space))[p.at+i] = w
		}
	}
}

// forward lets one entry of the past, or the workgroup g at the end of the history, continue by at most
// limit instructions, up to an instruction in stops. It returns the
// workgroup that ran or began, and 0 instructions when nothing came to another place.
func (m *machine) forward(g uint64, limit int, stops []bool) (ran uint64, n int) {
	if m.past() {
		e := &m.log[m.at]
		if e.act != actRun {
			m.apply(e)
			m.advance(1)
			if e.act == actBegin {
				return e.group, 1
			}
			return e.group, 0
		}
		limit = int(min(uint64(limit), m.entryEnd(m.at)-m.now))
		ran = e.group
		n = m.groups[ran].RunUntil(limit, stops)
		m.advance(uint64(n))
		return ran, n
	}
	return g, m.extend(g, limit, stops)
}

// extend lets a workgroup continue at the end of the history, with a checkpoint wherever one is due.
func (m *machine) extend(g uint64, limit int, stops []bool) (n int) {
	group, lanes := m.groups[g], m.lowered.Code.Lanes()
	for n < limit {
		part := min(limit-n, m.points.until(lanes))
		k := group.RunUntil(part, stops)
		if last := len(m.log) - 1; k > 0 && (last < 0 || m.log[last].act != actRun || m.log[last].group != g) {
			m.log = append(m.log, entry{start: m.now, act: actRun, group: g})
		}
		n += k
		m.now += uint64(k)
		m.end, m.at = m.now, len(m.log)
		m.points.ran(m, k, lanes)
		if k < part || group.State() != vm.Running || stops[group.PC()] {
			break
		}
	}
	return n
}

// writes tells which spaces some instruction of the code writes.
func writes(code *vm.Code) []bool {
	set := make([]bool, len(code.Spaces))
	for i := range code.Instrs {
		in := &code.Instrs[i]
		switch in.Op {
		case vm.OpLoad, vm.OpLoadReg, vm.OpStoreReg, vm.OpOffset, vm.OpLength:
			continue
		}
		if vm.Ops[in.Op].Kinds[3] != vm.KindAccess {
			continue
		}
		if space := code.Accesses[in.C].Space; space >= 0 {
			set[space] = true
		}
	}
	return set
}
