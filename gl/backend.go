//go:build cgo && egl

package gl

import (
	"context"
	"maps"
	"slices"
	"sync"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/owner"
)

// Backend is one OpenGL context with everything allocated on it. It implements engine.Backend;
// make it with Open.
type Backend struct {
	owner    *owner.Owner
	station  *station // for the owner's thread
	id       string
	profile  engine.DeviceProfile
	limits   limits
	has      map[string]bool // extensions
	unified  bool            // device-local memory would be the host's: map everything
	messages messageLog
	staging  chan *buffer // holds the one staging buffer while nobody uses it; nil in it: not made yet

	mu          sync.Mutex
	closed      bool
	buffers     map[*buffer]struct{}
	outstanding map[*pending]struct{}
}

var _ engine.Backend = (*Backend)(nil)

// Identity implements engine.Backend.
func (b *Backend) Identity() engine.Identity { return b.profile.Identity }

// Profile implements engine.Backend.
func (b *Backend) Profile() engine.DeviceProfile {
	p := b.profile
	p.BufferPlacement = maps.Clone(p.BufferPlacement)
	p.Extensions = slices.Clone(p.Extensions)
	return p
}

// Messages returns what the driver (with Options.Debug) and the probes had to say, oldest first, and
// how many older messages were dropped.
func (b *Backend) Messages() (kept []Message, dropped int) { return b.messages.read() }

// do runs a command on the owner's thread and waits for it.
func (b *Backend) do(ctx context.Context, op string, cmd func(s *station) error) error {
	return typed(op, b.owner.Do(ctx, func() error {
		if err := b.station.usable(op); err != nil {
			return err
		}
		err := cmd(b.station)
		b.station.collect()
		return err
	}))
}

// later runs a command on the owner's thread, after those sent before, without waiting. After Close
// there is nothing left to do: the context took everything with it.
func (b *Backend) later(cmd func(api *glapi.API)) {
	_ = b.owner.Post(context.Background(), func() { cmd(&b.station.api) })
}

// Flush implements engine.Backend. It returns the first error of the work it waited for.
func (b *Backend) Flush(ctx context.Context) error {
	var first error
	for _, p := range b.running() {
		if _, err := p.wait(ctx); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (b *Backend) running() []*pending {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Keys(b.outstanding))
}

// Close implements engine.Backend. A kernel that never ends keeps it waiting for ever: tell the
// kernel to stop first. Every word view of the backend's buffers is invalid afterwards.
func (b *Backend) Close() error {
	b.mu.Lock()
	b.closed = true
	buffers := slices.Collect(maps.Keys(b.buffers))
	clear(b.buffers)
	b.mu.Unlock()
	for _, buf := range buffers {
		buf.forget() // waits for copies under way, before their memory goes
	}
	return typed("close", b.owner.Close())
}

// alive refuses work after Close.
func (b *Backend) alive(op string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return invalid(op, "the backend is closed", fixClosed)
	}
	return nil
}
