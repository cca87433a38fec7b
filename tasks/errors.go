package tasks

import (
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// Sentinels for errors.Is.
const (
	// ErrTransition: the transition is not legal from the task's state.
	ErrTransition fault.Kind = "illegal task transition"
	// ErrCounter: a counter word is at its maximum.
	ErrCounter fault.Kind = "task counter exhausted"
	// ErrWord: a word read from memory holds no known value.
	ErrWord fault.Kind = "unknown word"
)

// TransitionError says which transition was refused from which state. The task is unchanged.
type TransitionError struct {
	Transition string
	TaskID     uint32
	From       State
}

// Error implements error.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("task %d: %s is not legal from state %s. Fix: only %s", e.TaskID, e.Transition, e.From, legalFrom(e.Transition))
}

// Unwrap makes errors.Is(err, ErrTransition) true.
func (e *TransitionError) Unwrap() error { return ErrTransition }

func legalFrom(transition string) string {
	if transition == "resume" {
		return "a paused task can be resumed"
	}
	return "a task that is ready, running, paused, yielded or requeued can do that"
}

// CounterError says which counter is full. The task is unchanged.
type CounterError struct {
	Counter string
	TaskID  uint32
}

// Error implements error.
func (e *CounterError) Error() string {
	return fmt.Sprintf("task %d: %s is at its maximum of 4294967295. Fix: let the task finish and submit a new one", e.TaskID, e.Counter)
}

// Unwrap makes errors.Is(err, ErrCounter) true.
func (e *CounterError) Unwrap() error { return ErrCounter }

// WordError says which word held an unknown value.
type WordError struct {
	Word  string
	Value uint32
	Max   uint32
}

// Error implements error.
func (e *WordError) Error() string {
	return fmt.Sprintf("%s word holds %d (0x%08x), known are 0..%d. Fix: check who wrote the slot; the memory may be torn or overwritten", e.Word, e.Value, e.Value, e.Max)
}

// Unwrap makes errors.Is(err, ErrWord) true.
func (e *WordError) Unwrap() error { return ErrWord }

// NameError says that a name given by a person is not known.
type NameError struct {
	Kind, Name string
	Known      []string
}

// Error implements error.
func (e *NameError) Error() string {
	return fmt.Sprintf("unknown %s %q. Fix: use one of %s", e.Kind, e.Name, strings.Join(e.Known, ", "))
}

// LengthError says that a run of words is not a whole number of slots.
type LengthError struct{ Words int }

// Error implements error.
func (e *LengthError) Error() string {
	return fmt.Sprintf("%d words are no whole number of %d-word slots. Fix: cut the buffer at a slot boundary", e.Words, SlotWords)
}
