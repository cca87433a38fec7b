package resident

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// newChanges is changes over memory of the host, with all slots at rest in the free set.
func newChanges(slots int) *changes {
	k := &kernel.Kernel{Config: kernel.Config{Slots: slots}, Layout: megakernel.NewSchedLayout(slots)}
	c := new(changes)
	c.init(k, make(engine.Words, slots*tasks.SlotWords), make(engine.Words, k.Layout.Words), nil)
	free := k.Layout.Set(megakernel.SetFree) + k.Layout.LeafOffset()
	for leaf := range slots / 32 {
		c.sched[free+leaf] = ^uint32(0)
	}
	return c
}

// change does to slot i what a worker does that takes it, changes it and puts it back.
func (c *changes) change(i int) {
	c.slots[i*tasks.SlotWords]++
	c.sched[c.layout.Notes+i/megakernel.RegionSlots*megakernel.NoteWords+megakernel.NoteTaken] |= 1 << (i / 32 % 32)
}

// A reader that has missed looks of others gets all that has changed since its own.
func TestReadersOfDifferentAge(t *testing.T) {
	const slots = 4096
	c := newChanges(slots)
	rng := rand.New(rand.NewPCG(1, 2))
	var dst [3][slots * tasks.SlotWords]uint32
	var seen [3]uint64
	for range 400 {
		for range rng.IntN(4) {
			c.change(rng.IntN(slots))
		}
		if rng.IntN(50) == 0 {
			c.slots[rng.IntN(slots)*tasks.SlotWords]++
			c.markAll()
		}
		r := rng.IntN(len(dst))
		seen[r] = c.copyTo(dst[r][:], seen[r])
		for i, word := range c.slots {
			if dst[r][i] != word {
				t.Fatalf("look %d of reader %d: word %d of slot %d is %d, want %d", seen[r], r, i%tasks.SlotWords, i/tasks.SlotWords, dst[r][i], word)
			}
		}
	}
}

// BenchmarkObserve is what one reading of the slots costs the host, by number of slots and by how many have
// changed since the last: one in a hundred, at random or next to one another, or all of them.
func BenchmarkObserve(b *testing.B) {
	for _, slots := range []int{4096, 1 << 20} {
		for _, c := range []struct {
			name    string
			changed int
			stride  int
		}{{"none", 0, 1}, {"1%-scattered", slots / 100, 97}, {"1%-together", slots / 100, 1}, {"all", slots, 1}} {
			b.Run(fmt.Sprintf("%d/%s", slots, c.name), func(b *testing.B) { observe(b, slots, c.changed, c.stride) })
		}
	}
}

func observe(b *testing.B, slots, changed, stride int) {
	c := newChanges(slots)
	dst := make([]uint32, slots*tasks.SlotWords)
	seen := c.copyTo(dst, 0)
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		for i := range changed {
			c.change(i * stride % slots)
		}
		b.StartTimer()
		seen = c.copyTo(dst, seen)
	}
}
