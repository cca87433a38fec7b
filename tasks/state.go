package tasks

import "fmt"

// State is word 0 of a slot. The numbers are shared with the slot status of plain operations.
type State uint32

// The states of a task.
const (
	Empty    State = 0 // no task
	Ready    State = 1 // published, waiting for a worker
	Running  State = 2 // claimed by a worker
	Done     State = 3 // ended normally; the slot may be reused
	Paused   State = 4 // waits for its resume epoch or for an explicit resume
	Yielded  State = 5 // gave its worker back and wants to continue
	Requeued State = 6 // like Yielded, with a new priority
	Faulted  State = 7 // ended with a fault code in continuation_data

	// NumStates is the number of states.
	NumStates = 8
)

var stateNames = [NumStates]string{"empty", "ready", "running", "done", "paused", "yielded", "requeued", "faulted"}

// String names the state; an unknown word is shown as its number.
func (s State) String() string {
	if s < NumStates {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint32(s))
}

// Schedulable reports whether a worker may claim a task in this state.
func (s State) Schedulable() bool { return s == Ready || s == Yielded || s == Requeued }

// Terminal reports whether the task has ended.
func (s State) Terminal() bool { return s == Done || s == Faulted }

// StateFromWord checks a state word read from memory.
func StateFromWord(w uint32) (State, error) {
	if w < NumStates {
		return State(w), nil
	}
	return 0, unknownWord("state", w, NumStates-1)
}

// Priority is word 3 of a slot; a smaller number runs earlier.
type Priority uint32

// The priorities.
const (
	Critical Priority = iota
	High
	Normal
	Low
	Idle

	// NumPriorities is the number of priorities.
	NumPriorities = 5
)

var priorityNames = [NumPriorities]string{"critical", "high", "normal", "low", "idle"}

// String names the priority; an unknown word is shown as its number.
func (p Priority) String() string {
	if p < NumPriorities {
		return priorityNames[p]
	}
	return fmt.Sprintf("priority(%d)", uint32(p))
}

// PriorityFromWord checks a priority word read from memory.
func PriorityFromWord(w uint32) (Priority, error) {
	if w < NumPriorities {
		return Priority(w), nil
	}
	return 0, unknownWord("priority", w, NumPriorities-1)
}

// ParsePriority turns a name such as "normal", or a number, into a Priority.
func ParsePriority(s string) (Priority, error) {
	for i, n := range priorityNames {
		if s == n || s == fmt.Sprint(i) {
			return Priority(i), nil
		}
	}
	return 0, UnknownName("priority", s, priorityNames[:])
}
