//go:build cgo && egl

package glapi

import "vyretop/gl/internal/glapi/core"

// Names of integers that belong to extensions: ask only after the extension has been seen.
const (
	SubgroupSize         uint32 = 0x9532 // GL_KHR_shader_subgroup
	WarpSizeNV           uint32 = 0x9339 // GL_NV_shader_thread_group
	SMCountNV            uint32 = 0x933B // GL_NV_shader_thread_group
	DedicatedMemoryNVX   uint32 = 0x9047 // GL_NVX_gpu_memory_info, in KiB
	CurrentAvailableNVX  uint32 = 0x9049 // GL_NVX_gpu_memory_info, in KiB
	MajorVersion         uint32 = core.MAJOR_VERSION
	MinorVersion         uint32 = core.MINOR_VERSION
	MaxInvocations       uint32 = core.MAX_COMPUTE_WORK_GROUP_INVOCATIONS
	MaxSharedBytes       uint32 = core.MAX_COMPUTE_SHARED_MEMORY_SIZE
	MaxStorageBytes      uint32 = core.MAX_SHADER_STORAGE_BLOCK_SIZE
	MaxStorageBindings   uint32 = core.MAX_SHADER_STORAGE_BUFFER_BINDINGS
	MaxComputeStorage    uint32 = core.MAX_COMPUTE_SHADER_STORAGE_BLOCKS
	MaxWorkgroupSize     uint32 = core.MAX_COMPUTE_WORK_GROUP_SIZE
	MaxWorkgroupCount    uint32 = core.MAX_COMPUTE_WORK_GROUP_COUNT
	ResetStrategy        uint32 = core.RESET_NOTIFICATION_STRATEGY
	LoseContextOnReset   int64  = core.LOSE_CONTEXT_ON_RESET
	numExtensions        uint32 = core.NUM_EXTENSIONS
	timeElapsedQueryBits uint32 = core.QUERY_COUNTER_BITS
)

// Integer reads a 64-bit integer state.
func (a *API) Integer(name uint32) int64 {
	var v int64
	core.GetInteger64v(name, &v)
	a.after("glGetInteger64v")
	return v
}

// Integer3 reads an indexed state for the indices 0, 1, 2.
func (a *API) Integer3(name uint32) [3]uint32 {
	var out [3]uint32
	for i := range out {
		var v int64
		core.GetInteger64i_v(name, uint32(i), &v)
		a.after("glGetInteger64i_v")
		out[i] = uint32(max(0, min(v, 1<<32-1)))
	}
	return out
}

// Strings are the context's identification.
type Strings struct{ Vendor, Renderer, Version string }

// Identification reads who made the implementation and what it runs on.
func (a *API) Identification() Strings {
	s := Strings{Vendor: core.GetString(core.VENDOR), Renderer: core.GetString(core.RENDERER), Version: core.GetString(core.VERSION)}
	a.after("glGetString")
	return s
}

// Extensions lists the context's extensions.
func (a *API) Extensions() []string {
	n := a.Integer(numExtensions)
	out := make([]string, 0, n)
	for i := range uint32(n) {
		if name := core.GetStringi(core.EXTENSIONS, i); name != "" {
			out = append(out, name)
		}
	}
	a.after("glGetStringi")
	return out
}

// Reset reports whether the device was reset since the last call, which kills the context.
func (a *API) Reset() bool {
	status := core.GetGraphicsResetStatus()
	a.after("glGetGraphicsResetStatus")
	return status != core.NO_ERROR
}

// HasTimer reports whether elapsed-time queries count anything.
func (a *API) HasTimer() bool {
	var bits int32
	core.GetQueryiv(core.TIME_ELAPSED, timeElapsedQueryBits, &bits)
	a.after("glGetQueryiv")
	return bits > 0
}
