package engine

import (
	"errors"
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/units"
)

// Why a dispatch was stopped from outside.
var (
	ErrTimeout  = errors.New("timeout")
	ErrCanceled = errors.New("canceled")
)

// ErrLoopLimit is matched by the error of a dispatch whose loops a device ended by itself, too early: what the buffers
// hold then is wrong.
var ErrLoopLimit = errors.New("loop limit of the device reached")

// LoopLimitError says where that happened, as far as it is known; it matches ErrLoopLimit.
type LoopLimitError struct {
	Limit      uint64           // loop iterations that the device allows an invocation
	Pos        source.Pos       // of the loop; the zero value if the kernel has several
	Invocation Optional[uint64] // number of an invocation in the grid: workgroups by x, y, z, then gl_LocalInvocationIndex
	Workgroup  [3]uint32        // its workgroup
	Local      uint32           // its gl_LocalInvocationIndex
}

// Error names the place first, as compilers do.
func (e *LoopLimitError) Error() string {
	s := ""
	if e.Pos.IsValid() {
		s = e.Pos.String() + ": "
	}
	s += fmt.Sprintf("%v: it ends all loops of an invocation after %d iterations in total", ErrLoopLimit, e.Limit)
	if n, ok := e.Invocation.Get(); ok {
		s += fmt.Sprintf(", as in invocation %d (workgroup %s, local %d)", n, units.Extent(e.Workgroup), e.Local)
	}
	return s
}

// Unwrap gives ErrLoopLimit.
func (e *LoopLimitError) Unwrap() error { return ErrLoopLimit }

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
