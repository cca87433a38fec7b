package taskcheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"vyretop/engine/check"
	"vyretop/engine/reference"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// Config says what to check, and how.
type Config struct {
	Definition workload.Definition
	Values     map[string]string // flags of the workload
	Seed       uint64            // of the order of workers
	Workers    int               // 0: Workers
	Lanes      int               // of a worker; 0: Lanes
	For        time.Duration     // at most; 0: to the end
	most       int               // tasks that are followed; 0: mostTasks
}

// mostTasks bounds the memory of a run: tasks beyond it are not followed.
const mostTasks = 1 << 20

// The shape of a checked run: small, so that tasks run side by side and the interpreter has little to wait for.
const (
	Workers = 4
	Lanes   = 8
)

// Result is what a checked run has come to.
type Result struct {
	check.Report
	Started  bool   // tasks could run
	Ended    bool   // the work ran to its end
	Stalled  string // why it could not; "" where it could
	Verified bool   // and its result is right
	Detail   string // of the verification

	worked time.Duration // the work alone
}

// Run runs a workload under the checkers. Where ctx ends, the time is over, or the target fails, the result has what was found
// so far; the error says why, but for the time.
func Run(ctx context.Context, c Config) (Result, error) {
	return c.start(ctx, func(o *reference.Options, m *check.Monitor) { o.Watcher = m })
}

// start runs a workload on a backend that watch has the monitor attached to.
func (c *Config) start(ctx context.Context, watch func(o *reference.Options, m *check.Monitor)) (Result, error) {
	w, err := c.Definition.New(c.Values)
	if err != nil {
		return Result{}, err
	}
	m := newModel(!c.generic(), c.most)
	o := reference.Options{Seed: c.Seed, Resident: max(c.Workers, Workers)}
	watch(&o, m.monitor)
	b, err := reference.Open(o)
	if err != nil {
		return Result{}, err
	}
	result, err := c.run(ctx, m, &orderedWorkload{w, m.host}, b)
	if closed := b.Close(); err == nil {
		err = closed
	}
	return result, err
}

func (c *Config) run(ctx context.Context, m *model, w workload.Workload, b *reference.Backend) (Result, error) {
	setup, err := w.Setup(ctx)
	if err != nil {
		return Result{}, err
	}
	m.handlers = namesOf(setup)
	result, err := c.work(ctx, prepared{w, setup}, b)
	if !result.Started {
		return result, err
	}
	report, followed := m.monitor.Report()
	result.Report = report
	if kernel := (*reference.KernelError)(nil); errors.As(err, &kernel) {
		return result, followed // it is among the findings
	}
	return result, errors.Join(followed, err)
}

// work runs a workload that has been set up to its end, or for its time.
func (c *Config) work(ctx context.Context, w workload.Workload, b *reference.Backend) (Result, error) {
	r, err := run.Start(ctx, run.Config{
		Workload: w, Backend: b, WorkgroupSize: or(c.Lanes, Lanes),
		Want: policy.Config{Workers: uint32(or(c.Workers, Workers)), MaxWallTime: c.For},
	})
	if err != nil {
		return Result{}, err
	}
	began := time.Now()
	working, stop := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	if c.generic() {
		beside.Go(func() { watchStall(working, r, stop) })
	}
	worked := r.Work(working)
	stop(nil)
	beside.Wait()
	if worked == nil { // tasks that handlers have spawned may run on, without end
		worked = c.rest(ctx, r, time.Since(began))
	}
	outcome, finished := r.Finish(context.WithoutCancel(ctx), worked == nil)
	closed := r.Close()
	result := Result{Started: true, Ended: worked == nil, Stalled: stalledBy(working), Verified: outcome.Verification.OK, Detail: outcome.Verification.Detail, worked: r.Worked()}
	if result.Stalled != "" || errors.Is(worked, context.DeadlineExceeded) && ctx.Err() == nil {
		worked = nil
	}
	return result, errors.Join(worked, finished, closed)
}

// rest waits until the target has nothing left to do, for what is left of the time.
func (c *Config) rest(ctx context.Context, r *run.Run, spent time.Duration) error {
	if c.For > 0 {
		limited, cancel := context.WithTimeout(ctx, max(c.For-spent, 0))
		defer cancel()
		ctx = limited
	}
	err := r.AwaitRest(ctx)
	return cmp.Or(ctx.Err(), err)
}

// generic reports whether the host only publishes tasks, and does nothing for them afterwards.
func (c *Config) generic() bool {
	_, ok := c.Definition.(workload.Generic)
	return ok
}

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// namesOf gives the name of each opcode's handler.
func namesOf(s *workload.Setup) func(opcode uint32) string {
	names := map[uint32]string{}
	for _, h := range s.Handlers {
		names[h.Opcode] = h.Name
	}
	return func(opcode uint32) string {
		if name, ok := names[opcode]; ok {
			return name
		}
		return fmt.Sprintf("opcode %d", opcode)
	}
}

// prepared is a workload that has been set up.
type prepared struct {
	workload.Workload
	setup *workload.Setup
}

// Setup implements workload.Workload.
func (p prepared) Setup(context.Context) (*workload.Setup, error) { return p.setup, nil }
