//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"sync"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/owner"
)

// wordBytes is the size of a word.
const wordBytes = 4

// buffer implements engine.Buffer. The lock is held for reading while somebody uses the handle or
// the mapping, so that Free cannot pull the memory away under a copy; uses counts the dispatches
// under way.
type buffer struct {
	backend *Backend
	name    string
	size    int
	got     engine.Placement
	own     bool // the backend's, not a caller's

	mu     sync.RWMutex
	handle uint32 // 0 once freed
	lost   bool   // the device took it with it
	left   uint64 // bytes of the device, where it could not be allocated
	words  engine.Words

	uses      int  // guarded by backend.mu
	discarded bool // free it after its last use; guarded by backend.mu
}

// Allocate implements engine.Backend. It needs the owner's thread: on a device whose dispatch call
// blocks (DeviceProfile.DispatchBlocks) it waits until the running kernel ends, so a caller that must
// stop that kernel allocates first.
func (b *Backend) Allocate(ctx context.Context, name string, words int, want engine.Placement) (engine.Buffer, error) {
	op := fmt.Sprintf("allocate buffer %q of %d words", name, words)
	if words < 1 {
		return nil, invalid(op, "a buffer has at least one word", "ask for at least 1 word")
	}
	bytes := uint64(words) * wordBytes
	if uint64(words) > b.limits.bufferBytes/wordBytes { // bytes may have wrapped
		e := fail(engine.CodeDeviceOutOfMemory, op, "more than a storage block can hold on this device", "split the buffer")
		e.Requested, e.Available = bytes, b.limits.bufferBytes
		return nil, e
	}
	if want == engine.DeviceLocal && b.unified {
		want = engine.HostVisible
	}
	buf := &buffer{backend: b, name: name, size: words, got: want}
	buf.mu.Lock() // Close waits for it
	defer buf.mu.Unlock()
	if err := b.do(ctx, op, buf.create); err != nil {
		return nil, outOfMemory(err, bytes, buf.left)
	}
	clear(buf.words) // here and not on the thread, where other commands would wait for it
	return buf, nil
}

// create runs on the owner's thread, while Allocate holds the lock.
func (buf *buffer) create(s *glState) error {
	h := s.api.CreateBuffer()
	bytes := buf.size * wordBytes
	if buf.got == engine.DeviceLocal {
		s.api.LocalStorage(h, bytes)
		s.api.Clear(h)
	} else {
		s.api.MappableStorage(h, bytes)
		buf.words = s.api.Map(h, bytes)
	}
	err := s.api.Err("allocate")
	if err == nil && buf.got == engine.HostVisible && buf.words == nil {
		err = &glapi.CallError{Call: "glMapNamedBufferRange", Code: glapi.OutOfMemory}
	}
	if err != nil {
		buf.left = buf.backend.available(s)
	} else {
		err = buf.backend.adopt(buf)
	}
	if err != nil {
		buf.words = nil
		s.api.DeleteBuffer(h)
		return err
	}
	buf.handle = h
	s.api.Label(glapi.LabelBuffer, h, buf.name)
	return nil
}

// adopt enters a new buffer into the backend's list, unless the backend was closed in between.
func (b *Backend) adopt(buf *buffer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return owner.ErrClosed
	}
	b.buffers[buf] = struct{}{}
	return nil
}

// Name implements engine.Buffer.
func (buf *buffer) Name() string { return buf.name }

// Size implements engine.Buffer.
func (buf *buffer) Size() int { return buf.size }

// Placement implements engine.Buffer.
func (buf *buffer) Placement() engine.Placement { return buf.got }

// Words implements engine.Buffer. The view reads and writes memory that Free gives back: using it
// afterwards is a memory fault.
func (buf *buffer) Words() engine.Words {
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	return buf.words
}

// Free implements engine.Buffer. It refuses while a dispatch uses the buffer; the memory goes back
// to the driver when the owner's thread gets to it.
func (buf *buffer) Free() error {
	op := fmt.Sprintf("free buffer %q", buf.name)
	buf.mu.Lock()
	defer buf.mu.Unlock()
	if buf.handle == 0 {
		return buf.deadError(op)
	}
	b := buf.backend
	b.mu.Lock()
	if buf.uses > 0 {
		b.mu.Unlock()
		return invalid(op, "a dispatch that uses it is under way", "wait for the dispatch first")
	}
	delete(b.buffers, buf)
	b.mu.Unlock()
	h := buf.handle
	buf.handle, buf.words = 0, nil
	b.later(func(s *glState) { s.api.DeleteBuffer(h) })
	return nil
}

// discard frees a buffer of our own, now or when the last dispatch that uses it has ended.
func (buf *buffer) discard() {
	buf.backend.mu.Lock()
	buf.discarded = true
	unused := buf.uses == 0
	buf.backend.mu.Unlock()
	if unused {
		_ = buf.Free() // fails if the backend was closed or lost, which freed the memory too
	}
}

// forget marks the buffer freed before its context goes.
func (buf *buffer) forget(lost bool) {
	buf.mu.Lock()
	defer buf.mu.Unlock()
	buf.handle, buf.words, buf.lost = 0, nil, lost
}

// deadError says why a buffer without a handle has none. The caller holds buf.mu.
func (buf *buffer) deadError(op string) error {
	if buf.lost {
		return goneWithDevice(op)
	}
	if err := buf.backend.alive(op); err != nil {
		return err
	}
	return invalid(op, fmt.Sprintf("buffer %q has been freed", buf.name), "free a buffer once, after its last use")
}

// gone reports whether a loss of the device took the buffer.
func (buf *buffer) gone() bool {
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	return buf.lost
}
