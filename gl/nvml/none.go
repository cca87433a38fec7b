//go:build !cgo || !egl

package nvml

import (
	"vyretop/engine"
	"vyretop/engine/vitals"
)

// Open implements vitals.Opener: this build has no source.
func Open() (vitals.Source, bool) { return nil, false }

// ComputeCapability is not known: this build has no source.
func ComputeCapability(engine.Identity) (major, minor int, ok bool) { return 0, 0, false }
