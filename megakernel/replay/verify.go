package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
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
	Buffers     []BufferResult
	Elapsed     time.Duration // of executing it again, without compiling
}

// Counts are how many tasks ended in each way.
type Counts struct {
	Done, Faulted                 uint64
	RecordedDone, RecordedFaulted uint64
}

// Equal reports whether nothing that was compared differs.
func (r *Result) Equal() bool {
	for i := range r.Buffers {
		if r.Buffers[i].Different > 0 {
			return false
		}
	}
	return len(r.Faults) == 0 && (r.AnySpawns || r.Tasks.Done == r.Tasks.RecordedDone) && r.Tasks.Faulted == r.Tasks.RecordedFaulted
}

// Verify executes the run of a recording again and compares how it ends. The backend stays the caller's. Errors are
// ErrNotExecutable where the recording does not have what is needed, and those of the backend.
func Verify(ctx context.Context, name string, rec *fixtures.Recording, b engine.Backend) (*Result, error) {
	p, err := newPlan(name, rec)
	if err != nil {
		return nil, err
	}
	s, err := p.start(ctx, b)
	if err != nil {
		return nil, err
	}
	id := b.Identity()
	r := &Result{Workload: p.header.Target.Workload, Backend: id.Name, Renderer: id.Renderer, Recorded: p.header.Target.Renderer, Published: p.tasks, AnySpawns: p.header.Start.UnorderedSpawns, OtherKernel: !p.sameKernel}
	began := time.Now()
	err = p.execute(ctx, s)
	r.Elapsed = time.Since(began)
	if err == nil {
		err = p.compare(ctx, rec, s, r)
	}
	return r, errors.Join(err, s.Close())
}

// sliceTime is the longest slice: rest is seen between two slices.
const sliceTime = 10 * time.Millisecond

// start launches a target as the recorded one began.
func (p *plan) start(ctx context.Context, b engine.Backend) (*resident.Session, error) {
	c, profile := p.config, b.Profile()
	c.WorkgroupSize, c.Breaks, c.Core, c.Hot, c.IndexChecks = resident.DefaultWorkgroupSize(profile), false, false, nil, false
	c.Suit(profile)
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	start := p.header.Start
	o := resident.Options{Label: "replay of " + p.header.Target.Workload, Activation: start.Activation, Observables: start.Observables, Log: resident.NoLog, SliceTime: sliceTime}
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

// execute gives the target its inputs in order and waits for its end.
func (p *plan) execute(ctx context.Context, s *resident.Session) error {
	ctx, cancel := context.WithCancelCause(ctx)
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		collect(ctx, cancel, s)
	}()
	defer func() {
		cancel(errExecuted)
		<-collected
	}()
	for _, in := range p.inputs {
		if err := give(ctx, s, in); err != nil {
			return errors.Join(context.Cause(ctx), err)
		}
	}
	return errors.Join(s.Drain(ctx), context.Cause(ctx))
}

// errExecuted ends the collection of completions.
var errExecuted = errors.New("the run was executed")

// collect takes completions, which would hold up the target otherwise.
func collect(ctx context.Context, fail context.CancelCauseFunc, s *resident.Session) {
	var batch []megakernel.Completion
	for {
		var err error
		if batch, err = s.Collect(ctx, batch[:0]); err != nil {
			fail(err) // no effect after the end
			return
		}
	}
}

// give hands an input over. An epoch is advanced when the target has nothing left to do without it.
func give(ctx context.Context, s *resident.Session, in input) error {
	if in.tasks != nil {
		return s.Publish(ctx, in.tasks)
	}
	for range in.epochs {
		if err := s.AwaitRest(ctx); err != nil {
			return err
		}
		if err := s.AdvanceEpoch(ctx); err != nil {
			return err
		}
	}
	return nil
}
