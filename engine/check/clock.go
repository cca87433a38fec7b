package check

// A clock is what an actor knows of the others: for each, up to which time everything that it did has happened before.
// Times are of one counter for all actors. Clocks are persistent trees, so that a copy costs nothing and a join only what
// differs. Actors whose numbers are equal modulo mostClocks share an entry: then two accesses can count as ordered that
// are not, never the other way around.
const (
	clockBits  = 4
	clockFan   = 1 << clockBits
	clockMask  = clockFan - 1
	mostClocks = clockFan * clockFan * clockFan
)

type (
	clockLeaf [clockFan]uint32
	clockMid  [clockFan]*clockLeaf
	clockRoot [clockFan]*clockMid
)

// clock is immutable; the zero clock knows nothing.
type clock struct {
	root  *clockRoot
	floor uint32 // everything up to this time is known, of every actor
}

// knows reports whether what an actor did at a time has happened before.
func (k clock) knows(actor, time uint32) bool {
	if time <= k.floor {
		return true
	}
	if k.root == nil {
		return false
	}
	i := actor % mostClocks
	mid := k.root[i>>(2*clockBits)]
	if mid == nil {
		return false
	}
	leaf := mid[i>>clockBits&clockMask]
	return leaf != nil && leaf[i&clockMask] >= time
}

// with adds what an actor did up to a time.
func (k clock) with(actor, time uint32) clock {
	if k.knows(actor, time) {
		return k
	}
	i := actor % mostClocks
	root, mid, leaf := clockRoot{}, clockMid{}, clockLeaf{}
	if k.root != nil {
		root = *k.root
	}
	if old := root[i>>(2*clockBits)]; old != nil {
		mid = *old
	}
	if old := mid[i>>clockBits&clockMask]; old != nil {
		leaf = *old
	}
	leaf[i&clockMask] = time
	mid[i>>clockBits&clockMask] = &leaf
	root[i>>(2*clockBits)] = &mid
	return clock{&root, k.floor}
}

// join knows what either clock knows.
func (k clock) join(other clock) clock {
	return clock{joinRoots(k.root, other.root), max(k.floor, other.floor)}
}

func joinRoots(a, b *clockRoot) *clockRoot {
	return joined(a, b, func(a, b *clockRoot) (*clockRoot, bool, bool) {
		out, isA, isB := *a, true, true
		for i := range out {
			out[i] = joinMids(a[i], b[i])
			isA, isB = isA && out[i] == a[i], isB && out[i] == b[i]
		}
		return &out, isA, isB
	})
}

func joinMids(a, b *clockMid) *clockMid {
	return joined(a, b, func(a, b *clockMid) (*clockMid, bool, bool) {
		out, isA, isB := *a, true, true
		for i := range out {
			out[i] = joinLeaves(a[i], b[i])
			isA, isB = isA && out[i] == a[i], isB && out[i] == b[i]
		}
		return &out, isA, isB
	})
}

func joinLeaves(a, b *clockLeaf) *clockLeaf {
	return joined(a, b, func(a, b *clockLeaf) (*clockLeaf, bool, bool) {
		out, isA, isB := *a, true, true
		for i := range out {
			out[i] = max(a[i], b[i])
			isA, isB = isA && out[i] == a[i], isB && out[i] == b[i]
		}
		return &out, isA, isB
	})
}

// joined is one of two nodes where that has all of the other, so that clocks share what is equal.
func joined[T any](a, b *T, join func(a, b *T) (out *T, isA, isB bool)) *T {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	out, isA, isB := join(a, b)
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return out
}
