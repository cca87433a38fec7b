//go:build cgo && egl

package gl

import (
	"context"

	"vyretop/engine"
	"vyretop/engine/stage"
)

// bindControl gives the dispatch a stop word and its grid, and the kernel a place to count the workgroups
// that ended.
func (p *pending) bindControl(ctx context.Context, index uint32) error {
	buf, err := p.backend.controls.take(ctx, p.backend)
	if err != nil {
		return err
	}
	p.control = buf
	buf.words.CopyFrom(0, []uint32{stage.ControlGrid: p.launch.Grid[0], p.launch.Grid[1], p.launch.Grid[2], stage.ControlProbe: stage.ProbeRounds})
	return p.bind(index, buf)
}

// bindTickets gives the workers their tickets; they are set to zero on the device, before the dispatch.
func (p *pending) bindTickets(ctx context.Context, index uint32) error {
	buf, err := p.backend.tickets.take(ctx, p.backend)
	if err != nil {
		return err
	}
	p.tickets = buf
	return p.bind(index, buf)
}

// workers is the row of workgroups that run the grid of a launch: as many as ran at the same time when the
// device was probed.
func (b *Backend) workers(l *engine.Launch) [3]uint32 {
	n := min(uint64(b.profile.ConcurrentWorkgroups.Or(1)), uint64(b.limits.MaxWorkgroups[0]), l.Workgroups())
	return [3]uint32{uint32(n), 1, 1}
}

// expire ends a dispatch whose time is up: one that waits for its turn at once, one that the device has
// at its next boundary, which is the beginning of a workgroup or the round of a loop.
func (p *pending) expire() {
	p.stopped.Store(true)
	if p.state.CompareAndSwap(stateQueued, stateHanded) {
		p.finish(p.stopError(0))
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.Load() == stateHanded {
		p.control.words.Store(stage.ControlStop, 1)
	}
}

// cutShort is the error of a dispatch that was stopped before all its workgroups had ended, else nil.
func (p *pending) cutShort() error {
	if !p.stopped.Load() {
		return nil
	}
	ended := uint64(p.control.words.Load(stage.ControlEnded))
	if ended == p.workgroups() && p.indirect == nil {
		return nil
	}
	return p.stopError(ended)
}

// workgroups is the number of workgroups of all parts and runs.
func (p *pending) workgroups() uint64 {
	return p.launch.Workgroups() * uint64(len(p.exe.parts)) * uint64(p.launch.Runs)
}

func (p *pending) stopError(ended uint64) error {
	e := fail(engine.CodeDispatchFailed, p.op(), "", "give the dispatch more time or less work")
	e.Err = &engine.StopError{Reason: engine.ErrTimeout, Ended: ended, Total: p.workgroups()}
	return e
}
