package scan

import (
	"testing"

	"pgregory.net/rapid"
)

// TestArenaNeverOverlapsNorLeaks takes and gives at random; every granule has one owner at a time, and
// when all is given back the arena is one span again.
func TestArenaNeverOverlapsNorLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const total = 64
		a := newArena(total)
		var owner [total]bool
		var held []span
		mark := func(s span, to bool) {
			for i := s.at; i < s.at+s.n; i++ {
				if owner[i] == to {
					t.Fatalf("granule %d changes hands twice", i)
				}
				owner[i] = to
			}
		}
		give := func(i int) {
			mark(held[i], false)
			a.give(held[i])
			held = append(held[:i], held[i+1:]...)
		}
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			if len(held) > 0 && rapid.Bool().Draw(t, "give") {
				give(rapid.IntRange(0, len(held)-1).Draw(t, "which"))
				continue
			}
			if s, ok := a.take(rapid.Uint32Range(1, 20).Draw(t, "granules")); ok {
				mark(s, true)
				held = append(held, s)
			}
		}
		for len(held) > 0 {
			give(0)
		}
		if len(a.free) != 1 || a.free[0] != (span{0, total}) {
			t.Fatalf("free list %v", a.free)
		}
	})
}

func TestBlockSizes(t *testing.T) {
	for _, c := range []struct {
		stride int
		size   int64
		total  uint32
		want   uint32
	}{
		{2, 1, 1 << 20, 1},
		{2, 15, 1 << 20, 1},
		{2, 16, 1 << 20, 2}, // one byte more than the file, so that reading it comes out short
		{2, 17, 1 << 20, 2},
		{1, 7, 1 << 20, 1},
		{1, 8, 1 << 20, 2},
		{2, 0, 1 << 20, unknownBlock/16 + 1},
		{2, 1 << 40, 1 << 20, 1 << 14},
		{2, 100, 32, 1},
	} {
		a := &Automaton{stride: c.stride}
		if got := a.blockOf(c.size, c.total); got != c.want {
			t.Errorf("stride %d, size %d in %d granules: block of %d, want %d", c.stride, c.size, c.total, got, c.want)
		}
	}
}
