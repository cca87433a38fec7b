//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"maps"
	"slices"

	"vyretop/engine"
)

var _ engine.Lifecycle = (*Backend)(nil)

// Prepare implements engine.Lifecycle: it runs an empty dispatch, with which drivers start their threads
// and compilers.
func (b *Backend) Prepare(ctx context.Context) error {
	l, err := b.lab(ctx, "empty", 1)
	if err != nil {
		return err
	}
	_, err = l.run(1)
	return errors.Join(err, l.close())
}

// Lost implements engine.Lifecycle. It tells what the owner's thread has noticed.
func (b *Backend) Lost() error {
	if e := b.gl.noticed.Load(); e != nil {
		return e
	}
	return nil
}

// SimulateLoss implements engine.Lifecycle.
func (b *Backend) SimulateLoss() {
	b.later(func(s *glState) { s.lose("the loss is simulated") })
}

// Recover implements engine.Lifecycle: it closes the context and makes another one on the same device. Word views
// of buffers made before are invalid, as after Close.
func (b *Backend) Recover(ctx context.Context) (engine.Recovery, error) {
	var r engine.Recovery
	if err := b.alive("recover"); err != nil {
		return r, err
	}
	if b.Lost() == nil {
		return r, invalid("recover", "the device is not lost", "recover after an ErrDeviceLost only")
	}
	if err := b.Flush(ctx); err != nil && !errors.Is(err, engine.ErrDeviceLost) {
		return r, err
	}
	r = b.abandon()
	return r, typed("recover", b.owner.Do(ctx, b.gl.reopen))
}

// abandon marks everything that was on the device as gone with it.
func (b *Backend) abandon() engine.Recovery {
	b.mu.Lock()
	buffers, pipelines := slices.Collect(maps.Keys(b.buffers)), slices.Collect(maps.Keys(b.pipelines))
	clear(b.buffers)
	clear(b.pipelines)
	b.controls.free, b.tickets.free, b.idle = nil, nil, nil
	b.mu.Unlock()
	r := engine.Recovery{Pipelines: len(pipelines)}
	for _, pl := range pipelines {
		pl.retire(true)
	}
	for _, buf := range buffers {
		if !buf.own {
			r.Buffers++
		}
		buf.forget(true)
	}
	return r
}
