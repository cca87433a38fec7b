//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine"
)

// launchPlan is everything the owner's thread needs for one dispatch.
type launchPlan struct {
	pending *pending
	program uint32
	binds   []bind
	grid    [3]uint32
}

type bind struct{ index, handle uint32 }

// Start implements engine.Pipeline. Dispatches run in the order of their Starts; one queued while
// another runs follows it without a gap where the device allows it. IterationBudget has no meaning here:
// OpenGL cannot count a kernel's iterations.
func (pl *pipeline) Start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	started := time.Now()
	if cfg.Label == "" {
		cfg.Label = pl.program.Name
	}
	op := fmt.Sprintf("dispatch %q", cfg.Label)
	b := pl.backend
	if err := b.limits.checkGrid(op, cfg.Grid); err != nil {
		return nil, err
	}
	if err := checkBindings(op, pl.program.Buffers, bindings); err != nil {
		return nil, err
	}
	pl.mu.RLock()
	defer pl.mu.RUnlock()
	if pl.handle == 0 {
		return nil, invalid(op, "the pipeline is closed", fixClosed)
	}
	p := newPending(b, op, cfg, started)
	plan := &launchPlan{pending: p, program: pl.handle, grid: cfg.Grid}
	if err := p.hold(op, bindings, plan); err != nil {
		return nil, err
	}
	if err := b.owner.Post(ctx, func() { plan.run(b.station) }); err != nil {
		p.finish(typed(op, err))
		return nil, typed(op, err)
	}
	return p, nil
}

// run hands the dispatch to the driver, on the owner's thread.
func (l *launchPlan) run(s *station) {
	p := l.pending
	if err := s.usable(p.op); err != nil {
		p.finish(err)
		return
	}
	begin := time.Now()
	p.handed.Store(true)
	query, err := l.issue(s, func(query uint32, err error) { p.land(s, query, err) })
	p.enqueue = time.Since(begin)
	p.waitFrom = begin.Add(p.enqueue)
	if err != nil {
		p.land(s, query, err)
	}
}

func (l *launchPlan) issue(s *station, land func(query uint32, err error)) (query uint32, err error) {
	op := l.pending.op
	if s.debug {
		s.api.PushGroup(op)
		defer s.api.PopGroup()
	}
	s.api.UseProgram(l.program)
	for _, b := range l.binds {
		s.api.BindStorage(b.index, b.handle)
	}
	if s.timer {
		query = s.api.BeginTimer()
	}
	s.api.Dispatch(l.grid)
	if query != 0 {
		s.api.EndTimer()
	}
	s.api.Barrier()
	return query, s.launch(op, func(err error) { land(query, err) })
}

// leastDeviceTime is below what any device needs for a dispatch. llvmpipe (Mesa 22.3) counts only
// drawing in elapsed-time queries, answers 1 ns for every dispatch and makes each 0.1 ms slower: that
// is not a measurement, so the first such answer ends the use of queries.
const leastDeviceTime = 100 * time.Nanosecond

// readTimer takes the device's time out of a query, where there is one.
func (s *station) readTimer(query uint32) engine.Optional[time.Duration] {
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
