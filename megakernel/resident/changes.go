package resident

import (
	"math/bits"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// changes finds the leaves, 32 slots each, that may have changed, so that readers copy those and no others.
// It goes by the notes that the device keeps of them (package megakernel, sched.go). Where the slots are in
// the device's memory the workers do that when they bring the mirror up to date, and stamp the leaves that
// they copy.
type changes struct {
	slots engine.Words // the ring, or its mirror

	mu    lock[leafRank]
	looks uint64
	all   uint64   // look at which every slot may have changed
	at    []uint64 // by leaf: the last look at which it may have changed

	sched  engine.Words
	layout megakernel.SchedLayout
	asleep []uint32 // by region: as NoteAsleep

	stamps engine.Words // of the mirror; then the notes are the workers'
	known  []uint32     // stamps as last seen
}

func (c *changes) init(k *kernel.Kernel, slots, sched, outbox engine.Words) {
	c.slots, c.sched, c.layout, c.all = slots, sched, k.Layout, 1
	c.at = make([]uint64, k.Layout.Slots/32)
	c.asleep = make([]uint32, k.Layout.Regions)
	if k.Config.Mirror {
		c.stamps, c.known = outbox[megakernel.OutStamps:], make([]uint32, len(c.at))
	}
}

// markAll says that the host has written slots itself.
func (c *changes) markAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = c.looks + 1
}

// copyTo brings dst, which holds the slots as they were at the look `seen`, up to date, and returns the
// number of this look. Look 0 has seen nothing.
func (c *changes) copyTo(dst []uint32, seen uint64) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	if c.stamps != nil {
		c.readStamps()
	} else {
		c.readNotes()
	}
	if seen < c.all {
		c.slots.CopyTo(dst, 0)
		return c.looks
	}
	const words = 32 * tasks.SlotWords
	for leaf, changed := range c.at {
		if changed > seen {
			c.slots.CopyTo(dst[leaf*words:][:words], leaf*words)
		}
	}
	return c.looks
}

func (c *changes) readStamps() {
	for leaf := range c.known {
		if stamp := c.stamps.Load(leaf); stamp != c.known[leaf] {
			c.known[leaf], c.at[leaf] = stamp, c.looks
		}
	}
}

func (c *changes) readNotes() {
	for region := range c.asleep {
		leaves := c.changedLeaves(region)
		for left := leaves; left != 0; left &= left - 1 {
			c.lookAt(region, bits.TrailingZeros32(left))
		}
	}
}

// changedLeaves are the leaves of a region whose slots may have changed since this was last asked.
func (c *changes) changedLeaves(region int) uint32 {
	note := c.layout.Notes + region*megakernel.NoteWords
	passes := c.sched.Load(note+megakernel.NotePlans) != 0 // first: a plan that ends leaves the other word
	if c.sched.Load(note+megakernel.NoteRan) != 0 {
		c.sched.Store(note+megakernel.NoteRan, 0)
		passes = true
	}
	leaves := uint32(0)
	if c.sched.Load(note+megakernel.NoteTaken) != 0 {
		leaves = c.sched.Swap(note+megakernel.NoteTaken, 0)
	}
	if passes {
		leaves |= ^c.asleep[region]
	}
	if exist := len(c.at) - region*32; exist < 32 {
		leaves &= 1<<exist - 1
	}
	return leaves
}

// lookAt marks a leaf as changed and looks at its sets.
func (c *changes) lookAt(region, leaf int) {
	var ready, waiting uint32
	at := c.layout.LeafOffset() + region*32 + leaf
	for set := range megakernel.NumSets {
		slots := c.sched.Load(c.layout.Set(set) + at)
		if set < megakernel.SetReady0+tasks.NumPriorities {
			ready |= slots
		} else {
			waiting |= slots
		}
	}
	bit := uint32(1) << leaf
	c.asleep[region] &^= bit
	if waiting == ^uint32(0) {
		c.asleep[region] |= bit
	}
	if ready|waiting != ^uint32(0) {
		c.sched.Or(c.layout.Notes+region*megakernel.NoteWords+megakernel.NoteTaken, bit)
	}
	c.at[region*32+leaf] = c.looks
}
