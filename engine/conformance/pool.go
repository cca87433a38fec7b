package conformance

import (
	"context"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"vyretop/engine/fault"
)

// patience is how long a worker may take to start, or for one case: they take a tenth of a second, or some seconds of a driver's compiler, which
// on a busy host are minutes.
const patience = 4 * time.Minute

// ErrWorker is matched by the error of a worker that could not be started or used.
const ErrWorker fault.Kind = "a worker process cannot be used"

// Pool keeps worker processes. It may be used by any number of goroutines; more than there are
// workers wait.
type Pool struct {
	command func(ctx context.Context) *exec.Cmd
	slots   chan *process // one entry for each worker; nil: not running
	stop    sync.Once
}

// NewPool makes a pool of at most n workers. Each is started by command when it is first needed, and
// again after it died.
func NewPool(n int, command func(ctx context.Context) *exec.Cmd) *Pool {
	p := &Pool{command: command, slots: make(chan *process, n)}
	for range n {
		p.slots <- nil
	}
	return p
}

// Run compares the backends in one case, on the next worker that is free. A worker that dies of it,
// or does not answer, is a difference. An error matches conformance.ErrCase or ErrWorker, or is that of
// a ctx that ended.
func (p *Pool) Run(ctx context.Context, c *Case) (*Difference, error) {
	var w *process
	select {
	case w = <-p.slots:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { p.slots <- w }()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if w == nil {
		var err error
		if w, err = start(ctx, p.command); err != nil {
			return nil, err
		}
	}
	r, err := w.ask(ctx, c)
	if err != nil {
		reason := w.end()
		w = nil
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return &Difference{What: fmt.Sprintf("the process with the driver ended: %s", reason)}, nil
	}
	return r.Difference, r.failure()
}

// Close ends all workers; it waits for running cases.
func (p *Pool) Close() error {
	p.stop.Do(func() {
		for range cap(p.slots) {
			if w := <-p.slots; w != nil {
				w.end()
			}
		}
	})
	return nil
}

// failure is what a worker told of one, or nil.
func (r *reply) failure() error {
	switch {
	case r.Error == "":
		return nil
	case r.Case:
		return &fault.Error{Kind: ErrCase, Detail: r.Error}
	}
	return &fault.Error{Kind: ErrWorker, Detail: r.Error}
}
