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
	DispatchTimeLimitMs      Optional[float64]   `json:"dispatch_time_limit_ms,omitzero"`    // the watchdog's, where one is known
	ConcurrentWorkgroups     Optional[uint32]    `json:"concurrent_workgroups,omitzero"`     // measured: workgroups that ran at the same time
	BufferPlacement          map[string]string   `json:"buffer_placement,omitempty"`         // class asked for -> where it ended up
	Extensions               []string            `json:"extensions,omitempty"`
}
