package policy

import (
	"errors"
	"fmt"

	"vyretop/engine"
)

// Sentinels for errors.Is. A recommendation that needs more memory than its budget is an
// *engine.Error that matches engine.ErrDeviceOutOfMemory.
var (
	// ErrInput: a number that no launch can be made of.
	ErrInput = errors.New("impossible launch")
	// ErrOverflow: a result does not fit its type.
	ErrOverflow = errors.New("launch number out of range")
)

// InputError says which number is impossible.
type InputError struct {
	Field  string // as the field is named in JSON
	Detail string
	Fix    string
}

// Error implements error.
func (e *InputError) Error() string { return fmt.Sprintf("%s %s. Fix: %s", e.Field, e.Detail, e.Fix) }

// Unwrap makes errors.Is(err, ErrInput) true.
func (e *InputError) Unwrap() error { return ErrInput }

func zero(field, fix string) error { return &InputError{Field: field, Detail: "is 0", Fix: fix} }

// OverflowError says which result does not fit.
type OverflowError struct {
	What string // "hit capacity", "slot count", …
	From string // the numbers it was made of
	Bits int
	Fix  string
}

// Error implements error.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("%s from %s does not fit %d bits. Fix: %s", e.What, e.From, e.Bits, e.Fix)
}

// Unwrap makes errors.Is(err, ErrOverflow) true.
func (e *OverflowError) Unwrap() error { return ErrOverflow }

func outOfMemory(peak, budget uint64) error {
	return &engine.Error{
		Code: engine.CodeDeviceOutOfMemory, Op: "plan a launch", Requested: peak, Available: budget,
		Detail: fmt.Sprintf("it would need %d bytes at its peak, the budget is %d", peak, budget),
		Fix:    "raise device_memory_budget_bytes, ask for fewer hits, or free resident buffers",
	}
}
