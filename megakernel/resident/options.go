package resident

import (
	"fmt"
	"math"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// BufferInit is one of the workload's own buffers.
type BufferInit struct {
	Name      string
	Binding   uint32
	Words     int      // size; at least len(Data)
	Data      []uint32 // initial contents, the rest is zero
	Placement engine.Placement
	Picture   *megakernel.Picture // that its words are; nil for none
}

// Options say how a session runs. The zero value of a field means its default.
type Options struct {
	Label       string // of the dispatches, for debuggers, errors and recordings; default: the kernel's name
	Workers     int    // resident workgroups; default DefaultWorkers of the device
	Lanes       int    // lanes a worker may fill; default the workgroup size
	Buffers     []BufferInit
	Tenants     int              // tenants that may run, from 0 on; default all
	Observables uint32           // words behind the control buffer that operations may write; default none
	Activation  uint32           // loop iterations of handler code per activation; default 4096, less where the device limits loops
	Starvation  uint32           // activations that may overtake a waiting priority; default 1024
	Burst       uint32           // activations that a task that yields may have in a row, while they are short; default 8 on the host's processors, 1 on others
	Aging       uint32           // age ticks that make a task more urgent by one; default never
	Pages       *ioservice.Pages // files that tasks may ask for; default none
	Core        CoreMode         // whether slices begin with the core variant; default CoreAuto
	NeedsFull   bool             // the host soon asks for what the core variant cannot do, such as a new epoch
	// PriorityOffset is megakernel.PriorityOffsetSetting for each priority.
	PriorityOffset [tasks.NumPriorities]int8
	Log            uint32                       // kinds of records in the debug log, a mask; default megakernel.LogAll; NoLog for none
	LogEvery       uint32                       // as megakernel.LogEverySetting; default 1; AutoLog leaves it to the session
	LogOpcodes     [megakernel.LogOpcodes]int64 // as megakernel.LogOpcodeSetting
	SliceTime      time.Duration                // longest slice; default 250 ms, less where the device's watchdog is stricter
	Iterations     uint32                       // loop iterations after which a worker leaves its slice; default and ceiling by device
	Idle           uint32                       // passes without work after which a worker leaves its slice; default by device
	// First is published before the first slice begins, so that when the host publishes decides nothing about the order of these tasks.
	// They must fit into the inbox.
	First []tasks.Task
	// Events is told of changes of shape and of errors, from the slicer's goroutine; kinds as in megakernel.HostEvent.
	Events func(kind, text string)
	// Reloaded is told of handlers that were reloaded, before the first slice that runs them, from the slicer's goroutine.
	Reloaded func(r megakernel.Reload)
	// Tell, where it is not nil, gets the events that have a place in the target instead of Events.
	Tell func(e megakernel.HostEvent)
}

// SetLog makes the log take what settings of it say, and where they do not say, everything, sampled as the session finds
// fit. The error is megakernel.ErrSetting.
func (o *Options) SetLog(list []megakernel.Setting) error {
	s := megakernel.Settings{Log: megakernel.LogAll}
	for _, x := range list {
		if err := s.Set(x); err != nil {
			return err
		}
	}
	o.Log, o.LogEvery, o.LogOpcodes = s.Log|NoLog, s.LogEvery|AutoLog, s.LogOpcodes
	return nil
}

// NoLog as Options.Log switches the debug log off.
const NoLog uint32 = 1 << 31

// AutoLog as Options.LogEvery has the session choose the sampling.
const AutoLog uint32 = 1 << 31

const (
	defaultActivation = 4096
	defaultStarvation = 1024
	defaultSliceTime  = 250 * time.Millisecond
	// watchdogShare is which part of the time after which a device's watchdog kills a dispatch a slice
	// may take: the workers come to a boundary only when their activations end.
	watchdogShare = 4
	passes        = 64 // between two looks at commands and two publications of the counters

	// slack is what the kernel's own loops may add in one pass beyond what it has counted.
	slack = 2048
	// unlimitedPasses bounds a slice where loops are not limited, in case the host goes away.
	unlimitedPasses = 1 << 22
	// spinPasses is how many looks an idle worker stays for when it keeps no other from running: as long as the slice.
	// One that leaves earlier cannot hear of a pause of all, which waits for it then, nor take its part of what comes.
	// crowdedPasses is for one that keeps others from running.
	spinPasses    = 1 << 30
	crowdedPasses = 4096
)

// DefaultWorkers is the number of workers that a device runs well. On a device whose workers compete
// with the host for its processors these are as many as it runs at once, less one; on a GPU two for
// each compute unit: with them its rate of tasks is that of its memory, and all of them are resident.
func DefaultWorkers(p engine.DeviceProfile) int {
	n := int(p.ConcurrentWorkgroups.Or(p.HostThreads.Or(1)))
	switch units, known := p.ComputeUnits.Get(); {
	case p.SoftwareDevice.Or(false) && n > 1:
		n--
	case known:
		n = min(n, 2*int(units))
	}
	return min(max(n, 1), megakernel.MaxWorkers)
}

// pollers says that one of every N workers reads the bell between passes: all of them where host
// memory is near, and a handful where each read crosses a bus.
func pollers(p engine.DeviceProfile, workers int) uint32 {
	if p.SoftwareDevice.Or(true) {
		return 1
	}
	return uint32(max(2, workers/4))
}

// DefaultWorkgroupSize is the number of lanes per worker that suits a device: one vector on a
// software device, four subgroups on a GPU.
func DefaultWorkgroupSize(p engine.DeviceProfile) int {
	if p.SoftwareDevice.Or(true) {
		return 8
	}
	return 4 * int(p.SubgroupSize.Or(32))
}

// limits of one slice, derived from options and device.
type limits struct {
	iterations uint32
	idle       uint32
	activation uint32
	burst      uint32 // iterations that end a burst
}

// sliceLimits works out how long a worker may stay in a slice. Where the driver ends all loops of an
// invocation after a number of iterations, a slice must end while the worst possible pass still fits.
func sliceLimits(o *Options, k *kernel.Kernel, p engine.DeviceProfile) (limits, error) {
	l := limits{iterations: unlimitedPasses, idle: o.Idle, activation: o.Activation, burst: megakernel.BurstIterations}
	limit, limited := p.LoopIterationLimit.Get()
	limited = limited && k.Config.LoopLimit > 0
	perIteration := uint64(k.Config.WorkgroupSize) * uint64(k.Costs.Tick)
	if l.activation == 0 {
		l.activation = defaultActivation
		if limited {
			l.activation = uint32(min(defaultActivation, (limit/2-slack)/perIteration))
		}
	}
	if limited {
		most := iterationsForLanes(limit) / perIteration
		if l.activation == 0 || uint64(l.activation) > most {
			return limits{}, &fault.Error{Kind: ErrOption, Subject: "iterations = " + fmt.Sprint(l.activation), Detail: fmt.Sprintf("%d lanes of %d loop iterations, each counted %d times because of the loops and switches inside, do not fit into the %d that this device runs in one slice", k.Config.WorkgroupSize, l.activation, k.Costs.Tick, limit), Fix: fmt.Sprintf("use at most %d iterations an activation, or fewer lanes", most)}
		}
		// What comes before the last activation of a burst must fit too: an eighth of the slice, if that is left.
		l.burst = uint32(min(megakernel.BurstIterations, limit/8/perIteration, most-uint64(l.activation)))
		l.iterations = uint32(min(limit-slack-perIteration*uint64(l.activation+l.burst), math.MaxUint32))
	}
	if o.Iterations != 0 {
		l.iterations = min(l.iterations, o.Iterations)
	}
	return l, nil
}

// iterationsForLanes is how many iterations of a driver's limit the activations of all lanes may take together.
func iterationsForLanes(limit uint64) uint64 { return max(limit*3/4, slack+1) - slack - 1 }

func idlePasses(o *Options, p engine.DeviceProfile, workers int) uint32 {
	if o.Idle != 0 {
		return o.Idle
	}
	if at, known := p.ConcurrentWorkgroups.Get(); known && workers > int(at) {
		return crowdedPasses
	}
	return spinPasses
}

func (o *Options) setDefaults(k *kernel.Kernel, p engine.DeviceProfile) {
	if o.Workers == 0 {
		o.Workers = DefaultWorkers(p)
	}
	if o.Lanes == 0 {
		o.Lanes = k.Config.WorkgroupSize
	}
	if o.Tenants == 0 {
		o.Tenants = megakernel.Tenants
	}
	if o.Starvation == 0 {
		o.Starvation = defaultStarvation
	}
	if o.Burst == 0 {
		o.Burst = defaultBurst(p)
	}
	if o.Log == 0 {
		o.Log = megakernel.LogAll
	}
	if o.LogEvery == 0 {
		o.LogEvery = 1
	}
	if o.Events == nil {
		o.Events = func(string, string) {}
	}
	if o.SliceTime == 0 {
		o.SliceTime = defaultSliceTime
	}
	o.SliceTime = min(o.SliceTime, longestSlice(p))
}

// defaultBurst is the one where bursts cost nothing that is missed. A GPU has lanes enough to fill its memory
// without them, and when that is full a command waits longer until all workers have heard of it.
func defaultBurst(p engine.DeviceProfile) uint32 {
	if p.SoftwareDevice.Or(true) {
		return 8
	}
	return 1
}

// longestSlice is how long a slice may be on a device.
func longestSlice(p engine.DeviceProfile) time.Duration {
	ms, limited := p.DispatchTimeLimitMs.Get()
	if !limited {
		return megakernel.MaxSlice
	}
	return time.Duration(ms*float64(time.Millisecond)) / watchdogShare
}

func checkSlice(d time.Duration, p engine.DeviceProfile) error {
	if most := longestSlice(p); d > most {
		return &fault.Error{Kind: ErrOption, Subject: "slice = " + d.String(), Detail: "the device ends dispatches that take four times as long", Fix: fmt.Sprintf("use %v or less", most)}
	}
	return nil
}

func (o *Options) validate(k *kernel.Kernel, p engine.DeviceProfile) error {
	if err := checkShape(megakernel.Shape{Workers: o.Workers, Lanes: o.Lanes}, k.Config.WorkgroupSize, p); err != nil {
		return err
	}
	if err := o.validateSettings(); err != nil {
		return err
	}
	if o.Tenants < 0 || o.Tenants > megakernel.Tenants {
		return &fault.Error{Kind: ErrOption, Subject: "tenants = " + fmt.Sprint(o.Tenants), Detail: "tenant ids are 0 to 28", Fix: "use 1 to 29"}
	}
	if o.Observables > megakernel.MaxObservables {
		return &fault.Error{Kind: ErrOption, Subject: "observables = " + fmt.Sprint(o.Observables), Detail: "the control buffer has no room for them", Fix: fmt.Sprintf("use at most %d", megakernel.MaxObservables)}
	}
	if err := checkPages(o.Pages, k); err != nil {
		return err
	}
	seen := map[uint32]string{}
	for _, b := range o.Buffers {
		if other, taken := seen[b.Binding]; taken {
			return &fault.Error{Kind: ErrOption, Subject: "buffer " + b.Name + " = " + fmt.Sprint(b.Binding), Detail: "its binding is already taken by " + other, Fix: "give each buffer a binding of its own"}
		}
		if b.Binding < megakernel.FirstUserBinding {
			return &fault.Error{Kind: ErrOption, Subject: "buffer " + b.Name + " = " + fmt.Sprint(b.Binding), Detail: "bindings below 8 belong to the kernel", Fix: "use 8 or above"}
		}
		if b.Words < 1 || b.Words < len(b.Data) {
			return &fault.Error{Kind: ErrOption, Subject: "buffer " + b.Name + " = " + fmt.Sprint(b.Words), Detail: fmt.Sprintf("it is smaller than its %d words of data, or empty", len(b.Data)), Fix: "make it larger"}
		}
		seen[b.Binding] = b.Name
	}
	return nil
}

// validateSettings finds settings that no device can have.
func (o *Options) validateSettings() error {
	var s megakernel.Settings
	list := []megakernel.Setting{
		{ID: megakernel.AgingSetting, Value: int64(o.Aging)}, {ID: megakernel.StarvationSetting, Value: int64(o.Starvation)},
		{ID: megakernel.BurstSetting, Value: int64(o.Burst)},
	}
	for p, offset := range o.PriorityOffset {
		list = append(list, megakernel.Setting{ID: megakernel.PriorityOffsetSetting, Index: p, Value: int64(offset)})
	}
	for _, x := range list {
		if err := s.Set(x); err != nil {
			return err
		}
	}
	return nil
}

func checkShape(s megakernel.Shape, workgroup int, p engine.DeviceProfile) error {
	most := megakernel.MaxWorkers
	if groups, known := p.MaxWorkgroups.Get(); known {
		most = min(most, int(groups[0]))
	}
	if s.Workers < 1 || s.Workers > most {
		return &fault.Error{Kind: ErrOption, Subject: "workers = " + fmt.Sprint(s.Workers), Detail: "not possible on this device", Fix: fmt.Sprintf("use 1 to %d", most)}
	}
	if s.Lanes < 1 || s.Lanes > workgroup {
		return &fault.Error{Kind: ErrOption, Subject: "lanes = " + fmt.Sprint(s.Lanes), Detail: fmt.Sprintf("the workgroup has %d", workgroup), Fix: fmt.Sprintf("use 1 to %d", workgroup)}
	}
	return nil
}
