package pane

import (
	"maps"
	"slices"

	"vyretop/megakernel/policy"
	"vyretop/megakernel/tune"
)

// LaunchInput is a number that the recommendation depends on.
type LaunchInput struct {
	Name string // as the request has it in JSON
	Most uint64

	unknown bool // 0 says that it is not known

	get func(*policy.Request) uint64
	set func(*policy.Request, uint64)
}

// LaunchInputs are the inputs in the order of the launch view.
var LaunchInputs = []LaunchInput{
	input("queue_len", func(r *policy.Request) *uint32 { return &r.QueueLen }),
	input("requested_worker_groups", func(r *policy.Request) *uint32 { return &r.Groups }),
	input("max_workgroup_size_x", func(r *policy.Request) *uint32 { return &r.MaxWidth }),
	input("max_compute_workgroups", func(r *policy.Request) *uint32 { return &r.MaxGroups }),
	input("expected_hits_per_item", func(r *policy.Request) *uint32 { return &r.HitsPerItem }),
	input("hot_opcode_count", func(r *policy.Request) *uint32 { return &r.HotOpcodes }),
	input("hot_window_count", func(r *policy.Request) *uint32 { return &r.HotWindows }),
	zeroUnknown("graph_node_count", func(r *policy.Request) *uint32 { return &r.GraphNodes }),
	zeroUnknown("graph_edge_count", func(r *policy.Request) *uint32 { return &r.GraphEdges }),
	zeroUnknown("frontier_density_bps", func(r *policy.Request) *uint16 { return &r.FrontierDensityBps }),
	input("memory_pressure_bps", func(r *policy.Request) *uint16 { return &r.MemoryPressureBps }),
	input("resident_device_bytes", func(r *policy.Request) *uint64 { return &r.ResidentDeviceBytes }),
	zeroUnknown("device_memory_budget", func(r *policy.Request) *uint64 { return &r.DeviceMemoryBudgetBytes }),
	input("requeue_count", func(r *policy.Request) *uint64 { return &r.RequeueCount }),
	input("max_priority_age", func(r *policy.Request) *uint32 { return &r.MaxPriorityAge }),
}

// zeroUnknown is an input of which 0 says that it is not known.
func zeroUnknown[T uint16 | uint32 | uint64](name string, field func(*policy.Request) *T) LaunchInput {
	in := input(name, field)
	in.unknown = true
	return in
}

func input[T uint16 | uint32 | uint64](name string, field func(*policy.Request) *T) LaunchInput {
	return LaunchInput{
		Name: name, Most: uint64(^T(0)),
		get: func(r *policy.Request) uint64 { return uint64(*field(r)) },
		set: func(r *policy.Request, v uint64) { *field(r) = T(v) },
	}
}

// LaunchState is what the user asks in the launch view.
type LaunchState struct {
	Selected int
	WhatIf   map[int]uint64   // by input: the value that takes the place of the observed one
	Compared *tune.Comparison // the last comparison of two shapes, or nil
	Steers   bool             // the target can be given shapes
	Top      int              // rows of the reasons that are scrolled away
}

// Suppose puts a value in the place of the observed one.
func (s *LaunchState) Suppose(i int, value uint64) {
	s.WhatIf = maps.Clone(s.WhatIf)
	if s.WhatIf == nil {
		s.WhatIf = map[int]uint64{}
	}
	s.WhatIf[i] = min(value, LaunchInputs[i].Most)
}

// InputNames lists the names of the inputs.
func InputNames() []string {
	names := make([]string, len(LaunchInputs))
	for i, in := range LaunchInputs {
		names[i] = in.Name
	}
	return names
}

// FindInput is the number of the input with a name.
func FindInput(name string) (int, bool) {
	i := slices.IndexFunc(LaunchInputs, func(in LaunchInput) bool { return in.Name == name })
	return max(i, 0), i >= 0
}
