package stats

import (
	"fmt"

	"vyretop/engine/fault"
)

// Sentinels for errors.Is. Malformed buffers are megakernel.ErrFormat.
const (
	// ErrCounter: counters contradict each other, or a sum does not fit.
	ErrCounter fault.Kind = "telemetry counter out of range"
	// ErrSize: a sketch of this size cannot be made.
	ErrSize fault.Kind = "impossible sketch"
)

// SizeError says why a sketch cannot be made.
type SizeError struct{ Depth, Width uint64 }

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("a sketch of %d rows of %d counters cannot be made. Fix: use at least one row of one counter, and at most %d counters in all", e.Depth, e.Width, MaxSketchCounters)
}

// Unwrap makes errors.Is(err, ErrSize) true.
func (e *SizeError) Unwrap() error { return ErrSize }
