package telemetry

import (
	"errors"
	"fmt"
)

// Sentinels for errors.Is. Malformed buffers are a *megakernel.FormatError.
var (
	// ErrCounter: counters contradict each other, or a sum does not fit.
	ErrCounter = errors.New("telemetry counter out of range")
	// ErrSize: a sketch of this size cannot be made.
	ErrSize = errors.New("impossible sketch")
)

// CounterError says which counter is wrong.
type CounterError struct {
	Counter string
	Detail  string
	Fix     string
}

// Error implements error.
func (e *CounterError) Error() string {
	return fmt.Sprintf("%s: %s. Fix: %s", e.Counter, e.Detail, e.Fix)
}

// Unwrap makes errors.Is(err, ErrCounter) true.
func (e *CounterError) Unwrap() error { return ErrCounter }

// SizeError says why a sketch cannot be made.
type SizeError struct{ Depth, Width uint64 }

// Error implements error.
func (e *SizeError) Error() string {
	return fmt.Sprintf("a sketch of %d rows of %d counters cannot be made. Fix: use at least one row of one counter, and at most %d counters in all", e.Depth, e.Width, MaxSketchCounters)
}

// Unwrap makes errors.Is(err, ErrSize) true.
func (e *SizeError) Unwrap() error { return ErrSize }
