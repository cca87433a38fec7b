package megakernel

import "vyretop/tasks"

// FindTask returns the slot of the live task with the given ID. It looks at hint first, where the task was last seen.
func (s *Snapshot) FindTask(id uint32, hint int) (slot int, ok bool) {
	holds := func(i int) bool {
		w := s.Slot(i)
		return w[tasks.WordTaskID] == id && tasks.State(w[tasks.WordState]) != tasks.Empty
	}
	if hint >= 0 && hint < s.NumSlots() && holds(hint) {
		return hint, true
	}
	for i := range s.NumSlots() {
		if holds(i) {
			return i, true
		}
	}
	return 0, false
}
