//go:build cgo && egl

package glapi

import (
	"time"

	"vyretop/gl/internal/glapi/core"
)

// UseProgram makes a program current.
func (a *API) UseProgram(program uint32) {
	core.UseProgram(program)
	a.after("glUseProgram")
}

// Dispatch starts a grid of workgroups of the current program. On a software device it may return
// only when the kernel has ended.
func (a *API) Dispatch(grid [3]uint32) {
	core.DispatchCompute(grid[0], grid[1], grid[2])
	a.after("glDispatchCompute")
}

// BindIndirect makes a buffer the one that DispatchIndirect reads.
func (a *API) BindIndirect(h uint32) {
	core.BindBuffer(core.DISPATCH_INDIRECT_BUFFER, h)
	a.after("glBindBuffer")
}

// DispatchIndirect starts a grid of workgroups whose size the device reads at an offset in bytes.
func (a *API) DispatchIndirect(offset int) {
	core.DispatchComputeIndirect(offset)
	a.after("glDispatchComputeIndirect")
}

// Finish waits until the device has done everything so far.
func (a *API) Finish() {
	core.Finish()
	a.after("glFinish")
}

// Barrier orders the storage accesses of earlier commands before those of later ones and of
// the host, through mappings too.
func (a *API) Barrier() {
	core.MemoryBarrier(core.SHADER_STORAGE_BARRIER_BIT | core.BUFFER_UPDATE_BARRIER_BIT | core.COMMAND_BARRIER_BIT | core.CLIENT_MAPPED_BUFFER_BARRIER_BIT)
	a.after("glMemoryBarrier")
}

// Fence is a point in the command stream. The zero Fence is none.
type Fence uintptr

// InsertFence makes a fence after all commands so far.
func (a *API) InsertFence() Fence {
	f := core.FenceSync(core.SYNC_GPU_COMMANDS_COMPLETE, 0)
	a.after("glFenceSync")
	return Fence(f)
}

// FenceState is what a wait for a fence found.
type FenceState uint8

// The states of a fence.
const (
	FencePending FenceState = iota
	FencePassed
	FenceFailed
)

// WaitFence waits for a fence up to a time; flush hands everything before it to the device, which
// one wait for each fence must do.
func (a *API) WaitFence(f Fence, flush bool, limit time.Duration) FenceState {
	var bits uint32
	if flush {
		bits = core.SYNC_FLUSH_COMMANDS_BIT
	}
	got := core.ClientWaitSync(uintptr(f), bits, uint64(limit))
	a.after("glClientWaitSync")
	switch got {
	case core.ALREADY_SIGNALED, core.CONDITION_SATISFIED:
		return FencePassed
	case core.TIMEOUT_EXPIRED:
		return FencePending
	default:
		return FenceFailed
	}
}

// DeleteFence frees a fence.
func (a *API) DeleteFence(f Fence) {
	core.DeleteSync(uintptr(f))
	a.after("glDeleteSync")
}

// BeginTimer makes an elapsed-time query and starts it.
func (a *API) BeginTimer() uint32 {
	core.GenQueries(1, &a.name)
	core.BeginQuery(core.TIME_ELAPSED, a.name)
	a.after("glBeginQuery")
	return a.name
}

// EndTimer ends the running elapsed-time query.
func (a *API) EndTimer() {
	core.EndQuery(core.TIME_ELAPSED)
	a.after("glEndQuery")
}

// ReadTimer returns the time of a query whose commands have ended, and deletes it.
func (a *API) ReadTimer(q uint32) time.Duration {
	a.name = q
	core.GetQueryObjectui64v(q, core.QUERY_RESULT, &a.value)
	core.DeleteQueries(1, &a.name)
	a.after("glGetQueryObjectui64v")
	return time.Duration(a.value)
}
