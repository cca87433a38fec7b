package megakernel

import "vyretop/tasks"

// Held reports whether a breakpoint holds the task of a slot.
func Held(w *[tasks.SlotWords]uint32) bool {
	return tasks.State(w[tasks.WordState]) == tasks.Paused && w[tasks.WordResumeEpoch] == HeldEpoch && w[tasks.WordFlags]&tasks.FlagHalted != 0
}

// EndingName is what the opcode of an Ending task is called.
const EndingName = "ending"

// Ending reports whether the task of a slot is held behind its last activation: it waits as a NOP, and ends when it is resumed.
func Ending(w *[tasks.SlotWords]uint32) bool {
	return Held(w) && w[tasks.WordOpcode] == OpcodeNop
}

// AwaitsCommand reports whether the task of a slot stays paused until a command names it, because a command has paused it or its
// handler has: resuming all leaves it as it is.
func AwaitsCommand(w *[tasks.SlotWords]uint32) bool {
	return tasks.State(w[tasks.WordState]) == tasks.Paused && w[tasks.WordResumeEpoch] == HeldEpoch && w[tasks.WordFlags]&tasks.FlagHalted == 0
}

// AwaitingCommand counts the tasks that stay paused until a command names them.
func (s *Snapshot) AwaitingCommand() (n int) {
	for i := range s.NumSlots() {
		if AwaitsCommand(s.Slot(i)) {
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

// maxStopped bounds the names of tasks that stand still.
const maxStopped = 10

// StoppedNames are the names of the first tasks that stand still, in the order of Stopped.
func (s *Snapshot) StoppedNames() (names []string) {
	slots := s.Stopped()
	for _, slot := range slots[:min(len(slots), maxStopped)] {
		names = append(names, TaskName(s.Slot(slot)[tasks.WordTaskID]))
	}
	return names
}
