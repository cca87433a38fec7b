package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// Result compares a run with its recording.
type Result struct {
	Workload    string
	Backend     string            // that executed it again,
	Renderer    string            // on this device
	Recorded    string            // renderer of the recorded run
	Published   int               // tasks
	Tasks       Counts            // that ended, spawned ones included
	AnySpawns   bool              // the number of spawned tasks depends on the order in which tasks ran, and is not compared
	OtherKernel bool              // the kernel of this program is not the recorded one; the handlers are
	Faults      []FaultDifference // of published tasks, at most maxFaults
	Results     Results
	Buffers     []BufferResult
	Divergence  *Divergence   // the first one; nil until Locate has found it
	Elapsed     time.Duration // of executing it again, without compiling
	Epochs      int           // in which buffers were compared, beside the end
	Stopped     *Stop         // where the run was not executed to its end, because it differs; nil where it was

	differ []place // what differs, at most maxPlaces
}

// Counts are how many tasks ended in each way.
type Counts struct {
	Done            uint64 `json:"done"`
	RecordedDone    uint64 `json:"recorded_done"`
	Faulted         uint64 `json:"faulted"`
	RecordedFaulted uint64 `json:"recorded_faulted"`
}

// Equal reports whether nothing that was compared differs.
func (r *Result) Equal() bool {
	for i := range r.Buffers {
		if r.Buffers[i].Different > 0 {
			return false
		}
	}
	return r.Stopped == nil && r.Results.Different == 0 && len(r.Faults) == 0 && (r.AnySpawns || r.Tasks.Done == r.Tasks.RecordedDone) && r.Tasks.Faulted == r.Tasks.RecordedFaulted
}

// Verify executes the run of a recording again and compares how it ends. The backend stays the caller's. Errors are
// ErrNotExecutable where the recording does not have what is needed, and those of the backend.
func Verify(ctx context.Context, name string, rec *fixtures.Recording, b engine.Backend) (*Result, error) {
	p, err := newWholePlan(name, rec)
	if err != nil {
		return nil, err
	}
	s, err := p.start(ctx, b, p.shape())
	if err != nil {
		return nil, err
	}
	id := b.Identity()
	r := &Result{Workload: p.header.Target.Workload, Backend: id.Name, Renderer: id.Renderer, Recorded: p.header.Target.Renderer, Published: p.tasks, AnySpawns: p.header.Start.UnorderedSpawns, OtherKernel: !p.sameKernel}
	began := time.Now()
	recorded := recordedResults(rec)
	early := newEarly(p, rec, recorded)
	p.early = early
	ended, err := p.execute(ctx, s)
	r.Elapsed, r.Epochs = time.Since(began), early.compared
	switch {
	case errors.Is(err, errDiverged):
		err = nil
		early.tell(r, false)
	case ctx.Err() != nil:
		err = interrupted(p, ended)
	case err == nil:
		r.compareResults(p, recorded, ended)
		if err = p.compare(ctx, rec, s, r); err == nil {
			early.tell(r, true)
		}
	}
	return r, errors.Join(err, s.Close())
}

// interrupted says how much of a run was not executed.
func interrupted(p *plan, ended *results) error {
	return &fault.Error{
		Kind: ErrInterrupted, Subject: p.name, Fix: "verify it again, and let it come to its end",
		Detail: fmt.Sprintf("interrupted: %d of %s had ended, none otherwise than recorded; the rest was not executed, and no buffer was compared with the end of the recording", ended.count(), units.Plural(p.tasks, "published task")),
	}
}

// ErrInterrupted is matched by the error of a verification that was ended before its time.
const ErrInterrupted fault.Kind = "the verification was interrupted"

// sliceTime is the longest slice: rest is seen between two slices.
const sliceTime = 10 * time.Millisecond

// Where a slice ends, tasks that have yielded and tasks that wait to be taken change places. For activations in an order that follows from
// the inputs alone, slices end by their iterations and never by the clock. Workers without tasks run to the end of the slice, so a long one
// takes most of the time of a short run.
const (
	endlessSlice    = time.Hour
	sliceIterations = 1 << 12
)

// shape is that of a target that executes a run again.
type shape struct {
	workers, lanes int  // 0: what suits the backend
	single         bool // each activation of a task that yields passes through vt_begin, as package activations needs it
}

func (p *plan) shape() shape {
	return shape{workers: p.header.Start.Workers, lanes: p.header.Start.Lanes}
}

