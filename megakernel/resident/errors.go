package resident

import (
	"fmt"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// Sentinels for errors.Is.
const (
	// ErrOption: a launch option or a shape is not possible.
	ErrOption fault.Kind = "impossible launch option"
	// ErrStopped: the session has ended or is ending.
	ErrStopped fault.Kind = "the megakernel has stopped"
	// ErrDraining: the session takes no new tasks.
	ErrDraining fault.Kind = "the megakernel is draining"
	// ErrUndo: there is no change that can be undone.
	ErrUndo fault.Kind = "nothing to undo"
	// ErrTask: a task cannot be published as it is.
	ErrTask fault.Kind = "task cannot be published"
	// ErrFull: there is no room for a task now.
	ErrFull fault.Kind = "the inbox is full"
	// ErrCutShort: a slice ended without the kernel having ended it.
	ErrCutShort fault.Kind = "slice cut short"
	// ErrPending: a change of breakpoints was asked for, and no boundary has come since. It is made when one comes.
	ErrPending fault.Kind = "the change is pending"
	// ErrUnanswered: a command was given, and its context ended before a boundary came. The command may still take effect.
	ErrUnanswered fault.Kind = "command not acknowledged"
	// ErrVariant: a kernel variant cannot be compiled; the one in force keeps running.
	ErrVariant fault.Kind = "the kernel variant cannot be compiled"
)

// gone says what was asked of a session that cannot do it any longer, ErrStopped or ErrDraining; the cause is why it
// stopped, when it did not stop in order.
func gone(op string, phase megakernel.Phase, kind fault.Kind, cause error) error {
	return &fault.Error{Kind: kind, Op: op, Detail: fmt.Sprintf("%v (phase %s)", kind, phase), Cause: cause, Fix: "start a new run"}
}

// overwritten says that the value of a change is another one by now.
func overwritten(c *megakernel.Change, now int64) error {
	s := c.Setting
	s.Value = now
	return &fault.Error{Kind: ErrUndo, Op: "undo", Subject: c.Setting.String(), Detail: "it was overwritten since, now " + s.String(), Fix: "set the value you want"}
}

// CompilingError says that a kernel variant was not compiled in time.
type CompilingError struct {
	What  string // the variant
	After time.Duration
	Later bool // the settings that need it come into force when it is there
	Err   error
}

// Error implements error.
func (e *CompilingError) Error() string {
	fix := "try again later; compiling continues"
	if e.Later {
		fix = "wait, or set another size; the settings come into force when it is compiled"
	}
	return fmt.Sprintf("%s: still compiling after %v: %v. Fix: %s", e.What, e.After.Round(time.Millisecond), e.Err, fix)
}

// Unwrap gives the context's error and makes errors.Is(err, megakernel.ErrCompiling) true.
func (e *CompilingError) Unwrap() []error { return []error{e.Err, megakernel.ErrCompiling} }
