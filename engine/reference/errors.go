package reference

import (
	"errors"
	"fmt"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/vm"
	"vyretop/engine/units"
)

const backendName = "reference"

// What a kernel did wrong; every error of Dispatch.Wait that says so matches one of them.
var (
	ErrIterationBudget  = errors.New("iteration budget exceeded")
	ErrDivergentBarrier = errors.New("barrier not reached by all invocations")
)

// KernelError says what the kernel did wrong, and where.
type KernelError struct {
	Kind      error      // ErrIterationBudget or ErrDivergentBarrier
	Pos       source.Pos // of the loop or the barrier
	Stack     []vm.Call  // calls open there, innermost first
	Workgroup [3]uint32
	Rounds    uint64 // loop rounds run by one invocation, for ErrIterationBudget
}

// Error names the place first, as compilers do.
func (e *KernelError) Error() string {
	s := fmt.Sprintf("%s: %v in workgroup %s", e.Pos, e.Kind, units.Extent(e.Workgroup))
	if e.Kind == ErrIterationBudget {
		s += fmt.Sprintf(" after %d rounds", e.Rounds)
	}
	for _, c := range e.Stack {
		s += fmt.Sprintf(", in %s called at %s", c.Func, c.Pos)
	}
	return s
}

// Unwrap gives the kind.
func (e *KernelError) Unwrap() error { return e.Kind }

// ErrUndefined is the kind of the error of a dispatch with the profile "checked" that executed undefined operations.
const ErrUndefined fault.Kind = "undefined operations were executed"

// kernelFixes says what to do about a KernelError.
var kernelFixes = map[error]string{
	ErrIterationBudget:  "make the loop end, give it less work for each activation, or raise the iteration budget",
	ErrDivergentBarrier: "call barrier() where every invocation of the workgroup comes by, outside of diverging branches and loops",
}

func dispatchFailed(label string, cause error, fix string) error {
	return &engine.Error{Code: engine.CodeDispatchFailed, Backend: backendName, Op: fmt.Sprintf("dispatch %q", label), Err: cause, Fix: fix}
}

func invalid(op, detail, fix string) error {
	return &engine.Error{Code: engine.CodeInvalidProgram, Backend: backendName, Op: op, Detail: detail, Fix: fix}
}

func closedError(op string) error {
	return &engine.Error{Code: engine.CodePoisoned, Backend: backendName, Op: op, Detail: "the backend has been closed", Fix: "open a new one"}
}
