package health

import (
	"fmt"
	"math/bits"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// ids finds a task id that occurs twice. It is a hash table with open addressing that is kept from one
// check to the next; entries of earlier checks count as free.
type ids struct {
	entries []idEntry
	check   uint32
}

type idEntry struct {
	id, slot, check uint32
}

// begin makes room for n ids and forgets those before.
func (t *ids) begin(n int) {
	if size := 1 << bits.Len(uint(2*n)); len(t.entries) != size {
		*t = ids{entries: make([]idEntry, size)}
	}
	t.check++
}

// add notes where an id is, and returns where it is as well.
func (t *ids) add(id, slot uint32) (other uint32, taken bool) {
	mask := uint32(len(t.entries) - 1)
	for i := id * 2654435769 & mask; ; i = (i + 1) & mask {
		switch e := &t.entries[i]; {
		case e.check != t.check:
			*e = idEntry{id, slot, t.check}
			return 0, false
		case e.id == id:
			return e.slot, true
		}
	}
}

// checkOwners checks that no task is in two slots, where two workers could run it at once.
func (w *Watch) checkOwners(s *megakernel.Snapshot) {
	n := s.NumSlots()
	if !s.Consistent || n > SlotsPerCheck {
		return
	}
	w.ids.begin(n)
	for i := range n {
		words := s.Slot(i)
		id := words[tasks.WordTaskID]
		if id == 0 || !live(words) || megakernel.OpcodeBuiltin(words[tasks.WordOpcode]) {
			continue
		}
		if other, taken := w.ids.add(id, uint32(i)); taken {
			w.reportSlot(s, "owner", i, fmt.Sprintf("task %s is in slot %d as well", megakernel.TaskName(id), other), s.Slot(int(other))[:], words)
		}
	}
}
