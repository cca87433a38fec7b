package policy

// Workload describes the work as far as it is known; zero means unknown.
type Workload struct {
	HotOpcodes              uint32 `json:"hot_opcode_count"` // opcodes that many tasks have
	HotWindows              uint32 `json:"hot_window_count"` // windows of several tasks, see package telemetry
	GraphNodes              uint32 `json:"graph_node_count"`
	GraphEdges              uint32 `json:"graph_edge_count"`
	FrontierDensityBps      uint16 `json:"frontier_density_bps"` // derived from queue and nodes where unknown
	MemoryPressureBps       uint16 `json:"memory_pressure_bps"`  // derived from residents and budget where unknown
	ResidentDeviceBytes     uint64 `json:"resident_device_bytes"`
	DeviceMemoryBudgetBytes uint64 `json:"device_memory_budget_bytes"`
}

// Request is everything a recommendation depends on, apart from the policy and the topology before.
type Request struct {
	QueueLen uint32 `json:"queue_len"`               // tasks that may run now
	Groups   uint32 `json:"requested_worker_groups"` // 0: the default of the limits
	Limits
	HitCapacity uint32 `json:"requested_hit_capacity"` // 0: computed
	HitsPerItem uint32 `json:"expected_hits_per_item"` // 0 counts as 1
	Workload
	RequeueCount   uint64 `json:"requeue_count"`
	MaxPriorityAge uint32 `json:"max_priority_age"` // age_ticks of the oldest task
}

// Policy holds the numbers of the rules. See the package comment for what each does.
type Policy struct {
	MinHitCapacity        uint32 `json:"min_hit_capacity" toml:"min_hit_capacity"`
	HitCapacityMultiplier uint32 `json:"hit_capacity_multiplier" toml:"hit_capacity_multiplier"`
	SaturatedWaves        uint32 `json:"saturated_waves" toml:"saturated_waves"`
	HotOpcodes            uint32 `json:"hot_opcode_threshold" toml:"hot_opcode_threshold"`
	HotWindows            uint32 `json:"hot_window_threshold" toml:"hot_window_threshold"`
	JitQueueLen           uint32 `json:"jit_queue_len_threshold" toml:"jit_queue_len_threshold"`
	PriorityAge           uint32 `json:"priority_age_threshold" toml:"priority_age_threshold"`
	SparseBps             uint16 `json:"sparse_frontier_threshold_bps" toml:"sparse_frontier_threshold_bps"`
	DenseBps              uint16 `json:"dense_frontier_threshold_bps" toml:"dense_frontier_threshold_bps"`
	MemoryBps             uint16 `json:"memory_pressure_threshold_bps" toml:"memory_pressure_threshold_bps"`
	FusionEdges           uint32 `json:"fusion_edge_threshold" toml:"fusion_edge_threshold"`
	ScratchBytesPerHit    uint32 `json:"scratch_bytes_per_hit" toml:"scratch_bytes_per_hit"`
}

// StandardPolicy is the policy of the published peer.
func StandardPolicy() Policy {
	return Policy{
		MinHitCapacity: 1024, HitCapacityMultiplier: 2, SaturatedWaves: 4, HotOpcodes: 8, HotWindows: 4,
		JitQueueLen: 4096, PriorityAge: 32, SparseBps: 500, DenseBps: 4000, MemoryBps: 8500,
		FusionEdges: 65536, ScratchBytesPerHit: 16,
	}
}

// Recommendation is a launch shape and the room it needs.
type Recommendation struct {
	Geometry          Geometry `json:"geometry"`
	Groups            uint32   `json:"worker_groups"`
	HitCapacity       uint32   `json:"hit_capacity"`
	Pressure          Pressure `json:"pressure"`
	Mode              Mode     `json:"execution_mode"`
	Topology          Topology `json:"topology"`
	PromoteHotOpcodes bool     `json:"promote_hot_opcodes"`
	PromoteHotWindows bool     `json:"promote_hot_windows"`
	AgePriorityWork   bool     `json:"age_priority_work"`
	PeakBytes         uint64   `json:"estimated_peak_device_bytes"`
	BudgetBytes       uint64   `json:"device_memory_budget_bytes"` // of the request
}
