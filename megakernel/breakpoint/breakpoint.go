package breakpoint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/tasks"
)

// Action is what happens at a hit.
type Action uint8

// The actions. All of them count.
const (
	Stop     Action = iota // the task is held, and told in the debug log
	Log                    // a record of the debug log is written
	Count                  // nothing else
	Snapshot               // the host keeps the snapshot at which it sees the hit
	numActions
)

var actionNames = [numActions]string{"stop", "log", "count", "snapshot"}

// Actions lists the names of the actions.
func Actions() []string { return slices.Clone(actionNames[:]) }

// String names the action.
func (a Action) String() string {
	if a < numActions {
		return actionNames[a]
	}
	return fmt.Sprintf("action(%d)", uint8(a))
}

// ParseAction reads the name of an action; the error is tasks.ErrName.
func ParseAction(name string) (Action, error) {
	if i := slices.Index(actionNames[:], name); i >= 0 {
		return Action(i), nil
	}
	return 0, tasks.UnknownName("action", name, Actions())
}

// MarshalText implements encoding.TextMarshaler.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Action) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAction(string(text))
	return err
}

// Breakpoint is a condition and what happens when a task that is about to be activated fulfils it.
type Breakpoint struct {
	Condition string  `json:"condition"` // in words, as it was written
	Program   Program `json:"program"`
	Action    Action  `json:"action"`
	// Place is where in a handler it is hit, in place of Program; nil: before an activation.
	Place *Place `json:"place,omitempty"`
	// Every and After choose the hits that act: the multiples of Every, where it is not 0, of those above After.
	Every uint32 `json:"every,omitempty"`
	After uint32 `json:"after,omitempty"`
	// Replaces is the number of the breakpoint whose place and number this one is to take; 0: it gets a number of its own. One that is
	// set has none.
	Replaces int `json:"replaces,omitempty"`
}

// Validate checks that the device can have the breakpoint. The error is an *Error.
func (b *Breakpoint) Validate() error {
	if b.Action >= numActions {
		return &fault.Error{Kind: ErrCondition, Subject: "breakpoint", Detail: "there is no " + b.Action.String(), Fix: "use one of " + strings.Join(actionNames[:], ", ")}
	}
	if b.Place != nil {
		return b.Place.validate(b.Program)
	}
	return b.Program.Validate()
}

// String writes the breakpoint as it can be read again.
func (b *Breakpoint) String() string {
	text := b.Condition
	if b.After != 0 {
		text += fmt.Sprintf(" hit>%d", b.After)
	}
	if b.Every != 0 {
		text += fmt.Sprintf(" hit%%%d", b.Every)
	}
	return text + " " + b.Action.String()
}

// WorkerHits is how often a worker has hit a breakpoint.
type WorkerHits struct {
	Worker int    `json:"worker"`
	Hits   uint64 `json:"hits"`
}

// Status is a breakpoint of a target and what became of it.
type Status struct {
	ID int `json:"id"` // from 1 on; an id that was given up is used again
	Breakpoint
	Enabled bool          `json:"enabled"`
	Pending bool          `json:"pending"`    // the target has not acknowledged the last change: no boundary was reached
	Latency time.Duration `json:"latency_ns"` // from that change to its acknowledgement; while it is pending, to now
	// Compiling is true while it is pending because the kernel variant with breakpoints is being compiled.
	Compiling bool         `json:"compiling,omitempty"`
	Hits      uint64       `json:"hits"`
	Workers   []WorkerHits `json:"workers,omitempty"`   // those with hits, by number
	Task      uint32       `json:"last_task,omitempty"` // a task that hit it lately; 0 for none
}
