//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"sync"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// pipeline implements engine.Pipeline.
type pipeline struct {
	backend *Backend
	program *engine.Program

	mu     sync.RWMutex
	handle uint32 // 0 once closed
}

// Compile implements engine.Backend. It needs the owner's thread, as Allocate does.
func (b *Backend) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	op := fmt.Sprintf("compile %q", p.Name)
	if err := b.alive(op); err != nil {
		return nil, err
	}
	if len(p.Outside) == 0 {
		if err := b.limits.checkProgram(op, p); err != nil {
			return nil, err
		}
	}
	pl := &pipeline{backend: b, program: p}
	if err := b.do(ctx, op, func(s *station) error { return pl.build(s, op) }); err != nil {
		return nil, err
	}
	return pl, nil
}

// build runs on the owner's thread.
func (pl *pipeline) build(s *station, op string) error {
	p := pl.program
	h, err := s.programs.acquire(s, op, p)
	if err != nil {
		return err
	}
	if pl.program, err = pl.backend.reconcile(s, op, h, p); err != nil {
		s.programs.release(&s.api, h)
		return err
	}
	s.api.Label(glapi.LabelProgram, h, p.Name)
	pl.handle = h
	return nil
}

// ID implements engine.Pipeline.
func (pl *pipeline) ID() string { return pl.backend.id + ":" + pl.program.Fingerprint() }

// Program implements engine.Pipeline.
func (pl *pipeline) Program() *engine.Program { return pl.program }

// Close implements engine.Pipeline. Dispatches under way go on.
func (pl *pipeline) Close() error {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if pl.handle == 0 {
		return invalid(fmt.Sprintf("close pipeline %q", pl.program.Name), "it is closed already", "close a pipeline once")
	}
	h := pl.handle
	pl.handle = 0
	pl.backend.later(func(api *glapi.API) { pl.backend.station.programs.release(api, h) })
	return nil
}
