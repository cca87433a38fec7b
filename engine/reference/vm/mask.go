package vm

import "math/bits"

// mask returns mask register number m, premultiplied by the words of a mask.
func (g *Group) mask(m int) []uint64 { return g.masks[m : m+g.maskWords] }

// active is the set of active lanes.
func (g *Group) active() []uint64 { return g.mask(MaskActive * g.maskWords) }

// left is the set of lanes that wait further down.
func (g *Group) left() []uint64 { return g.mask(MaskLeft * g.maskWords) }

// activate makes set the active lanes.
func (g *Group) activate(set []uint64) (any bool) {
	active := g.active()
	set = set[:len(active)]
	all := g.prog.all[:len(active)]
	full, same := true, true
	var some uint64
	for i, w := range set {
		same = same && active[i] == w
		full = full && w == all[i]
		some |= w
		active[i] = w
	}
	g.full = full
	g.listed = g.listed && same
	return some != 0
}

// lanesOn lists the active lanes in ascending order.
func (g *Group) lanesOn() []int32 {
	if g.full {
		return g.prog.every
	}
	if !g.listed {
		g.listActive()
	}
	return g.list
}

func (g *Group) listActive() {
	list := g.list[:0]
	for i, w := range g.active() {
		for ; w != 0; w &= w - 1 {
			list = append(list, int32(i*64+bits.TrailingZeros64(w)))
		}
	}
	g.list = list
	g.listed = true
}

// where fills dst with the lanes of among whose word in cond is not 0.
func (g *Group) where(dst, among []uint64, cond []uint32) {
	among = among[:len(dst)]
	for i := range dst {
		part := cond[i*64:]
		if len(part) > 64 {
			part = part[:64]
		}
		var w uint64
		for k, v := range part {
			w |= uint64(nonzero(v)) << (k & 63)
		}
		dst[i] = w & among[i]
	}
}

// whereActive fills dst with the active lanes whose word in cond is not 0.
func (g *Group) whereActive(dst []uint64, cond []uint32) {
	if g.full {
		g.where(dst, g.prog.all, cond)
		return
	}
	clear(dst)
	for _, l := range g.lanesOn() {
		if cond[l] != 0 {
			dst[l>>6] |= 1 << (l & 63)
		}
	}
}

// nonzero is 1 when v is not 0; conditions are 0 or 1 in code that the lowering made, but a
// register can hold any word.
func nonzero(v uint32) uint32 { return (v | -v) >> 31 }

func isEmpty(set []uint64) bool {
	var some uint64
	for _, w := range set {
		some |= w
	}
	return some == 0
}
