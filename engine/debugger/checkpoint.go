package debugger

import (
	"maps"
	"slices"
	"sort"

	"vyretop/engine/reference/vm"
)

// pageWords is the unit in which checkpoints share memory that has not changed.
const pageWords = 1024

// Checkpoints are made after this much work, and thinned out beyond this much memory. Work is estimated, in units of about a
// nanosecond, and not measured: on a busy machine checkpoints would lie further apart than a step back can go over in time.
const (
	checkpointWork  = 1 << 20
	instructionWork = 8  // of an instruction, and
	laneWork        = 1  // of each lane of its workgroup
	wordsOfWork     = 2  // that a checkpoint compares in a unit
	checkpointShare = 10 // of the work, one part may be that of making checkpoints
	checkpointBytes = 256 << 20
)

// point is the state of a machine at a time.
type point struct {
	now    uint64
	memory [][][]uint32 // pages by space; shared memory is in groups
	groups map[uint64]savedGroup
	bytes  int // that no earlier point has
	words  int // that were compared with those of the one before
}

type savedGroup struct {
	state        vm.Saved
	regs, shared [][]uint32
}

// points are the checkpoints, in ascending order of time.
type points struct {
	list  []*point
	bytes int
	done  int // work since the last one
	cost  int // work that it took
}

// until is how many instructions of a workgroup with that many lanes may run before a checkpoint is due.
func (p *points) until(lanes int) int {
	left := max(checkpointWork, checkpointShare*p.cost) - p.done
	return max(1, left/(instructionWork+laneWork*lanes))
}

// ran counts instructions of a workgroup with that many lanes, and makes a checkpoint when one is due.
func (p *points) ran(m *machine, n, lanes int) {
	p.done += n * (instructionWork + laneWork*lanes)
	if p.done >= max(checkpointWork, checkpointShare*p.cost) {
		p.add(m)
	}
}

func (p *points) add(m *machine) {
	var before *point
	if n := len(p.list); n > 0 {
		if p.list[n-1].now >= m.now {
			return
		}
		before = p.list[n-1]
	}
	x := capture(m, before)
	p.list = append(p.list, x)
	p.bytes += x.bytes
	if p.bytes > checkpointBytes {
		p.thin()
	}
	p.done, p.cost = 0, x.words/wordsOfWork
}

// thin drops every other checkpoint but the first and the last; pages that several share stay.
func (p *points) thin() {
	last := len(p.list) - 1
	var kept []*point
	for i, x := range p.list {
		if i%2 == 0 || i == last {
			kept = append(kept, x)
		}
	}
	p.list = kept
	p.count()
}

// count says again which bytes each checkpoint has that no earlier one has.
func (p *points) count() {
	known := map[*uint32]bool{}
	p.bytes = 0
	for _, x := range p.list {
		x.bytes = 0
		for page := range x.all {
			if !known[&page[0]] {
				known[&page[0]] = true
				x.bytes += 4 * len(page)
			}
		}
		p.bytes += x.bytes
	}
}

// all yields every page of a checkpoint.
func (x *point) all(yield func([]uint32) bool) {
	lists := x.memory
	for _, g := range x.groups {
		lists = append(lists[:len(lists):len(lists)], g.regs, g.shared)
	}
	for _, pages := range lists {
		for _, page := range pages {
			if !yield(page) {
				return
			}
		}
	}
}

// before is the last checkpoint at or before a time.
func (p *points) before(t uint64) *point {
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].now > t })
	return p.list[i-1]
}

// dropFrom drops the checkpoints of a time and later.
func (p *points) dropFrom(t uint64) {
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].now >= t })
	for _, x := range p.list[i:] {
		p.bytes -= x.bytes
	}
	p.list = slices.Delete(p.list, i, len(p.list))
}

func capture(m *machine, before *point) *point {
	x := &point{now: m.now, groups: map[uint64]savedGroup{}}
	for i, words := range m.memory {
		var old [][]uint32
		if before != nil {
			old = before.memory[i]
		}
		if before != nil && !m.written[i] {
			x.memory = append(x.memory, old)
			continue
		}
		x.memory = append(x.memory, x.pages(words, old))
	}
	for n, g := range m.groups {
		var old savedGroup
		if before != nil {
			old = before.groups[n]
		}
		s := savedGroup{state: g.Save()}
		s.regs, s.shared = x.pages(s.state.Regs, old.regs), x.pages(s.state.Shared, old.shared)
		s.state.Regs, s.state.Shared = nil, nil
		x.groups[n] = s
	}
	return x
}

// pages copies words; pages equal to those of old are shared.
func (x *point) pages(words []uint32, old [][]uint32) [][]uint32 {
	var out [][]uint32
	x.words += len(words)
	for page := range slices.Chunk(words, pageWords) {
		if i := len(out); i < len(old) && slices.Equal(old[i], page) {
			out = append(out, old[i])
			continue
		}
		out = append(out, slices.Clone(page))
		x.bytes += 4 * len(page)
	}
	return out
}

func paste(words []uint32, pages [][]uint32) {
	for i, page := range pages {
		copy(words[i*pageWords:], page)
	}
}

// restore puts the machine into the state of a checkpoint.
func (m *machine) restore(x *point) {
	m.now = x.now
	m.at = sort.Search(len(m.log), func(i int) bool { return m.entryEnd(i) > x.now })
	for i, pages := range x.memory {
		if m.written[i] {
			paste(m.memory[i], pages)
		}
	}
	maps.DeleteFunc(m.groups, func(n uint64, _ *vm.Group) bool { _, ok := x.groups[n]; return !ok })
	for n, s := range x.groups {
		g := m.groups[n]
		if g == nil {
			g = m.linked.NewGroup(m.observe)
			m.groups[n] = g
		}
		saved := s.state
		saved.Regs, saved.Shared = join(s.regs), join(s.shared)
		g.Restore(&saved)
	}
}

func join(pages [][]uint32) []uint32 { return slices.Concat(pages...) }

// seek goes to a time that lies in the history.
func (m *machine) seek(t uint64) {
	if t < m.now || m.points.before(t).now > m.now {
		m.restore(m.points.before(t))
	}
	none := make([]bool, len(m.lowered.Code.Instrs))
	for m.now < t {
		m.forward(0, int(t-m.now), none)
	}
}
