//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"vyretop/engine"
)

// pending implements engine.Pending. The fields below done are written before done is closed and
// read after.
type pending struct {
	backend *Backend
	op      string
	started time.Time
	timeout time.Duration
	timer   *time.Timer   // nil without a timeout
	expired chan struct{} // closed when the timeout has passed; nil without one
	handed  atomic.Bool   // the driver has it
	held    []*buffer

	done     chan struct{}
	err      error
	timing   engine.Timing
	enqueue  time.Duration
	waitFrom time.Time
}

func newPending(b *Backend, op string, cfg engine.DispatchConfig, started time.Time) *pending {
	p := &pending{backend: b, op: op, started: started, timeout: cfg.Timeout, done: make(chan struct{})}
	if cfg.Timeout > 0 {
		p.expired = make(chan struct{})
	}
	return p
}

// hold marks the bound buffers as in use, so that they cannot be freed, and enters the dispatch
// into the backend's list. When it fails nothing is held.
func (p *pending) hold(op string, bindings []engine.Binding, plan *launchPlan) error {
	b := p.backend
	for _, bd := range bindings {
		buf, ok := bd.Buffer.(*buffer)
		if !ok || buf.backend != b {
			p.letGo()
			return invalid(op, fmt.Sprintf("buffer %q belongs to another backend", bd.Buffer.Name()), "allocate it on this backend")
		}
		h, err := buf.hold(op)
		if err != nil {
			p.letGo()
			return err
		}
		p.held = append(p.held, buf)
		plan.binds = append(plan.binds, bind{bd.Index, h})
	}
	b.mu.Lock()
	b.outstanding[p] = struct{}{}
	b.mu.Unlock()
	if p.expired != nil {
		p.timer = time.AfterFunc(p.timeout, func() { close(p.expired) })
	}
	return nil
}

func (buf *buffer) hold(op string) (uint32, error) {
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	h, err := buf.live(op)
	if err != nil {
		return 0, err
	}
	buf.backend.mu.Lock()
	buf.uses++
	buf.backend.mu.Unlock()
	return h, nil
}

func (p *pending) letGo() {
	p.backend.mu.Lock()
	defer p.backend.mu.Unlock()
	for _, buf := range p.held {
		buf.uses--
	}
	delete(p.backend.outstanding, p)
}

// land ends a dispatch that the driver had, on the owner's thread.
func (p *pending) land(s *station, query uint32, err error) {
	now := time.Now()
	device := s.readTimer(query)
	if err == nil {
		p.timing = engine.Timing{
			Wall:    engine.Known(now.Sub(p.started)),
			Enqueue: engine.Known(p.enqueue),
			Wait:    engine.Known(now.Sub(p.waitFrom)),
			Device:  device,
		}
	}
	p.finish(err)
}

// finish ends the dispatch, once.
func (p *pending) finish(err error) {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.letGo()
	p.err = err
	close(p.done)
}

// Done implements engine.Pending.
func (p *pending) Done() <-chan struct{} { return p.done }

// Wait implements engine.Pending. When the dispatch outlasts its timeout, Wait says so, while the
// kernel goes on: OpenGL cannot end one. A later Wait, after Done, returns how it ended.
func (p *pending) Wait(ctx context.Context) (engine.Timing, error) {
	select {
	case <-p.done:
		return p.timing, p.err
	default:
	}
	select {
	case <-p.done:
		return p.timing, p.err
	case <-p.expired:
		return engine.Timing{}, p.late()
	case <-ctx.Done():
		return engine.Timing{}, p.givenUp(ctx)
	}
}

// wait is Wait without the timeout.
func (p *pending) wait(ctx context.Context) (engine.Timing, error) {
	select {
	case <-p.done:
		return p.timing, p.err
	case <-ctx.Done():
		return engine.Timing{}, p.givenUp(ctx)
	}
}

func (p *pending) late() error {
	return fail(engine.CodeDispatchFailed, p.op,
		fmt.Sprintf("not ended after its timeout of %v; it is %s, and goes on: OpenGL cannot end a kernel", p.timeout, p.stage()),
		"make the kernel look for a stop word and set it, or raise the timeout")
}

func (p *pending) givenUp(ctx context.Context) error {
	e := fail(engine.CodeDispatchFailed, p.op,
		fmt.Sprintf("not waited for any longer after %v; it is %s and goes on", time.Since(p.started).Round(time.Microsecond), p.stage()),
		"wait longer, or make the kernel end sooner")
	e.Err = context.Cause(ctx)
	return e
}

// stage says how far the dispatch got.
func (p *pending) stage() string {
	if p.handed.Load() {
		return "with the driver"
	}
	return "queued behind earlier work"
}
