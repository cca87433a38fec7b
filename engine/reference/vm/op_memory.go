package vm

import "sync/atomic"

// Operand A is the index, absent when the access has a fixed place.
var memoryOps = []row{
	{OpLoad, Info{Name: "load", Kinds: [4]Kind{KindDst, KindSrc1Opt, KindNone, KindAccess}, run: runLoad}},
	{OpStore, Info{Name: "store", Kinds: [4]Kind{KindNone, KindSrc1Opt, KindSrc, KindAccess}, run: runStore}},
	{OpLoadReg, Info{Name: "load.reg", Kinds: [4]Kind{KindDst, KindSrc1, KindNone, KindAccess}, run: runLoadReg}},
	{OpStoreReg, Info{Name: "store.reg", Kinds: [4]Kind{KindNone, KindSrc1, KindSrc, KindAccess}, run: runStoreReg}},
	{OpOffset, Info{Name: "offset", Kinds: [4]Kind{KindDst1, KindSrc1, KindSrc1Opt, KindAccess}, run: runOffset}},
	{OpLength, Info{Name: "length", Kinds: [4]Kind{KindDst1, KindNone, KindNone, KindAccess}, run: runLength}},
}

// Poison is the offset of an element out of range; no access is long enough to reach it.
const Poison = ^uint32(0)

// runLoad reads atomically: on the machines that matter that is an ordinary load.
func runLoad(g *Group, s *step) {
	mem := g.mem[s.acc.space]
	if s.a < 0 {
		g.loadFixed(s, mem[s.acc.base:][:s.n])
		return
	}
	if s.n == 1 {
		g.loadOne(s, mem)
		return
	}
	index := g.reg(s.a)
	for _, i := range g.lanesOn() {
		dst := g.regs[s.d+int(i):]
		if index[i] >= s.acc.len {
			g.miss(OutOfRangeRead, s, int(i))
			for k := range s.n {
				dst[k*g.lanes] = 0
			}
			continue
		}
		src := mem[s.acc.base+int(index[i])*s.acc.stride:][:s.n]
		for k := range src {
			dst[k*g.lanes] = atomic.LoadUint32(&src[k])
		}
	}
}

// loadFixed reads each word once for all lanes: they run in lockstep, so all may see the same.
func (g *Group) loadFixed(s *step, src []uint32) {
	for k := range src {
		v := atomic.LoadUint32(&src[k])
		dst := g.reg(s.d + k*g.lanes)
		if g.full {
			fill(dst, v)
			continue
		}
		for _, i := range g.lanesOn() {
			dst[i] = v
		}
	}
}

// loadOne is runLoad for one component.
func (g *Group) loadOne(s *step, mem []uint32) {
	dst, index := g.reg(s.d), g.reg(s.a)
	length, base, stride := s.acc.len, s.acc.base, s.acc.stride
	for _, i := range g.lanesOn() {
		at := index[i]
		if at >= length {
			g.miss(OutOfRangeRead, s, int(i))
			dst[i] = 0
			continue
		}
		dst[i] = atomic.LoadUint32(&mem[base+int(at)*stride])
	}
}

func runStore(g *Group, s *step) {
	mem := g.mem[s.acc.space]
	for _, i := range g.lanesOn() {
		at, ok := g.locate(OutOfRangeWrite, s, int(i))
		if !ok {
			continue
		}
		src := g.regs[s.b+int(i):]
		dst := mem[at:][:s.n]
		for k := range dst {
			if s.acc.contended {
				atomic.StoreUint32(&dst[k], src[k*g.lanes])
			} else {
				dst[k] = src[k*g.lanes]
			}
		}
	}
}

// locate finds the word an access of one lane starts at, or reports that it is out of range.
func (g *Group) locate(kind EventKind, s *step, lane int) (at int, ok bool) {
	if s.a < 0 {
		return s.acc.base, true
	}
	index := g.regs[s.a+lane]
	if index >= s.acc.len {
		g.miss(kind, s, lane)
		return 0, false
	}
	return s.acc.base + int(index)*s.acc.stride, true
}

func (g *Group) miss(kind EventKind, s *step, lane int) {
	if !s.acc.quiet && g.observer != nil {
		g.observer.Event(g, Event{Kind: kind, PC: s.pc, Lane: lane, Index: g.regs[s.a+lane], Len: s.acc.len})
	}
}

func runLoadReg(g *Group, s *step) {
	for _, i := range g.lanesOn() {
		at, ok := g.locate(OutOfRangeRead, s, int(i))
		for k := range s.n {
			var v uint32
			if ok {
				v = g.regs[(at+k)*g.lanes+int(i)]
			}
			g.regs[s.d+k*g.lanes+int(i)] = v
		}
	}
}

func runStoreReg(g *Group, s *step) {
	for _, i := range g.lanesOn() {
		at, ok := g.locate(OutOfRangeWrite, s, int(i))
		if !ok {
			continue
		}
		for k := range s.n {
			g.regs[(at+k)*g.lanes+int(i)] = g.regs[s.b+k*g.lanes+int(i)]
		}
	}
}

// runOffset turns an index into an offset in words and adds the offset in B, if there is one.
func runOffset(g *Group, s *step) {
	dst, index := g.reg(s.d), g.reg(s.a)
	for _, i := range g.lanesOn() {
		var before uint32
		if s.b >= 0 {
			before = g.regs[s.b+int(i)]
		}
		switch {
		case before == Poison:
			dst[i] = Poison
		case index[i] >= s.acc.len:
			g.miss(OutOfRangeIndex, s, int(i))
			dst[i] = Poison
		default:
			dst[i] = before + index[i]*uint32(s.acc.stride)
		}
	}
}

func runLength(g *Group, s *step) {
	dst := g.reg(s.d)
	for _, i := range g.lanesOn() {
		dst[i] = s.acc.len
	}
}
