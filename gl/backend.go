//go:build cgo && egl

package gl

import (
	"context"
	"maps"
	"os/exec"
	"slices"
	"sync"

	"vyretop/engine"
	"vyretop/gl/internal/owner"
)

// Backend is one OpenGL context with everything allocated on it. It implements engine.Backend;
// make it with Open.
type Backend struct {
	owner    *owner.Owner
	gl       *glState // for the owner's thread
	id       string
	profile  engine.DeviceProfile
	limits   limits
	has      map[string]bool // extensions
	unified  bool            // device-local memory would be the host's: map everything
	messages messageLog
	float    floatUnit
	loops    loops
	apart    func() *exec.Cmd // Options.Apart
	staging  chan *buffer     // holds the one staging buffer while it is unused; a nil element: not made yet

	precompiler precompiler

	mu          sync.Mutex
	closed      bool
	buffers     map[*buffer]struct{}
	pipelines   map[*pipeline]struct{}
	outstanding map[*pending]struct{}
	flushes     []*flush
	idle        []*pending // ended, to be used again
	controls    spares
	tickets     spares
}

var _ engine.Backend = (*Backend)(nil)

// Identity implements engine.Backend.
func (b *Backend) Identity() engine.Identity { return b.profile.Identity }

// Profile implements engine.Backend.
func (b *Backend) Profile() engine.DeviceProfile {
	p := b.profile
	p.BufferPlacement = maps.Clone(p.BufferPlacement)
	p.Extensions = slices.Clone(p.Extensions)
	p.DispatchProfiles = slices.Clone(p.DispatchProfiles)
	return p
}

// Messages returns what the driver (with Options.Debug) and the probes had to say, oldest first, and
// how many older messages were dropped.
func (b *Backend) Messages() (kept []Message, dropped int) { return b.messages.read() }

// do runs a command on the owner's thread and waits for it.
func (b *Backend) do(ctx context.Context, op string, cmd func(s *glState) error) error {
	return typed(op, b.owner.Do(ctx, func() error {
		if err := b.gl.usable(op); err != nil {
			return err
		}
		err := cmd(b.gl)
		b.gl.collect()
		return err
	}))
}

// later runs a command on the owner's thread, after those sent before, without waiting. After Close
// there is nothing left to do: the context took everything with it.
func (b *Backend) later(cmd func(s *glState)) {
	_ = b.owner.Post(context.Background(), func() { cmd(b.gl) })
}

// flush is one call of Flush: what it still waits for.
type flush struct {
	left map[*pending]struct{}
	err  error
	done chan struct{}
}

// ended is called with the backend's lock when a dispatch has ended.
func (f *flush) ended(p *pending) {
	if _, waiting := f.left[p]; !waiting {
		return
	}
	delete(f.left, p)
	if f.err == nil {
		f.err = p.err
	}
	if len(f.left) == 0 {
		close(f.done)
	}
}

// Flush implements engine.Backend. It returns the first error of the work it waited for.
func (b *Backend) Flush(ctx context.Context) error {
	b.mu.Lock()
	f := &flush{left: maps.Clone(b.outstanding), done: make(chan struct{})}
	if len(f.left) == 0 {
		close(f.done)
	}
	b.flushes = append(b.flushes, f)
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.flushes = slices.DeleteFunc(b.flushes, func(g *flush) bool { return g == f })
	}()
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return typed("flush", context.Cause(ctx))
	}
}

// Close implements engine.Backend. A kernel that never ends keeps it waiting for ever: tell the
// kernel to stop first. A compilation keeps it waiting where it needs a thread of the process. Every word
// view of the backend's buffers is invalid afterwards.
func (b *Backend) Close() error {
	if err := b.alive("close"); err != nil {
		return err
	}
	b.mu.Lock()
	b.closed = true
	buffers := slices.Collect(maps.Keys(b.buffers))
	clear(b.buffers)
	b.mu.Unlock()
	for _, buf := range buffers {
		buf.forget(false) // waits for copies under way, before their memory goes
	}
	err := typed("close", b.owner.Close())
	b.precompiler.under.Wait()
	return err
}

// alive refuses work after Close.
func (b *Backend) alive(op string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return closedError(op)
	}
	return nil
}

func (b *Backend) adoptPipeline(pl *pipeline) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return closedError("compile")
	}
	b.pipelines[pl] = struct{}{}
	return nil
}

func (b *Backend) dropPipeline(pl *pipeline) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.pipelines, pl)
}
