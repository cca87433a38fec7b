package megakernel

import (
	"time"

	"vyretop/tasks"
)

// Knob names something that can be changed on a running target.
type Knob uint8

// The knobs. All but those of tenants act from the next slice on, which the change brings about.
const (
	// KnobWorkers is the number of resident workgroups.
	KnobWorkers Knob = iota
	// KnobLanes is the number of lanes that a worker may fill. A target that compiles kernel variants runs the smallest
	// compiled workgroup that has them, and compiles one of that size where all are smaller.
	KnobLanes
	// KnobSlice is the longest slice, in microseconds. A slice also ends by itself where the device limits
	// loops.
	KnobSlice
	// KnobPriorityOffset is added to a priority when its tasks join a ready set, within 0 to 4: -1 runs
	// all low tasks as normal ones. The ready sets take the place of the peer's partitions of the ring: a
	// slot holds tasks of any priority, so there are no sizes to change, only what goes before what. The
	// task's own priority word stays as it is. A task that waits keeps its place until it has run once.
	KnobPriorityOffset
	// KnobAging is how many age ticks (requeues) make a task more urgent by one priority, and twice as
	// many by two, and so on; 0 is never.
	KnobAging
	// KnobStarvation is how many activations may overtake a waiting priority.
	KnobStarvation
	// KnobBurst is how many activations a task that yields may have before another one has its lane, while
	// they are short.
	KnobBurst
	// KnobTenantMask is 1 where a tenant may run and 0 where its tasks wait.
	KnobTenantMask
	// KnobTenantQuota is a tenant's share of the activations: while others have work, tenants get
	// activations in proportion to their quotas, up to QuotaSpan to one. 0 counts as DefaultQuota; while
	// that is the quota of all, nothing is shared out.
	KnobTenantQuota
	// KnobLog is the kinds of records in the debug log: bit k is kind k (Event).
	KnobLog
	// KnobLogEvery has one in as many scheduling passes of a worker note how its activations ended, rounded up to a power
	// of two; 0 leaves it to the session, which samples as much as needed to keep what that costs small. One that notes
	// every pass gives a task one activation in it: KnobBurst has no effect then.
	KnobLogEvery
	// KnobLogOpcode is 1 + an opcode that the log is restricted to, or 0; it is for all opcodes when all are 0. Faults and
	// breakpoints are noted for all opcodes.
	KnobLogOpcode
	// KnobWorkgroup is the workgroup size: the lanes that the kernel variant in force is compiled for. Another one is
	// compiled beside the run and has all its lanes filled, unless the lanes are set with it.
	KnobWorkgroup

	numKnobs
)

// NumKnobs is the number of knobs.
const NumKnobs = int(numKnobs)

// knob describes one.
type knob struct {
	name      string
	indexes   int // how many there are of it; 0: one, without an index
	low, high int64
}

// MaxBurst bounds the activations of a burst.
const MaxBurst = 64

// MaxWorkgroup bounds the lanes of a worker: what OpenGL 4.5 guarantees of a workgroup.
const MaxWorkgroup = 1024

// MinSlice and MaxSlice bound the length of a slice. Below, launching takes longer than the slice.
const (
	MinSlice = 100 * time.Microsecond
	MaxSlice = time.Hour
)

var knobs = [numKnobs]knob{
	KnobWorkers:        {"workers", 0, 1, MaxWorkers},
	KnobLanes:          {"lanes", 0, 1, MaxWorkgroup},
	KnobWorkgroup:      {"workgroup", 0, 1, MaxWorkgroup},
	KnobSlice:          {"slice", 0, MinSlice.Microseconds(), MaxSlice.Microseconds()},
	KnobPriorityOffset: {"priority-offset", tasks.NumPriorities, 1 - tasks.NumPriorities, tasks.NumPriorities - 1},
	KnobAging:          {"aging", 0, 0, 1 << 28},
	KnobStarvation:     {"starvation", 0, 1, 1 << 30},
	KnobBurst:          {"burst", 0, 1, MaxBurst},
	KnobTenantMask:     {"tenant-mask", Tenants, 0, 1},
	KnobTenantQuota:    {"tenant-quota", Tenants, 0, DefaultQuota},
	KnobLog:            {"log", 0, 0, int64(LogAll)},
	KnobLogEvery:       {"log-every", 0, 0, MaxLogEvery},
	KnobLogOpcode:      {"log-opcode", LogOpcodes, 0, maxLogOpcode},
}

