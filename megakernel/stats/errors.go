package stats

import (
	"vyretop/engine/fault"
)

// Sentinels for errors.Is. Malformed buffers are megakernel.ErrFormat.
const (
	// ErrCounter: counters contradict each other, or a sum does not fit.
	ErrCounter fault.Kind = "telemetry counter out of range"
	// ErrSize: a sketch of this size cannot be made.
	ErrSize fault.Kind = "impossible sketch"
)
