package vectors

import (
	"time"

	"vyretop/megakernel/policy"
)

// sizeIn is the input of the sizing operations; each uses what it needs.
type sizeIn struct {
	Workers     uint32 `json:"worker_count"`
	Queue       uint32 `json:"queue_len"`
	Slots       uint32 `json:"slot_count"`
	Width       uint32 `json:"workgroup_size_x"`
	Items       uint64 `json:"item_count"`
	Groups      uint32 `json:"requested_worker_groups"`
	MaxX        uint32 `json:"max_workgroup_size_x"`
	MaxGroups   uint32 `json:"max_compute_workgroups_per_dimension"`
	Invocations uint32 `json:"max_compute_invocations_per_workgroup"`
}

func (in *sizeIn) limits() *policy.Limits {
	return &policy.Limits{MaxWidth: in.MaxX, MaxGroups: in.MaxGroups, MaxInvocations: in.Invocations}
}

type gridOut struct {
	Grid [3]uint32 `json:"dispatch_grid"`
}

var _ = register("sizing", map[string]operation{
	"default_worker_count":  value(func(none) uint32 { return policy.DefaultWorkers }),
	"worker_workgroup_size": value(func(in sizeIn) uint32 { return policy.Width(in.Workers, in.MaxX) }),
	"padded_slot_count":     value(func(in sizeIn) uint32 { return policy.PaddedSlots(in.Slots, in.Width) }),
	"default_worker_groups_from_limits": value(func(in sizeIn) uint32 {
		return in.limits().DefaultGroups()
	}),
	"dispatch_grid_for": op(func(in sizeIn) (any, error) { return gridOut{policy.Grid(in.Workers, in.Queue, in.MaxX)}, nil }),
	"geometry_from_slots": op(func(in sizeIn) (any, error) {
		return policy.GeometryForSlots(in.Slots, in.Workers, in.MaxX), nil
	}),
	"calculate_optimal_grid": op(func(in sizeIn) (any, error) {
		g, groups, err := policy.OptimalGrid(in.Queue, in.Groups, in.limits())
		return struct {
			Geometry policy.Geometry `json:"geometry"`
			Groups   uint32          `json:"worker_groups"`
		}{g, groups}, err
	}),
})

// coveredGeometry is a geometry with the workgroups that cover it.
type coveredGeometry struct {
	policy.Geometry
	Covering uint32 `json:"covering_worker_groups"`
}

// dispatchOut is a dispatch of a geometry; everything else is absent.
type dispatchOut struct {
	Profile     any       `json:"profile"`
	ULPBudget   any       `json:"ulp_budget"`
	TimeoutNS   any       `json:"timeout_ns"`
	Label       any       `json:"label"`
	MaxOutput   any       `json:"max_output_bytes"`
	Workgroup   [3]uint32 `json:"workgroup_override"`
	Grid        [3]uint32 `json:"grid_override"`
	Fixpoint    any       `json:"fixpoint_iterations"`
	Speculation any       `json:"speculation"`
	Persistent  any       `json:"persistent_thread"`
	Cooperative bool      `json:"cooperative"`
}

func covered(g policy.Geometry, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	n, err := g.CoveringGroups()
	return coveredGeometry{g, n}, err
}

var _ = register("geometry", map[string]operation{
	"from_item_count": op(func(in sizeIn) (any, error) { return covered(policy.GeometryForItems(in.Items, in.Workers, in.MaxX)) }),
	"from_slots": op(func(in sizeIn) (any, error) {
		return covered(policy.GeometryForSlots(in.Slots, in.Workers, in.MaxX), nil)
	}),
	"covering_worker_groups": op(func(g policy.Geometry) (any, error) {
		n, err := g.CoveringGroups()
		return single{n}, err
	}),
	"dispatch_config": op(func(in struct {
		policy.Geometry
		Timeout *int64 `json:"timeout_ns"`
	}) (any, error) {
		var timeout time.Duration // absent is 0 to ours
		if in.Timeout != nil {
			timeout = time.Duration(*in.Timeout)
		}
		c := in.DispatchConfig(timeout)
		out := dispatchOut{Workgroup: c.WorkgroupOverride.Or([3]uint32{}), Grid: c.Grid, Cooperative: c.Cooperative}
		if in.Timeout != nil {
			out.TimeoutNS = c.Timeout.Nanoseconds()
		}
		return out, nil
	}),
	"worker_groups_for_geometry": op(func(in sizeIn) (any, error) {
		n, err := policy.GroupsForSlots(in.Slots, in.Width)
		return single{n}, err
	}),
})

// configIn is a configuration as the vectors spell it.
type configIn struct {
	Workers  uint32          `json:"worker_count"`
	WallTime int64           `json:"max_wall_time_ns"`
	Hits     uint32          `json:"expected_items_per_worker"`
	Workload policy.Workload `json:"workload"`
}

func (in *configIn) config() *policy.Config {
	return &policy.Config{
		Workers: in.Workers, MaxWallTime: time.Duration(in.WallTime), HitsPerItem: in.Hits, Workload: in.Workload,
	}
}

// launchIn is the input of the operations of a configuration.
type launchIn struct {
	Config configIn `json:"config"`
	Tasks  hexBytes `json:"tasks_hex"`
	sizeIn
}

var _ = register("config", map[string]operation{
	"default": op(func(none) (any, error) {
		c := policy.DefaultConfig()
		return configIn{c.Workers, int64(c.MaxWallTime), c.HitsPerItem, c.Workload}, nil
	}),
	"validate": op(func(in configIn) (any, error) { return none{}, in.config().Validate() }),
	"dispatch_grid": op(func(in sizeIn) (any, error) {
		c := policy.Config{Workers: in.Workers}
		return gridOut{c.Grid(in.Queue, in.MaxX)}, nil
	}),
	"launch_request": op(func(in launchIn) (any, error) { return in.Config.config().Request(in.Queue, in.limits()), nil }),
	"launch_recommendation": op(func(in launchIn) (any, error) {
		return in.Config.config().Recommend(in.Queue, in.limits())
	}),
	"launch_request_for_tasks": op(func(in launchIn) (any, error) {
		return in.Config.config().RequestForTasks(words(in.Tasks), in.limits())
	}),
	"launch_recommendation_for_tasks": op(func(in launchIn) (any, error) {
		return in.Config.config().RecommendForTasks(words(in.Tasks), in.limits())
	}),
})
