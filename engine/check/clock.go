package check

// mostClocks bounds a vector clock. Workgroups beyond count as ordered with each other where both have used an atomic.
const mostClocks = 4096

// clock is what a workgroup knows of the others: of each, up to which of its times everything has happened before.
type clock struct {
	group uint64
	own   uint32
	seen  []uint32 // by workgroup; 0: nothing
	many  bool     // workgroups beyond mostClocks are among those it knows
}

func (k *clock) init(group uint64) { *k = clock{group: group, own: 1} }

// tick begins a new time: what was before can be passed on.
func (k *clock) tick() { k.own++ }

// knows reports whether what a workgroup did at a time has happened before.
func (k *clock) knows(group uint64, time uint32) bool {
	if group >= mostClocks || k.group >= mostClocks {
		return k.many
	}
	return group < uint64(len(k.seen)) && k.seen[group] >= time
}

// join takes over what another clock knows.
func (k *clock) join(other *clock) {
	if len(other.seen) > len(k.seen) {
		k.seen = append(k.seen, make([]uint32, len(other.seen)-len(k.seen))...)
	}
	for i, t := range other.seen {
		k.seen[i] = max(k.seen[i], t)
	}
	k.many = k.many || other.many
}

// snapshot is what the workgroup passes on: what it knows, and its own times before this one. It is written to space, if
// that is large enough.
func (k *clock) snapshot(space []uint32) clock {
	out := clock{many: k.many || k.group >= mostClocks}
	if k.group >= mostClocks {
		return out
	}
	n := max(len(k.seen), int(k.group)+1)
	out.seen = append(space[:0], k.seen...)
	out.seen = append(out.seen, make([]uint32, n-len(k.seen))...)
	out.seen[k.group] = k.own - 1
	return out
}
