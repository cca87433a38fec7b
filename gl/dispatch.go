//go:build cgo && egl

package gl

import (
	"context"
	"time"

	"vyretop/engine"
)

type bind struct{ index, handle uint32 }

// Start implements engine.Pipeline. Dispatches run in the order of their Starts; one queued while
// another runs follows it without a gap where the device allows it. It only queues, but for the first
// dispatch that wants the program compiled otherwise, a buffer for what crosses grid barriers, or a
// stop word: that one needs the owner's thread, as Allocate does. IterationBudget has no meaning here:
// OpenGL cannot count a kernel's iterations.
func (pl *pipeline) Start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	started := time.Now()
	b := pl.backend
	if err := b.alive("dispatch"); err != nil {
		return nil, err
	}
	launch, err := b.limits.Admit(pl.program, bindings, &cfg)
	if err != nil {
		return nil, err
	}
	exe, err := pl.executable(ctx, choice{
		workgroup: launch.Workgroup, ulpBudget: cfg.ULPBudget, stop: cfg.Timeout > 0,
		workers: cfg.PersistentThread == engine.PersistentForce,
		watch:   len(pl.program.Outside) > 0 && b.watches(pl.program),
	})
	if err != nil {
		return nil, err
	}
	defer pl.mu.RUnlock() // until the work is queued: Close queues behind it
	p := b.newPending(launch, &cfg, started)
	if err := p.prepare(ctx, pl, exe, bindings, &cfg); err != nil {
		p.letGo()
		return nil, err
	}
	if err := b.owner.Post(ctx, p.run); err != nil {
		err = typed(p.op(), err)
		if p.state.CompareAndSwap(stateQueued, stateHanded) {
			p.finish(err)
		}
		return nil, err
	}
	return p, nil
}

// prepare takes hold of every buffer that the dispatch needs.
func (p *pending) prepare(ctx context.Context, pl *pipeline, exe *executable, bindings []engine.Binding, cfg *engine.DispatchConfig) error {
	p.exe = exe
	p.grid = p.launch.Grid
	if cfg.PersistentThread == engine.PersistentForce {
		p.grid = p.backend.workers(&p.launch)
	}
	for _, bd := range bindings {
		if err := p.bind(bd.Index, bd.Buffer); err != nil {
			return err
		}
	}
	if cfg.Indirect.Buffer != nil {
		buf, err := p.take(cfg.Indirect.Buffer)
		if err != nil {
			return err
		}
		p.indirect, p.indirectAt = buf, cfg.Indirect.Offset*wordBytes
	}
	if at := exe.staged.Spill; at >= 0 {
		buf, err := pl.spillFor(ctx, exe, &p.launch)
		if err != nil {
			return err
		}
		if err := p.bind(uint32(at), buf); err != nil {
			return err
		}
	}
	if at := exe.staged.Control; at >= 0 {
		if err := p.bindControl(ctx, uint32(at)); err != nil {
			return err
		}
	}
	if at := exe.staged.Tickets; at >= 0 {
		if err := p.bindTickets(ctx, uint32(at)); err != nil {
			return err
		}
	}
	p.enter()
	return nil
}

// runOnThread hands the dispatch to the driver, on the owner's thread.
func (p *pending) runOnThread() {
	s := p.backend.gl
	if !p.state.CompareAndSwap(stateQueued, stateHanded) {
		return // timed out before its turn
	}
	if err := s.usable("dispatch"); err != nil {
		p.finish(err)
		return
	}
	p.begun = time.Now()
	p.issue(s)
	if err := s.launch(&p.flight); err != nil {
		p.landOnThread(typed(p.op(), err))
	}
}

// issue gives the driver all runs of all parts.
func (p *pending) issue(s *glState) {
	s.api.PushGroup(p.launch.Label) // for debuggers, which see groups of any context
	defer s.api.PopGroup()
	strict := s.api.Strict
	s.api.Strict = strict || p.profile == profileChecked
	defer func() { s.api.Strict = strict }()
	for _, b := range p.binds {
		s.api.BindStorage(b.index, b.handle)
	}
	if p.indirect != nil {
		s.api.BindIndirect(p.indirectHandle)
	}
	if p.tickets != nil {
		s.api.Clear(p.tickets.handle)
		s.api.Barrier()
	}
	if s.timer {
		p.query = s.api.BeginTimer()
	}
	for range p.launch.Runs {
		for _, part := range p.exe.parts {
			p.dispatch(s, part)
		}
		if p.stopped.Load() {
			break
		}
	}
	if p.query != 0 {
		s.api.EndTimer()
	}
}

func (p *pending) dispatch(s *glState, program *linkedProgram) {
	s.api.UseProgram(program.handle)
	program.calls.Use(&s.api)
	if p.indirect != nil {
		s.api.DispatchIndirect(p.indirectAt)
	} else {
		s.api.Dispatch(p.grid)
	}
	s.api.Barrier()
	if p.profile == engine.ProfileStress {
		s.api.Finish()
	}
}

// leastDeviceTime is below what any device needs for a dispatch. llvmpipe (Mesa 22.3) counts only
// drawing in elapsed-time queries, answers 1 ns for every dispatch and makes each 0.1 ms slower: that
// is not a measurement, so the first such answer ends the use of queries.
const leastDeviceTime = 100 * time.Nanosecond

// readTimer takes the device's time out of a query, where there is one.
func (s *glState) readTimer(query uint32) engine.Optional[time.Duration] {
	if query == 0 {
		return engine.Optional[time.Duration]{}
	}
	d := s.api.ReadTimer(query)
	if d < leastDeviceTime {
		s.timer = false
		return engine.Optional[time.Duration]{}
	}
	return engine.Known(d)
}
