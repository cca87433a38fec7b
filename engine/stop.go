package engine

import (
	"errors"
	"fmt"
)

// Why a dispatch was stopped from outside.
var (
	ErrTimeout  = errors.New("timeout")
	ErrCanceled = errors.New("canceled")
)

// StopError says that a dispatch was stopped before its end, and how far it had got.
type StopError struct {
	Reason       error            // ErrTimeout, ErrCanceled or the cause of the context's end
	Ended, Total uint64           // workgroups, of all runs together
	Instructions Optional[uint64] // of the kernel, where the backend counts them
}

// Error says the reason and the progress.
func (e *StopError) Error() string {
	s := fmt.Sprintf("%v with %d of %d workgroups ended", e.Reason, e.Ended, e.Total)
	if n, ok := e.Instructions.Get(); ok {
		s += fmt.Sprintf(", after %d instructions", n)
	}
	return s
}

// Unwrap gives the reason.
func (e *StopError) Unwrap() error { return e.Reason }
