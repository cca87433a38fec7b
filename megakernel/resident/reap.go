package resident

import (
	"vyretop/megakernel"
	"vyretop/tasks"
)

// reapFaulted frees slots of faulted tasks when they hold more than a quarter of all slots. Until
// then a faulted task stays where it was, so that one can look at it. It runs between slices, and
// only posts the commands; the next slice carries them out.
func (s *Session) reapFaulted() {
	c := s.counters()
	if int(c[megakernel.CountFaulted]-c[megakernel.CountReaped]) <= s.kernel.Config.Slots/4 {
		return
	}
	s.fetchSlots()
	for i := range s.kernel.Config.Slots {
		slot := s.slotWords(i)
		if tasks.State(slot.Load(tasks.WordState)) != tasks.Faulted {
			continue
		}
		if !s.tryPost(megakernel.Command{Op: megakernel.OpReap, Task: slot.Load(tasks.WordTaskID), Slot: uint32(i)}) {
			return
		}
	}
}

// tryPost posts a command whose answer no caller waits for, if the ring has room now.
func (s *Session) tryPost(c megakernel.Command) bool {
	s.commandMu.Lock()
	defer s.commandMu.Unlock()
	if !s.entryFree(s.commands) {
		return false
	}
	at := megakernel.InboxRing + int(s.commands%megakernel.CommandRing)*megakernel.CommandWords
	s.inbox.Store(at+megakernel.CmdOp, uint32(c.Op))
	s.inbox.Store(at+megakernel.CmdTaskID, c.Task)
	s.inbox.Store(at+megakernel.CmdSlot, c.Slot)
	s.commands++
	s.inbox.Store(megakernel.InboxCommands, s.commands)
	return true
}
