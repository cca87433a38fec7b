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

// where fills dst with the lanes of among for which cond is 1. Conditions are 0 or 1.
func (g *Group) where(dst, among []uint64, cond []uint32) {
	among = among[:len(dst)]
	for i := range dst {
		part := cond[i*64:]
		dst[i] = gather(part[:min(len(part), 64)]) & among[i]
	}
}

// gather makes a mask of up to 64 conditions, eight at a time.
func gather(cond []uint32) (w uint64) {
	for at := 0; at < len(cond)&^7; at += 8 {
		c := (*[8]uint32)(cond[at:])
		w |= uint64(c[0]&1|c[1]&1<<1|c[2]&1<<2|c[3]&1<<3|c[4]&1<<4|c[5]&1<<5|c[6]&1<<6|c[7]&1<<7) << (at & 63)
	}
	for at := len(cond) &^ 7; at < len(cond); at++ {
		w |= uint64(cond[at]&1) << (at & 63)
	}
	return w
}

// whereActive fills dst with the active lanes for which cond is 1.
func (g *Group) whereActive(dst []uint64, cond []uint32) {
	if g.full {
		g.where(dst, g.prog.all, cond)
		return
	}
	clear(dst)
	for _, l := range g.lanesOn() {
		if cond[l]&1 != 0 {
			dst[l>>6] |= 1 << (l & 63)
		}
	}
}

func isEmpty(set []uint64) bool {
	var some uint64
	for _, w := range set {
		some |= w
	}
	return some == 0
}
