package recommend

import (
	"math"

	"vyretop/megakernel"
)

// Fit says how the rate of a target grows with its shape on a kind of device. The figures are fitted to the grids of
// all shipped workloads that docs/tuning holds.
type Fit struct {
	// PerUnit is how many workers for each of the device's units (its threads or compute units) the rate grows up to: while
	// one waits, or has left its slice, another one runs.
	PerUnit float64
	Workers float64 // the rate grows with the workers to this power, up to there
	Beyond  float64 // and falls with this power of what is beyond
	Lanes   float64 // it grows with the lanes to this power: those of a vector diverge, and share memory
}

// Kind is a kind of device.
type Kind string

// The kinds of devices.
const (
	Vectors     Kind = "vectors"     // the host's processors with vector instructions, as llvmpipe
	Interpreter Kind = "interpreter" // the host's processors without, as the CPU reference
	GPU         Kind = "gpu"
)

// unmeasured stands for a kind of device without reports: two workers for each unit, as one waits for memory while the
// other one does not.
var unmeasured = Fit{PerUnit: 2, Workers: 0.9, Beyond: 0, Lanes: 0.9}

// FitOf are the figures for a device.
func FitOf(d *megakernel.DeviceFacts) Fit {
	if f, ok := fits[KindOf(d)]; ok {
		return f
	}
	return unmeasured
}

// KindOf is the kind of a device.
func KindOf(d *megakernel.DeviceFacts) Kind {
	switch {
	case !d.Software:
		return GPU
	case d.VectorWidth > 1:
		return Vectors
	}
	return Interpreter
}

// Units are the device's threads or compute units; 1 where they are not known.
func Units(d *megakernel.DeviceFacts) int {
	if d.ComputeUnits > 0 && !d.Software {
		return d.ComputeUnits
	}
	return max(d.AtOnce, 1)
}

// Rate is the fitted rate of a shape on a device, in any unit: of that many workers, with that many lanes filled each.
// Claim is the part of the busy time that does not depend on the lanes, 0 where it is not known.
func (f *Fit) Rate(units int, workers, lanes, claim float64) float64 {
	knee := math.Max(1, f.PerUnit*float64(units))
	rate := math.Pow(math.Min(workers, knee), f.Workers) * math.Pow(math.Max(workers/knee, 1), -f.Beyond)
	return rate * lanes / (claim + (1-claim)*math.Pow(lanes, 1-f.Lanes))
}
