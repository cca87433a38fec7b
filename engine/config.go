package engine

import (
	"fmt"
	"time"
)

// DispatchConfig is the caller's policy for one dispatch. The zero value is the default of every
// field; a backend never changes what it is given.
type DispatchConfig struct {
	// Profile names how the dispatch is executed: ProfileDefault (also ""), ProfileStress, or a mode of
	// the backend's own that DeviceProfile.DispatchProfiles lists. Results do not depend on it.
	Profile string
	// ULPBudget is the error allowed in approximate functions (sin, exp, pow, …), in units of the last
	// place. 0 computes them exactly as the reference does; above 0 a backend may use the device's own
	// where their error is known to be within the budget.
	ULPBudget uint8
	// Timeout bounds the dispatch from Start on; 0 means none. On expiry the kernel is told to stop at
	// its next boundary, and the error is a StopError: how far it got. Buffers stay usable.
	Timeout time.Duration
	// Label appears in debug groups, logs, recordings and errors; default: the program's name.
	Label string
	// MaxOutputBytes limits the bytes of all buffers that the program may write, checked before any
	// work is done; unknown means no limit.
	MaxOutputBytes Optional[uint64]
	// WorkgroupOverride replaces the program's workgroup size. A program that depends on its size
	// (Program.FixedWorkgroup) refuses another one.
	WorkgroupOverride Optional[[3]uint32]
	// Grid is the number of workgroups in x, y, z, each at least 1. The zero value derives it from the
	// largest output: one invocation for each element. A program that derives its work from nothing of
	// the kind, as a megakernel does, must be given its grid.
	Grid [3]uint32
	// Indirect, with a Buffer, takes the grid from memory when the device gets to the dispatch.
	Indirect IndirectGrid
	// FixpointIterations runs the program that many times back to back on the same buffers; unknown
	// means once, and 0 is an error.
	FixpointIterations Optional[uint32]
	// Speculation says how the pipelines of package speculate run; no other has a choice.
	Speculation Speculation
	// PersistentThread says whether a fixed number of resident workgroups runs all of the grid.
	PersistentThread PersistentThread
	// Cooperative launches so that all workgroups of the grid can wait for each other: all of them are
	// resident at once, or ErrResidencyExceeded.
	Cooperative bool
	// IterationBudget bounds the loop iterations of one invocation where the backend can count them
	// (the reference backend); 0 means the backend's default.
	IterationBudget uint64
}

// The profiles that every backend has.
const (
	ProfileDefault = "default"
	ProfileStress  = "stress" // the least favourable order and granularity that the backend can arrange
)

// IndirectGrid is where the device finds a grid: three words x, y, z at a word offset. A zero in any of
// them means nothing to do.
type IndirectGrid struct {
	Buffer Buffer // nil: the grid is not indirect
	Offset int    // in words
}

// Speculation says whether the confirmer of a speculative program runs before its prefilter has ended
// for all items.
type Speculation uint8

// The ways to run a speculative program. The results are equal; the time is not.
const (
	SpeculationOff      Speculation = iota // first the prefilter on all items, then the confirmer on what passed
	SpeculationOn                          // both fused in one dispatch, what the confirmer refuses is rolled back
	SpeculationAdaptive                    // fused, until too much is rolled back
)

// Speculations names the ways, as the command line and documents do.
var Speculations = map[string]Speculation{"off": SpeculationOff, "on": SpeculationOn, "adaptive": SpeculationAdaptive}

// String is the name in Speculations.
func (s Speculation) String() string {
	for name, v := range Speculations {
		if v == s {
			return name
		}
	}
	return fmt.Sprintf("speculation %d", uint8(s))
}

// MarshalText writes the name.
func (s Speculation) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// PersistentThread says whether resident workgroups take the workgroups of a grid one after the other.
type PersistentThread uint8

// The choices. Results are equal.
const (
	PersistentAuto    PersistentThread = iota // as the backend likes
	PersistentForce                           // or ErrUnsupportedFeature
	PersistentDisable                         // one workgroup of the device for each one of the grid
)