// String is the knob's name in commands.
func (k Knob) String() string {
	if k < numKnobs {
		return knobs[k].name
	}
	return "unknown setting"
}

// Indexes is how many values a knob has, by priority or by tenant; 0 for a knob with one, whose index
// is 0.
func (k Knob) Indexes() int {
	if k < numKnobs {
		return knobs[k].indexes
	}
	return 0
}

// Settings are the positions of all knobs of a target.
type Settings struct {
	Workers        int                       `json:"workers"`
	Lanes          int                       `json:"lanes"`
	Workgroup      int                       `json:"workgroup_size,omitempty"` // 0: not known
	Slice          time.Duration             `json:"slice_ns"`
	PriorityOffset [tasks.NumPriorities]int8 `json:"priority_offset"`
	Aging          uint32                    `json:"aging"`
	Starvation     uint32                    `json:"starvation"`
	Burst          uint32                    `json:"burst"`
	TenantMask     [Tenants]bool             `json:"tenant_mask"`
	TenantQuota    [Tenants]uint32           `json:"tenant_quota"`
	Log            uint32                    `json:"log"`
	LogEvery       uint32                    `json:"log_every"`
	LogOpcodes     [LogOpcodes]int64         `json:"log_opcodes"`
	// LogSampling is what LogEvery comes to in the running slice; it is not a setting.
	LogSampling uint32 `json:"log_sampling"`
}

// Get reads a knob. Of a knob or index that does not exist the value is 0.
func (s *Settings) Get(k Knob, index int) int64 {
	if !exists(k, index) {
		return 0
	}
	switch k {
	case KnobWorkers:
		return int64(s.Workers)
	case KnobLanes:
		return int64(s.Lanes)
	case KnobWorkgroup:
		return int64(s.Workgroup)
	case KnobSlice:
		return s.Slice.Microseconds()
	case KnobPriorityOffset:
		return int64(s.PriorityOffset[index])
	case KnobAging:
		return int64(s.Aging)
	case KnobStarvation:
		return int64(s.Starvation)
	case KnobBurst:
		return int64(s.Burst)
	case KnobTenantMask:
		if s.TenantMask[index] {
			return 1
		}
		return 0
	case KnobLog:
		return int64(s.Log)
	case KnobLogEvery:
		return int64(s.LogEvery)
	case KnobLogOpcode:
		return s.LogOpcodes[index]
	default:
		return int64(s.TenantQuota[index])
	}
}

// Set puts a knob into a position, if that is possible on any device: ErrSetting otherwise.
func (s *Settings) Set(x Setting) error {
	if err := x.check(); err != nil {
		return err
	}
	switch x.Knob {
	case KnobWorkers:
		s.Workers = int(x.Value)
	case KnobLanes:
		s.Lanes = int(x.Value)
	case KnobWorkgroup:
		s.Workgroup = int(x.Value)
	case KnobSlice:
		s.Slice = time.Duration(x.Value) * time.Microsecond
	case KnobPriorityOffset:
		s.PriorityOffset[x.Index] = int8(x.Value)
	case KnobAging:
		s.Aging = uint32(x.Value)
	case KnobStarvation:
		s.Starvation = uint32(x.Value)
	case KnobBurst:
		s.Burst = uint32(x.Value)
	case KnobTenantMask:
		s.TenantMask[x.Index] = x.Value != 0
	case KnobTenantQuota:
		s.TenantQuota[x.Index] = uint32(x.Value)
	case KnobLog:
		s.Log = uint32(x.Value)
	case KnobLogEvery:
		s.LogEvery = uint32(x.Value)
	case KnobLogOpcode:
		s.LogOpcodes[x.Index] = x.Value
	}
	return nil
}

func exists(k Knob, index int) bool {
	return k < numKnobs && index >= 0 && index < max(1, knobs[k].indexes)
}
