// Package interim owns a backend that stands in for a device whose compiler takes long. It runs programs on the interpreter at once,
// and moves to the device with the first dispatch for which that has compiled everything that it was given. Both give the same
// results, so nothing but the speed changes.
//
// Memory that host and device share is the device's from the beginning; the interpreter works on what is mapped. Memory that only the
// device reaches has a copy in the host's memory until the move, which waits for the interpreter's dispatches and then writes
// the copies to the device. Nothing moves back. A program that the interpreter cannot run has the work move at its first dispatch.
package interim

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/engine/reference"
)

// Device is what the work moves to.
type Device interface {
	engine.Backend
	engine.Lifecycle
}

// Backend implements engine.Backend and engine.Lifecycle.
type Backend struct {
	Device // stays the caller's to close

	interpreter *reference.Backend
	moved       func(after time.Duration) // Options.Moved

	begun     time.Time
	compiling sync.WaitGroup

	// place is held while a dispatch is started, and shared while memory is copied.
	place    sync.RWMutex
	onDevice bool
	ran      bool // the interpreter has run something
	buffers  map[*buffer]struct{}

	mu      sync.Mutex
	waiting int // compilations on the device under way
	closed  bool
}

var (
	_ engine.Backend   = (*Backend)(nil)
	_ engine.Lifecycle = (*Backend)(nil)
)

// Options say how a backend stands in.
type Options struct {
	Workgroups int                       // that a dispatch has at most
	Moved      func(after time.Duration) // is told, from a goroutine of its own, that the work has moved, if the interpreter did any; may be nil
}

// patience is how long a program waits for a device that may only have to load it.
const patience = 150 * time.Millisecond

// Open stands in for a device, on all processors of the host.
func Open(d Device, o Options) (*Backend, error) {
	interpreter, err := reference.Open(reference.Options{Resident: o.Workgroups, Parallel: runtime.NumCPU()})
	if err != nil {
		return nil, err
	}
	return &Backend{Device: d, interpreter: interpreter, moved: o.Moved, begun: time.Now(), buffers: map[*buffer]struct{}{}}, nil
}

// StandsIn reports whether the interpreter runs what is started.
func (b *Backend) StandsIn() bool {
	b.place.RLock()
	defer b.place.RUnlock()
	return !b.onDevice
}

// Awaits reports whether the device is compiling for the work to move, and since when.
func (b *Backend) Awaits() (since time.Time, ok bool) { return b.begun, !b.ready() && b.StandsIn() }

// Flush implements engine.Backend.
func (b *Backend) Flush(ctx context.Context) error {
	return errors.Join(b.interpreter.Flush(ctx), b.Device.Flush(ctx))
}

// Close waits for the compilations, which end with their pipelines, and closes the interpreter. The device stays open.
func (b *Backend) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.compiling.Wait()
	return b.interpreter.Close()
}

// begin counts a compilation on the device; ended is called when it is over. False: the backend is closed.
func (b *Backend) begin() (ended func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, false
	}
	b.waiting++
	b.compiling.Add(1)
	return func() {
		b.mu.Lock()
		b.waiting--
		b.mu.Unlock()
		b.compiling.Done()
	}, true
}

// ready reports whether the device has compiled all that it was given.
func (b *Backend) ready() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting == 0
}

// move gives the work to the device. The caller holds place.
func (b *Backend) move(ctx context.Context) error {
	if err := b.interpreter.Flush(ctx); err != nil {
		return err
	}
	for x := range b.buffers {
		if err := x.move(ctx); err != nil {
			return err
		}
	}
	for x := range b.buffers {
		if err := x.here.Free(); err != nil {
			return err
		}
		x.here = nil
	}
	b.onDevice = true
	if b.moved != nil && b.ran {
		go b.moved(time.Since(b.begun))
	}
	return nil
}
