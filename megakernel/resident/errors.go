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
	// ErrCutShort: a slice ended without the kernel having ended it.
	ErrCutShort fault.Kind = "slice cut short"
)

// StateError says what was asked of a session that cannot do it any longer.
type StateError struct {
	Op    string
	Phase megakernel.Phase
	Kind  error // ErrStopped or ErrDraining
	Cause error // why it stopped, when it did not stop in order
}

// Error implements error.
func (e *StateError) Error() string {
	s := fmt.Sprintf("%s: %v (phase %s)", e.Op, e.Kind, e.Phase)
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s + ". Fix: start a new run"
}

// Unwrap gives errors.Is the kind and the cause.
func (e *StateError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// UndoError says why the last change cannot be undone.
type UndoError struct {
	Change *megakernel.Change // whose value is another one by now; nil: there is no change
	Now    int64              // that value
}

// Error implements error.
func (e *UndoError) Error() string {
	if e.Change == nil {
		return "undo: no setting was changed since the start, or all changes are undone. Fix: change a setting"
	}
	now := e.Change.Setting
	now.Value = e.Now
	return "undo " + e.Change.Setting.String() + ": it was overwritten since, now " + now.String() + ". Fix: set the value you want"
}

// Unwrap makes errors.Is(err, ErrUndo) true.
func (e *UndoError) Unwrap() error { return ErrUndo }

// PendingError says that a change of breakpoints was asked for and that no boundary has come since. It is made
// when one comes.
type PendingError struct {
	What  string
	After time.Duration
	Err   error
}

// Error implements error.
func (e *PendingError) Error() string {
	return fmt.Sprintf("%s: not acknowledged after %v, no boundary was reached; it is done when one is: %v. Fix: wait for the running activations to end, or stop the run", e.What, e.After.Round(time.Microsecond), e.Err)
}

// Unwrap gives the context's error.
func (e *PendingError) Unwrap() error { return e.Err }

// CutShortError says that a slice ended and its workers did not say so: the device ended loops in it.
type CutShortError struct{ Slice uint32 }

// Error implements error.
func (e *CutShortError) Error() string {
	return fmt.Sprintf("slice %d ended without its workers having left it; the driver cut the kernel short. Fix: use fewer iterations per activation (workload.toml) or run `vyretop doctor` to see the device's loop limit", e.Slice)
}

// Unwrap makes errors.Is(err, ErrCutShort) true.
func (e *CutShortError) Unwrap() error { return ErrCutShort }

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

// VariantError says that a kernel variant cannot be compiled; the one in force keeps running.
type VariantError struct {
	Workgroup int // size that was asked for
	InForce   int // size of the variant that keeps running
	Err       error
}

// Error implements error.
func (e *VariantError) Error() string {
	return fmt.Sprintf("workgroup=%d: the kernel cannot be compiled for it; workgroups of %d lanes keep running: %v", e.Workgroup, e.InForce, e.Err)
}

// Unwrap gives the compiler's error.
func (e *VariantError) Unwrap() error { return e.Err }
