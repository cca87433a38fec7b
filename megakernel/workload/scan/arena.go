package scan

import "slices"

// span is a run of granules.
type span struct{ at, n uint32 }

// words is where the span begins in the text buffer.
func (s span) words() int { return int(s.at) * granuleWords }

// arena hands out spans of a buffer, first fit. Its free list is sorted and holds no two spans that
// touch.
type arena struct {
	free  []span
	total uint32
}

func newArena(granules uint32) *arena {
	return &arena{free: []span{{0, granules}}, total: granules}
}

// take gives out n granules; false when no free run is that long.
func (a *arena) take(n uint32) (span, bool) {
	for i := range a.free {
		f := &a.free[i]
		if f.n < n {
			continue
		}
		s := span{f.at, n}
		f.at, f.n = f.at+n, f.n-n
		if f.n == 0 {
			a.free = slices.Delete(a.free, i, i+1)
		}
		return s, true
	}
	return span{}, false
}

// give takes a span back.
func (a *arena) give(s span) {
	i, _ := slices.BinarySearchFunc(a.free, s.at, func(f span, at uint32) int { return int(int64(f.at) - int64(at)) })
	a.free = slices.Insert(a.free, i, s)
	if i+1 < len(a.free) && s.at+s.n == a.free[i+1].at {
		a.free[i].n += a.free[i+1].n
		a.free = slices.Delete(a.free, i+1, i+2)
	}
	if i > 0 && a.free[i-1].at+a.free[i-1].n == s.at {
		a.free[i-1].n += a.free[i].n
		a.free = slices.Delete(a.free, i, i+1)
	}
}
