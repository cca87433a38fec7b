package engine

// DeviceProfile is the one record of what a device can do. Every field was read or measured on
// the device; what was not is absent, never a guess. Latencies are in nanoseconds.
type DeviceProfile struct {
	Identity Identity `json:"identity"`

	MaxWorkgroupSize         Optional[[3]uint32] `json:"max_workgroup_size,omitzero"`
	MaxWorkgroups            Optional[[3]uint32] `json:"max_workgroups,omitzero"`
	MaxInvocations           Optional[uint32]    `json:"max_invocations_per_workgroup,omitzero"`
	MaxStorageBufferBytes    Optional[uint64]    `json:"max_storage_buffer_bytes,omitzero"`
	MaxStorageBufferBindings Optional[uint32]    `json:"max_storage_buffer_bindings,omitzero"`
	MaxSharedBytes           Optional[uint32]    `json:"max_shared_bytes,omitzero"`
	SubgroupSize             Optional[uint32]    `json:"subgroup_size,omitzero"`
	ComputeUnits             Optional[uint32]    `json:"compute_units,omitzero"`
	HostThreads              Optional[uint32]    `json:"host_threads,omitzero"` // threads that execute workgroups, on a CPU device
	DeviceMemoryBytes        Optional[uint64]    `json:"device_memory_bytes,omitzero"`
	SoftwareDevice           Optional[bool]      `json:"software_device,omitzero"`
	PersistentMapping        Optional[bool]      `json:"persistent_mapping,omitzero"`
	LoopIterationLimit       Optional[uint64]    `json:"loop_iteration_limit,omitzero"`      // loop iterations after which the driver ends all loops of an invocation
	HostSeesDeviceStores     Optional[bool]      `json:"host_sees_device_stores,omitzero"`   // while a dispatch runs
	DeviceSeesHostStores     Optional[bool]      `json:"device_sees_host_stores,omitzero"`   // while a dispatch runs
	HostDeviceRoundTripNs    Optional[float64]   `json:"host_device_round_trip_ns,omitzero"` // median ping-pong through mapped memory
	DispatchFenceNs          Optional[float64]   `json:"dispatch_fence_ns,omitzero"`         // median of an empty dispatch and its fence
	DispatchBlocks           Optional[bool]      `json:"dispatch_blocks,omitzero"`           // the dispatch call returns only when the kernel has ended
	DeviceClock              Optional[string]    `json:"device_clock,omitzero"`              // extension that gives kernels a clock
	DeviceUnit               Optional[string]    `json:"device_unit,omitzero"`               // extension that tells kernels the unit that they are on
	DispatchTimeLimitMs      Optional[float64]   `json:"dispatch_time_limit_ms,omitzero"`    // the watchdog's, where one is known
	ConcurrentWorkgroups     Optional[uint32]    `json:"concurrent_workgroups,omitzero"`     // measured: workgroups that ran at the same time
	LockstepInvocations      Optional[uint32]    `json:"lockstep_invocations,omitzero"`      // neighbors that run in step: they need no barrier among themselves
	DispatchProfiles         []string            `json:"dispatch_profiles,omitempty"`        // what DispatchConfig.Profile may name
	BufferPlacement          map[string]string   `json:"buffer_placement,omitempty"`         // class asked for -> where it ended up
	Extensions               []string            `json:"extensions,omitempty"`

	Capabilities
	Microarchitecture
}

// Capabilities says what programs and dispatches may ask for. True means that it was tried on the device
// and that kernels can use it through this contract; absent means that it was not tried.
type Capabilities struct {
	SubgroupOperations      Optional[bool]   `json:"subgroup_operations,omitzero"`
	Shuffle                 Optional[bool]   `json:"shuffle,omitzero"`
	Float16                 Optional[bool]   `json:"f16,omitzero"`
	BFloat16                Optional[bool]   `json:"bf16,omitzero"`
	TensorCores             Optional[bool]   `json:"tensor_cores,omitzero"`
	AsyncCompute            Optional[bool]   `json:"async_compute,omitzero"`     // dispatches that overlap on the device
	IndirectDispatch        Optional[bool]   `json:"indirect_dispatch,omitzero"` // DispatchConfig.Indirect
	Speculation             Optional[bool]   `json:"speculation,omitzero"`
	PersistentThread        Optional[bool]   `json:"persistent_thread,omitzero"`      // workgroups that stay and talk to the host
	GridSync                Optional[bool]   `json:"grid_sync,omitzero"`              // gridBarrier(), natively or in parts
	NativeGridSync          Optional[bool]   `json:"native_grid_sync,omitzero"`       // within one dispatch
	CooperativeWorkgroups   Optional[uint32] `json:"cooperative_workgroups,omitzero"` // certain to be resident at once
	Distributed             Optional[bool]   `json:"distributed,omitzero"`            // several devices as one
	SpecializationConstants Optional[bool]   `json:"specialization_constants,omitzero"`
	TrapPropagation         Optional[bool]   `json:"trap_propagation,omitzero"` // a kernel's fault reaches the host with its place
}

// Microarchitecture is what a program may be tuned by.
type Microarchitecture struct {
	SharedMemory       Optional[bool]      `json:"shared_memory,omitzero"` // on chip, not emulated in buffers
	SharedBanks        Optional[uint32]    `json:"shared_banks,omitzero"`
	NativeIntBits      Optional[uint32]    `json:"native_int_bits,omitzero"`
	FastHighMultiply   Optional[bool]      `json:"fast_high_multiply,omitzero"`
	DualIssue          Optional[bool]      `json:"dual_issue,omitzero"`
	RegistersPerThread Optional[uint32]    `json:"registers_per_thread,omitzero"`
	L1Bytes            Optional[uint64]    `json:"l1_bytes,omitzero"`
	L2Bytes            Optional[uint64]    `json:"l2_bytes,omitzero"`
	BytesPerSecond     Optional[float64]   `json:"memory_bytes_per_second,omitzero"` // measured: one kernel reading device-local memory
	SuggestedUnroll    Optional[uint32]    `json:"suggested_unroll,omitzero"`
	VectorWidth        Optional[uint32]    `json:"vector_width,omitzero"` // invocations that one instruction serves
	SuggestedTile      Optional[[2]uint32] `json:"suggested_tile,omitzero"`
}

// SubgroupWidth is how many invocations the subgroups of the device have, so that kernels may use them: 0 where it has none.
func (p *DeviceProfile) SubgroupWidth() uint32 {
	if p.SubgroupOperations.Or(false) {
		return p.SubgroupSize.Or(p.LockstepInvocations.Or(0))
	}
	return 0
}
