package peer

import (
	"fmt"
	"slices"

	"vyretop/engine/fault"
	"vyretop/tasks"
)

// StatusChange is a change of a slot's state that a device or a host makes.
type StatusChange string

// The changes. A slot is published by writing it, never by a change of its state alone.
const (
	Claim  StatusChange = "claim"
	Finish StatusChange = "done"
	Fail   StatusChange = "fault"
	Cancel StatusChange = "cancel"
)

var statusChanges = map[StatusChange]struct {
	from []tasks.State
	to   tasks.State
}{
	Claim:  {[]tasks.State{tasks.Ready, tasks.Yielded, tasks.Requeued}, tasks.Running},
	Finish: {[]tasks.State{tasks.Running}, tasks.Done},
	Fail:   {[]tasks.State{tasks.Ready, tasks.Running, tasks.Paused, tasks.Yielded, tasks.Requeued}, tasks.Faulted},
	Cancel: {[]tasks.State{tasks.Ready, tasks.Paused, tasks.Yielded, tasks.Requeued}, tasks.Empty},
}

// Apply returns the state that a slot has after the change. A change that is not legal from the state
// is an error that matches ErrPublish.
func (c StatusChange) Apply(from uint32) (tasks.State, error) {
	rule := statusChanges[c]
	if !slices.Contains(rule.from, tasks.State(from)) {
		return 0, &fault.Error{Kind: ErrPublish, Detail: fmt.Sprintf("%s is not legal from state %s", c, tasks.State(from)), Fix: "read the slot again; somebody else has changed it"}
	}
	return rule.to, nil
}
