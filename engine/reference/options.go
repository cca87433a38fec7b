package reference

import (
	"fmt"

	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// Options configures a backend; the zero value is deterministic with seed 0.
type Options struct {
	Seed      uint64 // decides the order of workgroups
	TimeSlice int    // average number of instructions a workgroup runs at a time; 0 means 256
	Resident  int    // workgroups under way at once; further ones start as others end; 0 means 256
	Parallel  int    // goroutines that run workgroups; 0 means the deterministic scheduler
	Device    string // "" or DeviceName
	Watcher   Watcher
}

// Watcher sees what the dispatches of a backend do, one after the other. It excludes Parallel.
type Watcher interface {
	vm.Observer
	// Hooks chooses what looks at the instructions of a program that is bound to buffers. It is asked again for other buffers.
	Hooks(p *tree.Program, low *lower.Result) func(pc int) (before, after vm.Hook)
	// Begin is called for a workgroup that begins.
	Begin(g *vm.Group)
	// Failed is called for a workgroup that cannot continue, unless the call lets it (vm.PassBarrier).
	Failed(g *vm.Group)
	// End is called when a dispatch has ended.
	End()
}

// DeviceName is the only device there is.
const DeviceName = "cpu"

// The defaults and limits of Options.
const (
	defaultTimeSlice = 256
	defaultResident  = 256
	maxTimeSlice     = 1 << 24
	maxResident      = 1 << 16
	maxParallel      = 1 << 10
)

// DefaultIterationBudget is how many loop rounds an invocation may run when DispatchConfig does not say.
const DefaultIterationBudget = 1 << 32

func (o Options) withDefaults() (Options, error) {
	if o.TimeSlice == 0 {
		o.TimeSlice = defaultTimeSlice
	}
	if o.Resident == 0 {
		o.Resident = defaultResident
	}
	for _, limit := range []struct {
		name          string
		value, lo, hi int
	}{
		{"TimeSlice", o.TimeSlice, 1, maxTimeSlice},
		{"Resident", o.Resident, 1, maxResident},
		{"Parallel", o.Parallel, 0, maxParallel},
	} {
		if limit.value < limit.lo || limit.value > limit.hi {
			return o, invalid("open", fmt.Sprintf("%s is %d", limit.name, limit.value),
				fmt.Sprintf("use %d to %d", limit.lo, limit.hi))
		}
	}
	if o.Watcher != nil && o.Parallel > 0 {
		return o, invalid("open", "Watcher and Parallel exclude each other", "leave Parallel out")
	}
	if o.Device != "" && o.Device != DeviceName {
		return o, &engine.Error{Code: engine.CodeUnsupportedFeature, Backend: backendName, Op: "open",
			Feature: "device " + o.Device, Detail: fmt.Sprintf("unknown device %q", o.Device),
			Fix: fmt.Sprintf("use %q or leave the device out", DeviceName)}
	}
	return o, nil
}
