package megakernel

import "vyretop/tasks"

// Held reports whether a breakpoint holds the task of a slot.
func Held(w *[tasks.SlotWords]uint32) bool {
	return tasks.State(w[tasks.WordState]) == tasks.Paused && w[tasks.WordResumeEpoch] == HeldEpoch && w[tasks.WordFlags]&tasks.FlagHalted != 0
}

// PausedByHand reports whether a command has paused the task of a slot: resuming all leaves it paused, only a command that names
// the task resumes it.
func PausedByHand(w *[tasks.SlotWords]uint32) bool {
	return tasks.State(w[tasks.WordState]) == tasks.Paused && w[tasks.WordResumeEpoch] == HeldEpoch && w[tasks.WordFlags]&tasks.FlagHalted == 0
}

// PausedByHand counts the tasks that commands have paused.
func (s *Snapshot) PausedByHand() (n int) {
	for i := range s.NumSlots() {
		if PausedByHand(s.Slot(i)) {
			n++
		}
	}
	return n
}

// Stopped lists the slots of tasks that stand still and are worth a look: those that a breakpoint holds, then those that have faulted.
func (s *Snapshot) Stopped() (slots []int) {
	var faulted []int
	for i := range s.NumSlots() {
		switch w := s.Slot(i); {
		case Held(w):
			slots = append(slots, i)
		case tasks.State(w[tasks.WordState]) == tasks.Faulted:
			faulted = append(faulted, i)
		}
	}
	return append(slots, faulted...)
}
