//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine"
)

// The states of a dispatch.
const (
	stateQueued int32 = iota
	stateHanded       // to the driver
	stateEnding       // its buffers are being let go
	stateEnded
)

// pending implements engine.Pending and engine.Recycler. Its slices, its channel and the functions that
// it gives to the thread live on when it is used again, so that a dispatch allocates nothing.
type pending struct {
	backend *Backend
	run     func() // runOnThread
	flight  flight

	launch  engine.Launch
	grid    [3]uint32 // what the device is given: that of the launch, or a row of workers
	profile string
	timeout time.Duration
	timer   *time.Timer // nil without a timeout
	exe     *executable
	held    []*buffer
	binds   []bind
	control *buffer // nil without a timeout and without workers
	tickets *buffer // nil without workers

	indirect       *buffer // nil unless the grid comes from memory
	indirectHandle uint32
	indirectAt     int // in bytes

	started time.Time
	begun   time.Time // when the driver got it
	query   uint32
	state   atomic.Int32
	stopped atomic.Bool   // the timeout has passed
	wake    chan struct{} // holds one token once the dispatch has ended

	mu     sync.Mutex
	done   chan struct{} // nil until somebody asks for it
	err    error
	timing engine.Timing
}

var _ engine.Recycler = (*pending)(nil)

// newPending takes one that has been recycled, or makes one.
func (b *Backend) newPending(launch engine.Launch, cfg *engine.DispatchConfig, started time.Time) *pending {
	b.mu.Lock()
	var p *pending
	if n := len(b.idle); n > 0 {
		p = b.idle[n-1]
		b.idle = b.idle[:n-1]
	}
	b.mu.Unlock()
	if p == nil {
		p = &pending{backend: b, wake: make(chan struct{}, 1)}
		p.run = p.runOnThread
		p.flight.settle = p.landOnThread
	}
	p.launch, p.profile, p.timeout, p.started = launch, cfg.Profile, cfg.Timeout, started
	return p
}

// maxIdlePending bounds the pendings kept for further use.
const maxIdlePending = 64

// Recycle implements engine.Recycler.
func (p *pending) Recycle() {
	if p.state.Load() != stateEnded || p.timeout > 0 { // a timeout may fire late
		return
	}
	<-p.wake
	p.launch, p.exe, p.control, p.tickets, p.indirect = engine.Launch{}, nil, nil, nil, nil
	p.held, p.binds = p.held[:0], p.binds[:0]
	p.done, p.err, p.timing, p.query = nil, nil, engine.Timing{}, 0
	p.state.Store(stateQueued)
	b := p.backend
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.idle) < maxIdlePending {
		b.idle = append(b.idle, p)
	}
}

// op is made when it is needed: for an error or a debug group.
func (p *pending) op() string { return fmt.Sprintf("dispatch %q", p.launch.Label) }

// bind attaches a buffer to a binding point for the time of the dispatch.
func (p *pending) bind(index uint32, b engine.Buffer) error {
	buf, err := p.take(b)
	if err != nil {
		return err
	}
	p.binds = append(p.binds, bind{index, buf.handle})
	return nil
}

// take marks a buffer as in use, so that it cannot be freed and its handle does not change.
func (p *pending) take(b engine.Buffer) (*buffer, error) {
	buf, ok := b.(*buffer)
	if !ok || buf.backend != p.backend {
		return nil, invalid(p.op(), fmt.Sprintf("buffer %q belongs to another backend", b.Name()), "allocate it on this backend")
	}
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	if buf.handle == 0 {
		return nil, buf.deadError(p.op())
	}
	buf.backend.mu.Lock()
	buf.uses++
	buf.backend.mu.Unlock()
	p.held = append(p.held, buf)
	return buf, nil
}

// enter adds the dispatch to the backend's list and starts its timeout.
func (p *pending) enter() {
	b := p.backend
	if p.indirect != nil {
		p.indirectHandle = p.indirect.handle
	}
	b.mu.Lock()
	b.outstanding[p] = struct{}{}
	b.mu.Unlock()
	if p.timeout > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.timer = time.AfterFunc(p.timeout, p.expire)
	}
}

// letGo ends the use of the buffers, and frees those that were discarded in between.
func (p *pending) letGo() {
	var unused []*buffer
	b := p.backend
	b.mu.Lock()
	for _, buf := range p.held {
		buf.uses--
		if buf.uses == 0 && buf.discarded {
			unused = append(unused, buf)
		}
	}
	b.mu.Unlock()
	for _, buf := range unused {
		buf.discard()
	}
	b.controls.give(b, p.control)
	b.tickets.give(b, p.tickets)
}

// landOnThread ends a dispatch that the driver had, on the owner's thread.
func (p *pending) landOnThread(err error) {
	now := p.flight.landed
	device := p.backend.gl.readTimer(p.query)
	if err == nil {
		p.timing = engine.Timing{
			Wall:    engine.Known(now.Sub(p.started)),
			Enqueue: engine.Known(p.flight.handed.Sub(p.begun)),
			Wait:    engine.Known(now.Sub(p.flight.handed)),
			Device:  device,
		}
		if err = p.cutShort(); err == nil {
			err = p.overrun()
		}
	}
	p.finish(err)
}

// finish ends the dispatch, once.
func (p *pending) finish(err error) {
	p.mu.Lock()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.err = err
	p.state.Store(stateEnding)
	p.mu.Unlock()
	p.letGo()
	p.mu.Lock()
	p.state.Store(stateEnded)
	if p.done != nil {
		close(p.done)
	}
	p.mu.Unlock()
	p.leave()
	p.wake <- struct{}{}
}

// leave takes the dispatch out of the backend's list; a flush finds it done.
func (p *pending) leave() {
	b := p.backend
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.outstanding, p)
	for _, f := range b.flushes {
		f.ended(p)
	}
}

// Done implements engine.Pending.
func (p *pending) Done() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done == nil {
		p.done = make(chan struct{})
		if p.state.Load() == stateEnded {
			close(p.done)
		}
	}
	return p.done
}

// Wait implements engine.Pending.
func (p *pending) Wait(ctx context.Context) (engine.Timing, error) {
	p.look()
	select {
	case <-p.wake:
		p.wake <- struct{}{} // for the next who waits
		return p.timing, p.err
	case <-ctx.Done():
		return engine.Timing{}, p.givenUp(ctx)
	}
}

// look polls briefly for the end: a short kernel ends sooner than a thread wakes up.
func (p *pending) look() {
	var begun time.Time
	for {
		for range looks {
			if len(p.wake) > 0 {
				return
			}
		}
		now := time.Now()
		if begun.IsZero() {
			begun = now
		}
		if now.Sub(begun) > eagerWait {
			return
		}
	}
}

// eagerWait is short, because a software device needs the processor for the kernel; looks is how many
// looks go by between looks at the time.
const (
	eagerWait = 10 * time.Microsecond
	looks     = 64
)

func (p *pending) givenUp(ctx context.Context) error {
	e := fail(engine.CodeDispatchFailed, p.op(),
		fmt.Sprintf("not waited for any longer after %v; it is %s and still runs", time.Since(p.started).Round(time.Microsecond), p.stage()),
		"wait longer, or make the kernel end sooner")
	e.Err = context.Cause(ctx)
	return e
}

// stage says how far the dispatch got.
func (p *pending) stage() string {
	if p.state.Load() == stateQueued {
		return "queued behind earlier work"
	}
	return "with the driver"
}
