package reference

import (
	"context"
	"sync/atomic"
	"time"

	"vyretop/engine"
)

// Dispatch is a dispatch under way; it implements engine.Pending.
type Dispatch struct {
	pipeline *Pipeline
	cfg      engine.DispatchConfig
	buffers  []*buffer
	before   <-chan struct{} // closed when the dispatch before has ended
	done     chan struct{}
	started  time.Time

	halt     atomic.Pointer[haltReason] // set to stop the dispatch
	halting  chan struct{}              // closed then
	debugger atomic.Pointer[Debugger]   // nil unless one is attached
	reporter reporter
	progress progress

	// Written before done is closed.
	timing engine.Timing
	trace  Trace
	err    error
}

var _ engine.Pending = (*Dispatch)(nil)

type haltReason struct {
	err error
	fix string
}

// progress counts while the dispatch runs.
type progress struct {
	ended        atomic.Uint64
	instructions atomic.Uint64
}

func newDispatch(p *Pipeline, buffers []*buffer, cfg engine.DispatchConfig) *Dispatch {
	if cfg.IterationBudget == 0 {
		cfg.IterationBudget = DefaultIterationBudget
	}
	return &Dispatch{
		pipeline: p, cfg: cfg, buffers: buffers, started: time.Now(),
		done: make(chan struct{}), halting: make(chan struct{}),
	}
}

// Done implements engine.Pending.
func (d *Dispatch) Done() <-chan struct{} { return d.done }

// Wait implements engine.Pending.
func (d *Dispatch) Wait(ctx context.Context) (engine.Timing, error) {
	select {
	case <-d.done:
		return d.timing, d.err
	case <-ctx.Done():
		return engine.Timing{}, context.Cause(ctx)
	}
}

// Cancel stops the dispatch at its next time slice. What it has written stays.
func (d *Dispatch) Cancel() { d.stop(ErrCanceled, "start the dispatch again to go on") }

func (d *Dispatch) stop(reason error, fix string) {
	if d.halt.CompareAndSwap(nil, &haltReason{reason, fix}) {
		close(d.halting)
	}
}

// Reports lists the undefined operations executed so far, at most one for each kind and place, in the
// order in which they first happened; dropped counts those at places beyond the 256th.
func (d *Dispatch) Reports() (list []Report, dropped uint64) { return d.reporter.reports() }

// Trace identifies the interleaving; it is complete when the dispatch is done.
func (d *Dispatch) Trace() Trace {
	<-d.done
	return d.trace
}

// Progress tells how many workgroups have ended, of how many, and how many instructions have run.
func (d *Dispatch) Progress() (ended, total, instructions uint64) {
	return d.progress.ended.Load(), d.total(), d.progress.instructions.Load()
}

func (d *Dispatch) total() uint64 {
	return uint64(d.cfg.Grid[0]) * uint64(d.cfg.Grid[1]) * uint64(d.cfg.Grid[2])
}

// run executes the dispatch when the one before has ended.
func (d *Dispatch) run(ctx context.Context) {
	defer close(d.done)
	defer d.releaseBuffers()
	<-d.before
	begin := time.Now()
	forget := context.AfterFunc(ctx, func() { d.stop(context.Cause(ctx), "use a context that lives longer") })
	defer forget()
	if d.cfg.Timeout > 0 {
		timer := time.AfterFunc(d.cfg.Timeout, func() { d.stop(ErrTimeout, "give the dispatch more time or less work") })
		defer timer.Stop()
	}
	d.err = d.execute()
	end := time.Now()
	d.timing = engine.Timing{Wall: engine.Known(end.Sub(d.started)), Device: engine.Known(end.Sub(begin))}
}

func (d *Dispatch) execute() error {
	s, err := d.pipeline.session(d.buffers)
	if err != nil {
		return dispatchFailed(d.cfg.Label, err, "bind buffers that the kernel can use")
	}
	defer d.pipeline.keep(s)
	if d.pipeline.backend.opts.Parallel > 0 {
		return d.runParallel(s)
	}
	return d.runDeterministic(s)
}

func (d *Dispatch) releaseBuffers() {
	for _, b := range d.buffers {
		b.release()
	}
}

// halted gives the error that ends the dispatch if it was told to stop.
func (d *Dispatch) halted() error {
	h := d.halt.Load()
	if h == nil {
		return nil
	}
	ended, total, n := d.Progress()
	return dispatchFailed(d.cfg.Label, &StopError{Reason: h.err, Ended: ended, Total: total, Instructions: n}, h.fix)
}
