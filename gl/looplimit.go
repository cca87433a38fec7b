//go:build cgo && egl

package gl

import (
	"vyretop/engine"
	"vyretop/engine/stage"
)

// watches reports whether the loops of p are to be watched: the device is known to end them after a number of
// iterations, and p does not count them itself. Watching takes a storage block. The kernels of probes, which find the
// limit out, have neither tree nor faults.
func (b *Backend) watches(p *engine.Program) bool {
	_, limited := b.profile.LoopIterationLimit.Get()
	return limited && !p.CountsLoops && (p.Tree != nil || len(p.Outside) > 0) && stage.HasLoops(p.Tree)
}

// overrun is the error of a dispatch whose loops the device has ended, else nil.
func (p *pending) overrun() error {
	if p.control == nil {
		return nil
	}
	mark := p.control.words.Load(stage.ControlLimit)
	if mark == 0 {
		return nil
	}
	limit := &engine.LoopLimitError{Limit: p.backend.profile.LoopIterationLimit.Or(0), Pos: stage.OnlyLoop(p.exe.program.Tree)}
	p.locate(limit, ^mark)
	fix := "give each invocation less to do: use more invocations, or several dispatches that each continue where the last one stopped"
	if p.exe.program.Tree != nil {
		fix = "run it with the reference backend, which has no such limit, or " + fix
	}
	e := fail(engine.CodeDispatchFailed, p.op(), "", fix)
	e.Err = limit
	return e
}

// locate finds an invocation by its number in the grid. The grid of an indirect launch and the workgroup of a worker are
// not known here, nor is the size of one that only the driver could read; numbers of more than 32 bits are not kept.
func (p *pending) locate(limit *engine.LoopLimitError, number uint32) {
	size, grid := p.exe.staged.Parts[0].WorkgroupSize, p.launch.Grid
	lanes := uint64(size[0]) * uint64(size[1]) * uint64(size[2])
	if p.indirect != nil || p.exe.staged.Tickets >= 0 || lanes == 0 || p.launch.Workgroups()*lanes > 1<<32 {
		return
	}
	n := uint64(number)
	group := n / lanes
	limit.Invocation, limit.Local = engine.Known(n), uint32(n%lanes)
	limit.Workgroup = [3]uint32{uint32(group % uint64(grid[0])), uint32(group / uint64(grid[0]) % uint64(grid[1])), uint32(group / uint64(grid[0]) / uint64(grid[1]))}
}
