package resident

import (
	"vyretop/megakernel"
	"vyretop/tasks"
)

// reapFaulted frees slots of faulted tasks when they hold more than a quarter of all slots. Until
// then a faulted task stays where it was, so that one can look at it. It runs between slices, and
// only posts the commands; the next slice carries them out.
func (c *slicer) reapFaulted() {
	n := c.tally.counters()
	if int(n[megakernel.CountFaulted]-n[megakernel.CountReaped]) <= c.kernel.Config.Slots/4 {
		return
	}
	c.view.fetchSlots()
	for i := range c.kernel.Config.Slots {
		slot := c.view.slotWords(i)
		if tasks.State(slot.Load(tasks.WordState)) != tasks.Faulted {
			continue
		}
		if _, ok := c.commander.tryPost(megakernel.Command{Op: megakernel.OpReap, Task: slot.Load(tasks.WordTaskID), Slot: uint32(i)}, false); !ok {
			return
		}
	}
}
