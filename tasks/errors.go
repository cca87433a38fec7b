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
	// ErrName: a name that a user gave is not known.
	ErrName fault.Kind = "unknown name"
	// ErrLength: words are not a whole number of slots.
	ErrLength fault.Kind = "incomplete task slot"
)

// refused says which transition is not legal from the state of a task.
func refused(transition string, t *Task) error {
	fix := "only a task that is ready, running, paused, yielded or requeued can do that"
	if transition == "resume" {
		fix = "only a paused task can be resumed"
	}
	return &fault.Error{Kind: ErrTransition, Subject: fmt.Sprintf("task %d", t.TaskID), Detail: fmt.Sprintf("%s is not legal from state %s", transition, t.State), Fix: fix}
}

// full says which counter of a task cannot count on.
func full(counter string, t *Task) error {
	return &fault.Error{Kind: ErrCounter, Subject: fmt.Sprintf("task %d", t.TaskID), Detail: counter + " is at its maximum of 4294967295", Fix: "let the task finish and submit a new one"}
}

// unknownWord says which word holds an unknown value.
func unknownWord(word string, value, most uint32) error {
	return &fault.Error{Kind: ErrWord, Detail: fmt.Sprintf("%s word holds %d (0x%08x), known are 0..%d", word, value, value, most), Fix: "check who wrote the slot; the memory may be torn or overwritten"}
}

// UnknownName says that the name of a priority, an action or the like is not one of those known.
func UnknownName(what, name string, known []string) error {
	return &fault.Error{Kind: ErrName, Detail: fmt.Sprintf("unknown %s %q", what, name), Fix: "use one of " + strings.Join(known, ", ")}
}

// partial says that a run of words is not a whole number of slots.
func partial(words int) error {
	return &fault.Error{Kind: ErrLength, Detail: fmt.Sprintf("%d words are no whole number of %d-word slots", words, SlotWords), Fix: "cut the buffer at a slot boundary"}
}
