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
		if !c.commander.tryPost(megakernel.Command{Op: megakernel.OpReap, Task: slot.Load(tasks.WordTaskID), Slot: uint32(i)}) {
			return
		}
	}
}

// tryPost posts a command whose answer no caller waits for, if the ring has room now.
func (cs *commander) tryPost(c megakernel.Command) bool {
	cs.commandMu.Lock()
	defer cs.commandMu.Unlock()
	if !cs.entryFree(cs.commands) {
		return false
	}
	at := megakernel.InboxRing + int(cs.commands%megakernel.CommandRing)*megakernel.CommandWords
	cs.inbox.Store(at+megakernel.CmdOp, uint32(c.Op))
	cs.inbox.Store(at+megakernel.CmdTaskID, c.Task)
	cs.inbox.Store(at+megakernel.CmdSlot, c.Slot)
	cs.commands++
	cs.inbox.Store(megakernel.InboxCommands, cs.commands)
	return true
}
