package reference

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// Dispatch is a dispatch under way; it implements engine.Pending.
type Dispatch struct {
	pipeline *Pipeline
	cfg      engine.DispatchConfig
	launch   engine.Launch
	buffers  []*buffer
	held     []*buffer       // buffers, and that of the indirect grid
	indirect *buffer         // nil unless the grid comes from memory
	before   <-chan struct{} // closed when the dispatches before have ended
	turn     chan struct{}   // closed when this one has, too
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
	total        atomic.Uint64 // workgroups of all runs; 0 while an indirect grid is unknown
	instructions atomic.Uint64
}

// newDispatch binds the buffers; when it fails none of them is held.
func newDispatch(p *Pipeline, op string, bindings []engine.Binding, cfg engine.DispatchConfig, launch engine.Launch) (*Dispatch, error) {
	if cfg.IterationBudget == 0 {
		cfg.IterationBudget = DefaultIterationBudget
	}
	cfg.Label = launch.Label
	d := &Dispatch{
		pipeline: p, cfg: cfg, launch: launch, started: time.Now(),
		turn: make(chan struct{}), done: make(chan struct{}), halting: make(chan struct{}),
		reporter: reporter{vars: p.lowered.Vars, watcher: p.backend.opts.Watcher},
	}
	d.progress.total.Store(uint64(launch.Runs) * launch.Workgroups())
	return d, d.bind(op, bindings)
}

// Done implements engine.Pending.
func (d *Dispatch) Done() <-chan struct{} { return d.done }

// Wait implements engine.Pending.
func (d *Dispatch) Wait(ctx context.Context) (engine.Timing, error) {
	select {
	case <-d.done:
		return d.timing, d.err
	case <-ctx.Done():
		return engine.Timing{}, givenUp(fmt.Sprintf("wait for %q", d.cfg.Label), ctx)
	}
}

// Cancel stops the dispatch at its next time slice. What it has written stays.
func (d *Dispatch) Cancel() { d.stop(engine.ErrCanceled, "start the dispatch again to continue") }

func (d *Dispatch) stop(reason error, fix string) {
	if d.halt.CompareAndSwap(nil, &haltReason{reason, fix}) {
		close(d.halting)
	}
}

// Reports lists the undefined operations executed so far, at most one for each kind and place, in the
// order in which they first happened; dropped counts those at places beyond the 256th.
func (d *Dispatch) Reports() (list []Report, dropped uint64) { return d.reporter.reports() }

// Undefined implements engine.UndefinedReporter.
func (d *Dispatch) Undefined() []engine.Undefined {
	list, _ := d.Reports()
	out := make([]engine.Undefined, len(list))
	for i, r := range list {
		at := &engine.UndefinedAt{Workgroup: int(r.Workgroup[0]), Lane: r.Lane, Index: r.Index, Len: r.Len, Structs: r.Structs}
		if len(r.Stack) > 0 {
			at.Function = r.Stack[0].Func
		}
		out[i] = engine.Undefined{Pos: r.Pos, What: r.Kind.String(), Times: r.Count, First: at}
	}
	return out
}

// Trace identifies the interleaving; it is complete when the dispatch is done.
func (d *Dispatch) Trace() Trace {
	<-d.done
	return d.trace
}

// Progress tells how many workgroups have ended, of how many, and how many instructions have run; all
// runs of the program count.
func (d *Dispatch) Progress() (ended, total, instructions uint64) {
	return d.progress.ended.Load(), d.progress.total.Load(), d.progress.instructions.Load()
}

// run executes the dispatch when those before have ended. One that is stopped while it waits is done at
// once, but those behind it wait on.
func (d *Dispatch) run(ctx context.Context) {
	defer close(d.turn)
	forget := context.AfterFunc(ctx, func() { d.stop(context.Cause(ctx), "use a context that lives longer") })
	defer forget()
	if d.cfg.Timeout > 0 {
		timer := time.AfterFunc(d.cfg.Timeout, func() { d.stop(engine.ErrTimeout, "give the dispatch more time or less work") })
		defer timer.Stop()
	}
	select {
	case <-d.before:
		begin := time.Now()
		d.finish(d.execute(), begin)
	case <-d.halting:
		d.finish(d.halted(), time.Time{})
		<-d.before
	}
}

func (d *Dispatch) finish(err error, begin time.Time) {
	d.err = err
	end := time.Now()
	d.timing.Wall = engine.Known(end.Sub(d.started))
	if !begin.IsZero() {
		d.timing.Device = engine.Known(end.Sub(begin))
	}
	d.releaseBuffers()
	d.pipeline.backend.ended(d)
	close(d.done)
}

func (d *Dispatch) execute() error {
	if err := d.readGrid(); err != nil {
		return err
	}
	s, err := d.pipeline.session(d.buffers)
	if err != nil {
		return dispatchFailed(d.cfg.Label, err, "bind buffers that the kernel can use")
	}
	defer d.pipeline.keep(s)
	if w := d.pipeline.backend.opts.Watcher; w != nil {
		defer w.End()
	}
	run := d.runDeterministic
	if d.pipeline.backend.opts.Parallel > 0 {
		run = d.runParallel
	}
	for range d.launch.Runs {
		if err := run(s); err != nil {
			return err
		}
	}
	if list, _ := d.Reports(); len(list) > 0 && d.cfg.Profile == profileChecked {
		return dispatchFailed(d.cfg.Label, &fault.Error{Kind: ErrUndefined, Detail: fmt.Sprintf("%s; %d places in all", list[0], len(list))}, "keep indexes in range and divisors from 0, or use another profile")
	}
	return nil
}

// timeSlice is the average number of instructions that a workgroup runs at a time.
func (d *Dispatch) timeSlice() int {
	if d.cfg.Profile == engine.ProfileStress {
		return 1
	}
	return d.pipeline.backend.opts.TimeSlice
}

// readGrid takes an indirect grid from memory, where earlier dispatches may have put it.
func (d *Dispatch) readGrid() error {
	if d.indirect == nil {
		return nil
	}
	d.indirect.words.CopyTo(d.launch.Grid[:], d.cfg.Indirect.Offset)
	for axis, n := range d.launch.Grid {
		if n > maxGrid[axis] {
			return dispatchFailed(d.cfg.Label, fmt.Errorf("the indirect grid is %s", units.Extent(d.launch.Grid)), fmt.Sprintf("write at most %s into the buffer", units.Extent(maxGrid)))
		}
	}
	d.progress.total.Store(uint64(d.launch.Runs) * d.launch.Workgroups())
	return nil
}

// together is how many workgroups are under way at once: all that wait for each other or are to have a workgroup of
// their own, else the resident ones, which take the others as they end.
func (d *Dispatch) together() int {
	if d.cfg.Cooperative || d.cfg.PersistentThread == engine.PersistentDisable {
		return maxTogether
	}
	return d.pipeline.backend.opts.Resident
}

func (d *Dispatch) releaseBuffers() {
	for _, b := range d.held {
		b.release()
	}
}

// halted gives the error that ends the dispatch if it was told to stop.
func (d *Dispatch) halted() error {
	h := d.halt.Load()
	if h == nil {
		return nil
	}
	if errors.Is(h.err, engine.ErrDeviceLost) {
		return lostDispatch(d.cfg.Label)
	}
	ended, total, n := d.Progress()
	return dispatchFailed(d.cfg.Label, &engine.StopError{Reason: h.err, Ended: ended, Total: total, Instructions: engine.Known(n)}, h.fix)
}
