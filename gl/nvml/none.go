//go:build !cgo || !egl

package nvml

import "vyretop/engine/vitals"

// Open implements vitals.Opener: this build has no source.
func Open() (vitals.Source, bool) { return nil, false }