// start launches a target as the recorded one began.
func (p *plan) start(ctx context.Context, b engine.Backend, as shape) (*resident.Session, error) {
	c, profile := p.config, b.Profile()
	c.WorkgroupSize, c.Holds, c.Core, c.Hot, c.IndexChecks = resident.DefaultWorkgroupSize(profile), kernel.Holds{}, false, nil, false
	if as.lanes > 0 {
		c.WorkgroupSize = as.lanes
	}
	c.Suit(profile)
	k, err := p.kernels.assemble(c)
	if err == nil {
		b, err = p.later.on(b, c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	start := p.header.Start
	o := resident.Options{Label: "replay of " + p.header.Target.Workload, Activation: start.Activation, Observables: start.Observables, Log: resident.NoLog, SliceTime: sliceTime, Workers: as.workers}
	if p.pages != nil {
		o.Pages = &ioservice.Pages{List: start.Pages.List, Frames: start.Pages.Frames, Bytes: start.Pages.Bytes, Source: p.pages}
	}
	o.First, _ = p.first()
	if as.single {
		o.Burst, o.Core, o.SliceTime, o.Iterations = 1, resident.CoreOff, endlessSlice, sliceIterations
	}
	for i, buffer := range start.Buffers {
		o.Buffers = append(o.Buffers, resident.BufferInit{Name: buffer.Name, Binding: buffer.Binding, Words: buffer.Words, Data: p.initial[i], Placement: placement(&buffer)})
	}
	return resident.Start(ctx, b, k, o)
}

func placement(b *fixtures.StartBuffer) engine.Placement {
	if b.HostVisible {
		return engine.HostVisible
	}
	return engine.DeviceLocal
}

// execute gives the target its inputs in order, waits for its end and returns how its tasks ended; with an error, how those that had ended did.
func (p *plan) execute(ctx context.Context, s *resident.Session) (*results, error) {
	ended := newResults()
	if err := p.work(ctx, s, ended); err != nil {
		return ended, err
	}
	for _, c := range s.Poll(nil) {
		ended.add(c)
	}
	return ended, nil
}

func (p *plan) work(ctx context.Context, s *resident.Session, ended *results) error {
	ctx, cancel := context.WithCancelCause(ctx)
	if p.early != nil {
		p.early.fail = cancel
	}
	var beside sync.WaitGroup
	beside.Go(func() { collect(ctx, p.early, cancel, s, ended) })
	beside.Go(func() { p.watch(ctx, cancel, s) })
	defer func() {
		cancel(errExecuted)
		beside.Wait()
	}()
	_, given := p.first()
	for _, in := range p.inputs[given:] {
		if err := p.give(ctx, s, in); err != nil {
			return because(ctx, err)
		}
	}
	return because(ctx, s.Drain(ctx))
}

// because is an error with why the run was ended. Where it does not end, what waited for it is not worth a word.
func because(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, ErrNotExecutable) || errors.Is(cause, errDiverged) {
		return cause
	}
	return errors.Join(err, cause)
}

// first is what the host gave before the first epoch, and the number of inputs that it is. It is published before the run begins, so that the
// order of tasks on the reference follows from the seed alone. What does not fit into the inbox is published while the run goes.
func (p *plan) first() (list []tasks.Task, given int) {
	most := cmp.Or(p.config.InboxTasks, kernel.DefaultInboxTasks)
	for _, in := range p.inputs {
		if in.tasks == nil || len(list)+len(in.tasks) > most {
			break
		}
		list, given = append(list, in.tasks...), given+1
	}
	return list, given
}

// errExecuted ends the collection of completions.
var errExecuted = errors.New("the run was executed")

// collect takes completions, which would hold up the target otherwise.
func collect(ctx context.Context, e *early, fail context.CancelCauseFunc, s *resident.Session, ended *results) {
	var batch []megakernel.Completion
	for {
		var err error
		if batch, err = s.Collect(ctx, batch[:0]); err != nil {
			fail(err) // no effect after the end
			return
		}
		for _, c := range batch {
			ended.add(c)
			e.result(c)
		}
	}
}

// give hands an input over. An epoch is advanced when the target has nothing left to do without it.
func (p *plan) give(ctx context.Context, s *resident.Session, in input) error {
	if in.reload != nil {
		return reload(ctx, p, s, in.reload)
	}
	if in.tasks != nil {
		return s.Publish(ctx, in.tasks)
	}
	if in.write != nil {
		return write(ctx, s, in.write)
	}
	for range in.epochs {
		if err := s.AwaitRest(ctx); err != nil {
			return err
		}
		if p.advances != nil {
			p.advances()
		}
		if err := p.early.epoch(ctx, s); err != nil {
			return err
		}
		if err := s.AdvanceEpoch(ctx); err != nil {
			return err
		}
	}
	return nil
}
