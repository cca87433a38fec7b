//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"sync"

	"vyretop/engine"
)

// pipeline implements engine.Pipeline.
type pipeline struct {
	backend *Backend
	program *engine.Program

	mu       sync.RWMutex
	compiled map[choice]*executable // the zero choice first; empty once closed
	lost     bool                   // closed by a loss of the device

	spillMu sync.Mutex
	spill   *buffer // of the largest dispatch so far; nil: none was needed
}

// Compile implements engine.Backend. It needs the owner's thread, as Allocate does, but not while the driver
// compiles on threads of its own.
func (b *Backend) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	op := fmt.Sprintf("compile %q", p.Name)
	if err := b.alive(op); err != nil {
		return nil, err
	}
	exe, err := b.build(ctx, op, p, choice{})
	if err != nil {
		return nil, err
	}
	pl := &pipeline{backend: b, program: exe.program, compiled: map[choice]*executable{{}: exe}}
	if err := b.adoptPipeline(pl); err != nil {
		return nil, err
	}
	return pl, nil
}

// ID implements engine.Pipeline.
func (pl *pipeline) ID() string { return pl.backend.id + ":" + pl.program.Fingerprint() }

// Program implements engine.Pipeline.
func (pl *pipeline) Program() *engine.Program { return pl.program }

// Close implements engine.Pipeline. Dispatches under way continue.
func (pl *pipeline) Close() error {
	pl.mu.RLock()
	err := pl.closedError("close")
	pl.mu.RUnlock()
	if err != nil {
		return err
	}
	gone := pl.retire(false)
	pl.backend.dropPipeline(pl)
	pl.backend.later(func(s *glState) {
		for _, exe := range gone {
			exe.release(s)
		}
	})
	return nil
}

// closedError says why a closed pipeline cannot be used. The caller holds pl.mu.
func (pl *pipeline) closedError(verb string) error {
	op := fmt.Sprintf("%s %q", verb, pl.program.Name)
	switch {
	case pl.lost:
		return goneWithDevice(op)
	case len(pl.compiled) == 0:
		return invalid(op, "the pipeline is closed", "compile the program again; close a pipeline after its last use")
	}
	return nil
}

// retire takes what was compiled out of the pipeline, which is closed then.
func (pl *pipeline) retire(lost bool) map[choice]*executable {
	pl.mu.Lock()
	gone := pl.compiled
	pl.compiled, pl.lost = nil, lost
	pl.mu.Unlock()
	pl.spillMu.Lock()
	defer pl.spillMu.Unlock()
	if pl.spill != nil {
		pl.spill.discard()
		pl.spill = nil
	}
	return gone
}

// spillFor returns a buffer for what invocations carry across the parts of a dispatch. All dispatches of
// the pipeline share it: the device runs them one after the other.
func (pl *pipeline) spillFor(ctx context.Context, exe *executable, launch *engine.Launch) (*buffer, error) {
	words := exe.staged.SpillWords(launch.Workgroups())
	op := fmt.Sprintf("dispatch %q", launch.Label)
	if limit := pl.backend.limits.bufferBytes; words > limit/wordBytes {
		e := fail(engine.CodeDeviceOutOfMemory, op, "what its invocations carry across a grid barrier is more than one buffer can hold", "use a smaller grid, or keep less across gridBarrier()")
		e.Requested, e.Available = words*wordBytes, limit
		return nil, e
	}
	pl.spillMu.Lock()
	defer pl.spillMu.Unlock()
	if pl.spill != nil && uint64(pl.spill.size) >= words {
		return pl.spill, nil
	}
	made, err := pl.backend.Allocate(ctx, "spill of "+pl.program.Name, int(words), engine.DeviceLocal)
	if err != nil {
		return nil, err
	}
	if pl.spill != nil {
		pl.spill.discard()
	}
	pl.spill = made.(*buffer)
	pl.spill.own = true
	return pl.spill, nil
}
