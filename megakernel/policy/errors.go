package policy

import (
	"fmt"

	"vyretop/engine"
	"vyretop/engine/fault"
)

// Sentinels for errors.Is. A recommendation that needs more memory than its budget is an
// *engine.Error that matches engine.ErrDeviceOutOfMemory.
const (
	// ErrInput: a number that no launch can be made of.
	ErrInput fault.Kind = "impossible launch"
	// ErrOverflow: a result does not fit its type.
	ErrOverflow fault.Kind = "launch number out of range"
)

func zero(field, fix string) error {
	return &fault.Error{Kind: ErrInput, Detail: field + " is 0", Fix: fix}
}

func outOfMemory(peak, budget uint64) error {
	return &engine.Error{
		Code: engine.CodeDeviceOutOfMemory, Op: "plan a launch", Requested: peak, Available: budget,
		Detail: fmt.Sprintf("it would need %d bytes at its peak, the budget is %d", peak, budget),
		Fix:    "raise device_memory_budget_bytes, ask for fewer hits, or free resident buffers",
	}
}

// overflow says which result, made of which numbers, does not fit.
func overflow(what, from string, bits int, fix string) error {
	return &fault.Error{Kind: ErrOverflow, Detail: fmt.Sprintf("%s from %s does not fit %d bits", what, from, bits), Fix: fix}
}
