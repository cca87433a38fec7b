// Package rig runs a workload on a backend, for the tests of workloads: it assembles the kernel,
// starts a session, runs, drains and closes.
package rig

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// Shape is how the kernel is launched; zero fields mean the defaults of packages kernel and resident.
type Shape struct {
	Workers, Lanes      int
	Slots, Inbox, Ended int // kernel.Config.Slots, InboxTasks, Completions

	Full bool // wait for the full kernel, for benchmarks and for tests that need it anyway, as each takes seconds to compile

	// Beside is called once the session has started, on a goroutine of its own, and is waited for
	// before the session is closed. Its context ends when the work has.
	Beside func(context.Context, *resident.Session)
}

// Outcome is what a run reports.
type Outcome struct {
	Verification workload.Verification
	Result       any
	Summary      resident.Summary
	Running      time.Duration // from the start of Workload.Run to its end; the kernel is compiled by then
}

// Run takes w through Setup, Run and Verify on b.
func Run(ctx context.Context, b engine.Backend, w workload.Workload, shape Shape) (out Outcome, err error) {
	setup, err := w.Setup(ctx)
	if err != nil {
		return Outcome{}, err
	}
	s, err := start(ctx, b, setup, shape)
	if err != nil {
		return Outcome{}, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	began := time.Now()
	if err := runBeside(ctx, s, w, shape.Beside); err != nil {
		return Outcome{}, err
	}
	out.Running = time.Since(began)
	if err := s.AwaitRest(ctx); err != nil {
		return Outcome{}, err
	}
	out.Summary = s.Summary()
	out.Verification, err = workload.Verify(ctx, w, ended(s))
	out.Result = w.Result()
	return out, err
}

// runBeside runs w while another function is busy with the session.
func runBeside(ctx context.Context, s *resident.Session, w workload.Workload, beside func(context.Context, *resident.Session)) error {
	if beside == nil {
		return runOn(ctx, s, w)
	}
	working, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { beside(working, s) })
	err := runOn(ctx, s, w)
	cancel()
	group.Wait()
	return err
}

func runOn(ctx context.Context, s *resident.Session, w workload.Workload) error {
	ctx, cancel := context.WithCancel(ctx)
	h := &host{Session: s, completions: make(chan []workload.Completion)}
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		h.collect(ctx)
	}()
	err := w.Run(ctx, h)
	cancel()
	<-collected
	return err
}

// Assemble builds the kernel that a workload asks for, of 8 lanes.
func Assemble(ctx context.Context, w workload.Workload) (*kernel.Kernel, error) {
	setup, err := w.Setup(ctx)
	if err != nil {
		return nil, err
	}
	return kernel.Assemble(config(setup, Shape{Lanes: 8}))
}

func config(setup *workload.Setup, shape Shape) kernel.Config {
	c := setup.Config()
	c.WorkgroupSize, c.Slots, c.InboxTasks, c.Completions = shape.Lanes, shape.Slots, shape.Inbox, shape.Ended
	return c
}

// start launches the kernel that a setup asks for.
func start(ctx context.Context, b engine.Backend, setup *workload.Setup, shape Shape) (*resident.Session, error) {
	if shape.Lanes == 0 {
		shape.Lanes = resident.DefaultWorkgroupSize(b.Profile())
	}
	c := config(setup, shape)
	c.Suit(b.Profile())
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, err
	}
	if k.Program.Tree == nil {
		return nil, fmt.Errorf("outside the kernel language: %w", k.Program.Outside)
	}
	o := resident.Options{Workers: shape.Workers, Activation: setup.Iterations, Log: megakernel.LogDebugf, Observables: setup.Observables, Pages: setup.Pages, NeedsFull: setup.HostDriven != ""}
	if shape.Full {
		o.Core = resident.CoreOff
	}
	for _, buf := range setup.Buffers {
		placement := engine.DeviceLocal
		if buf.HostVisible {
			placement = engine.HostVisible
		}
		o.Buffers = append(o.Buffers, resident.BufferInit{Name: buf.Name, Binding: buf.Binding, Words: buf.Words, Data: buf.Initial, Placement: placement})
	}
	return resident.Start(ctx, b, k, o)
}

// host is a session as a workload sees it.
type host struct {
	*resident.Session
	completions chan []workload.Completion
}

// Wrote implements workload.Host.
func (h *host) Wrote(string, int, int) {}

// Completions implements workload.Host.
func (h *host) Completions() <-chan []workload.Completion { return h.completions }

// Ended implements workload.Host.
func (h *host) Ended() workload.Tally { return ended(h.Session) }

func ended(s *resident.Session) workload.Tally {
	now := s.Summary()
	return workload.NewTally(now.Submitted+now.Counters[megakernel.CountSpawned], now.Counters[megakernel.CountDone], now.Counters[megakernel.CountFaulted])
}

// collect forwards completions until ctx is done or the session has ended.
func (h *host) collect(ctx context.Context) {
	var got []megakernel.Completion
	for {
		var err error
		if got, err = h.Collect(ctx, got[:0]); err != nil {
			if ctx.Err() == nil {
				close(h.completions)
			}
			return
		}
		batch := make([]workload.Completion, len(got))
		for i, c := range got {
			batch[i] = workload.Completion{TaskID: c.Task, State: c.State, Code: c.Code, Output: c.Output, Param: c.Param}
		}
		select {
		case h.completions <- batch:
		case <-ctx.Done():
			return
		}
	}
}
