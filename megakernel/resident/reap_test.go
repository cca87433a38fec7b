package resident

import (
	"testing"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Faulted tasks can be looked at until they hold more than a quarter of the slots; then all of them are asked
// for, and no other task.
func TestFaultedTasksAreReapedBeforeTheyFillTheSlots(t *testing.T) {
	s := deviceless(t, false)
	s.holds(20, 99, tasks.Ready)
	for n := uint32(1); n <= 9; n++ {
		s.holds(int(n), n, tasks.Faulted)
		s.outbox.Store(megakernel.OutCounters+megakernel.CountFaulted, n)
		s.reapFaulted()
		want := uint32(0)
		if n > 32/4 {
			want = n
		}
		if s.commands != want || s.inbox.Load(megakernel.InboxCommands) != want {
			t.Fatalf("%d of 32 slots are faulted: %d commands, %d rung, want %d", n, s.commands, s.inbox.Load(megakernel.InboxCommands), want)
		}
	}
	for n := range s.commands {
		c := s.inbox[megakernel.InboxRing+int(n)*megakernel.CommandWords:]
		if c[megakernel.CmdOp] != uint32(megakernel.OpReap) || c[megakernel.CmdTaskID] != n+1 || c[megakernel.CmdSlot] != n+1 {
			t.Errorf("command %d: %v", n, c[:megakernel.CommandWords])
		}
	}
}
