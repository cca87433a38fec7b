package megakernel

import (
	"time"

	"vyretop/tasks"
)

// SettingID names something that can be changed on a running target.
type SettingID uint8

// The settings. All but those of tenants act from the next slice on, which the change brings about.
const (
	// WorkersSetting is the number of resident workgroups.
	WorkersSetting SettingID = iota
	// LanesSetting is the number of lanes that a worker may fill. A target that compiles kernel variants runs the smallest
	// compiled workgroup that has them, and compiles one of that size where all are smaller.
	LanesSetting
	// SliceSetting is the longest slice, in microseconds. A slice also ends by itself where the device limits
	// loops.
	SliceSetting
	// PriorityOffsetSetting is added to a priority when its tasks join a ready set, within 0 to 4: -1 runs
	// all low tasks as normal ones. The ready sets take the place of the peer's partitions of the ring: a
	// slot holds tasks of any priority, so there are no sizes to change, only what goes before what. The
	// task's own priority word stays as it is. A task that waits keeps its place until it has run once.
	PriorityOffsetSetting
	// AgingSetting is how many age ticks (requeues) make a task more urgent by one priority, and twice as
	// many by two, and so on; 0 is never.
	AgingSetting
	// StarvationSetting is how many activations may overtake a waiting priority.
	StarvationSetting
	// BurstSetting is how many activations a task that yields may have before another one has its lane, while
	// they are short.
	BurstSetting
	// TenantMaskSetting is 1 where a tenant may run and 0 where its tasks wait.
	TenantMaskSetting
	// TenantQuotaSetting is a tenant's share of the activations: while others have work, tenants get
	// activations in proportion to their quotas, up to QuotaSpan to one. 0 counts as DefaultQuota; while
	// that is the quota of all, nothing is shared out.
	TenantQuotaSetting
	// LogSetting is the kinds of records in the debug log: bit k is kind k (Event).
	LogSetting
	// LogEverySetting has one in as many scheduling passes of a worker note how its activations ended, rounded up to a power
	// of two; 0 leaves it to the session, which samples as much as needed to keep what that costs small. One that notes
	// every pass gives a task one activation in it: BurstSetting has no effect then.
	LogEverySetting
	// LogOpcodeSetting is 1 + an opcode that the log is restricted to, or 0; it is for all opcodes when all are 0. Faults and
	// breakpoints are noted for all opcodes.
	LogOpcodeSetting
	// WorkgroupSetting is the workgroup size: the lanes that the kernel variant in force is compiled for. Another one is
	// compiled beside the run and has all its lanes filled, unless the lanes are set with it.
	WorkgroupSetting

	numSettingIDs
)

// NumSettingIDs is the number of settings.
const NumSettingIDs = int(numSettingIDs)

// setting describes one: its name in commands, and the range of its values.
type setting struct {
	name      string
	indexes   int // how many there are of it; 0: one, without an index
	low, high int64
}

// MaxBurst bounds the activations of a burst.
const MaxBurst = 64

// MaxWorkgroup bounds the lanes of a worker: what OpenGL 4.5 guarantees of a workgroup.
const MaxWorkgroup = 1024

// MaxActivation bounds the loop iterations of an activation: one must fit a slice on every device.
const MaxActivation = 60_000

// MinSlice and MaxSlice bound the length of a slice. Below, launching takes longer than the slice.
const (
	MinSlice = 100 * time.Microsecond
	MaxSlice = time.Hour
)

var settings = [numSettingIDs]setting{
	WorkersSetting:        {"workers", 0, 1, MaxWorkers},
	LanesSetting:          {"lanes", 0, 1, MaxWorkgroup},
	WorkgroupSetting:      {"workgroup", 0, 1, MaxWorkgroup},
	SliceSetting:          {"slice", 0, MinSlice.Microseconds(), MaxSlice.Microseconds()},
	PriorityOffsetSetting: {"priority-offset", tasks.NumPriorities, 1 - tasks.NumPriorities, tasks.NumPriorities - 1},
	AgingSetting:          {"aging", 0, 0, 1 << 28},
	StarvationSetting:     {"starvation", 0, 1, 1 << 30},
	BurstSetting:          {"burst", 0, 1, MaxBurst},
	TenantMaskSetting:     {"tenant-mask", Tenants, 0, 1},
	TenantQuotaSetting:    {"tenant-quota", Tenants, 0, DefaultQuota},
	LogSetting:            {"log", 0, 0, int64(LogAll)},
	LogEverySetting:       {"log-every", 0, 0, MaxLogEvery},
	LogOpcodeSetting:      {"log-opcode", LogOpcodes, 0, maxLogOpcode},
}

// String is the setting's name in commands.
func (k SettingID) String() string {
	if k < numSettingIDs {
		return settings[k].name
	}
	return "unknown setting"
}

// Indexes is how many values a setting has, by priority or by tenant; 0 for a setting with one, whose index
// is 0.
func (k SettingID) Indexes() int {
	if k < numSettingIDs {
		return settings[k].indexes
	}
	return 0
}

// Settings are the values of all settings of a target.
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

// Get reads a setting. Of a setting or index that does not exist the value is 0.
func (s *Settings) Get(k SettingID, index int) int64 {
	if !exists(k, index) {
		return 0
	}
	switch k {
	case WorkersSetting:
		return int64(s.Workers)
	case LanesSetting:
		return int64(s.Lanes)
	case WorkgroupSetting:
		return int64(s.Workgroup)
	case SliceSetting:
		return s.Slice.Microseconds()
	case PriorityOffsetSetting:
		return int64(s.PriorityOffset[index])
	case AgingSetting:
		return int64(s.Aging)
	case StarvationSetting:
		return int64(s.Starvation)
	case BurstSetting:
		return int64(s.Burst)
	case TenantMaskSetting:
		if s.TenantMask[index] {
			return 1
		}
		return 0
	case LogSetting:
		return int64(s.Log)
	case LogEverySetting:
		return int64(s.LogEvery)
	case LogOpcodeSetting:
		return s.LogOpcodes[index]
	default:
		return int64(s.TenantQuota[index])
	}
}

// Set changes a setting, if its value is possible on any device: ErrSetting otherwise.
func (s *Settings) Set(x Setting) error {
	if err := x.check(); err != nil {
		return err
	}
	switch x.ID {
	case WorkersSetting:
		s.Workers = int(x.Value)
	case LanesSetting:
		s.Lanes = int(x.Value)
	case WorkgroupSetting:
		s.Workgroup = int(x.Value)
	case SliceSetting:
		s.Slice = time.Duration(x.Value) * time.Microsecond
	case PriorityOffsetSetting:
		s.PriorityOffset[x.Index] = int8(x.Value)
	case AgingSetting:
		s.Aging = uint32(x.Value)
	case StarvationSetting:
		s.Starvation = uint32(x.Value)
	case BurstSetting:
		s.Burst = uint32(x.Value)
	case TenantMaskSetting:
		s.TenantMask[x.Index] = x.Value != 0
	case TenantQuotaSetting:
		s.TenantQuota[x.Index] = uint32(x.Value)
	case LogSetting:
		s.Log = uint32(x.Value)
	case LogEverySetting:
		s.LogEvery = uint32(x.Value)
	case LogOpcodeSetting:
		s.LogOpcodes[x.Index] = x.Value
	}
	return nil
}

func exists(k SettingID, index int) bool {
	return k < numSettingIDs && index >= 0 && index < max(1, settings[k].indexes)
}
