package reference

import (
	"context"
	"fmt"
	"sync"

	"vyretop/engine"
)

// The sizes of memory that a program may use, in words.
const (
	maxBufferWords = 1 << 30
	maxSharedWords = 1 << 14
)

// buffer implements engine.Buffer.
type buffer struct {
	backend *Backend
	name    string
	size    int // in words
	place   engine.Placement

	generation uint64 // of the backend, when it was made

	mu    sync.Mutex
	words engine.Words // nil once freed
	users int          // dispatches queued or running that bind it

	holders map[*Pipeline]bool // pipelines that keep the memory for their next dispatch
}

// Allocate implements engine.Backend. A buffer gets the placement it asks for: host-visible memory
// costs atomic stores.
func (b *Backend) Allocate(ctx context.Context, name string, words int, want engine.Placement) (engine.Buffer, error) {
	op := fmt.Sprintf("allocate %q", name)
	if err := b.check(ctx, op); err != nil {
		return nil, err
	}
	if words < 1 {
		return nil, invalid(op, fmt.Sprintf("%d words", words), "allocate at least 1 word")
	}
	if words > maxBufferWords {
		return nil, &engine.Error{Code: engine.CodeDeviceOutOfMemory, Backend: backendName, Op: op,
			Requested: uint64(words) * 4, Available: maxBufferWords * 4,
			Detail: fmt.Sprintf("%d words asked for, %d at most", words, maxBufferWords), Fix: "use smaller buffers"}
	}
	return &buffer{backend: b, name: name, size: words, words: make(engine.Words, words), place: want, generation: b.made(&b.buffers)}, nil
}

// Adopt makes a host-visible buffer of memory that belongs to somebody else, such as what another backend has mapped. The memory must
// live until Free, which leaves it as it is.
func (b *Backend) Adopt(ctx context.Context, name string, words engine.Words) (engine.Buffer, error) {
	if err := b.check(ctx, fmt.Sprintf("adopt %q", name)); err != nil {
		return nil, err
	}
	return &buffer{backend: b, name: name, size: len(words), words: words, place: engine.HostVisible, generation: b.made(&b.buffers)}, nil
}

// Name implements engine.Buffer.
func (b *buffer) Name() string { return b.name }

// Size implements engine.Buffer.
func (b *buffer) Size() int { return b.size }

// Placement implements engine.Buffer.
func (b *buffer) Placement() engine.Placement { return b.place }

// Words implements engine.Buffer.
func (b *buffer) Words() engine.Words {
	if b.place != engine.HostVisible || !b.backend.current(b.generation) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.words
}

// Upload implements engine.Buffer.
func (b *buffer) Upload(ctx context.Context, offset int, src []uint32) error {
	return b.copy(ctx, "upload to", offset, len(src), func() { b.words.CopyFrom(offset, src) })
}

// Download implements engine.Buffer.
func (b *buffer) Download(ctx context.Context, offset int, dst []uint32) error {
	return b.copy(ctx, "download from", offset, len(dst), func() { b.words.CopyTo(dst, offset) })
}

// copy runs transfer if the range is valid. Device-local memory cannot be copied while a dispatch
// uses it.
func (b *buffer) copy(ctx context.Context, what string, offset, n int, transfer func()) error {
	op := fmt.Sprintf("%s %q", what, b.name)
	if err := b.backend.check(ctx, op); err != nil {
		return err
	}
	if err := b.backend.survived(op, b.generation); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.words == nil:
		return invalid(op, "the buffer has been freed", "free a buffer after its last use")
	case offset < 0 || offset > b.size || n > b.size-offset:
		return invalid(op, fmt.Sprintf("words %d to %d of %d", offset, offset+n, b.size), "stay inside the buffer")
	case b.users > 0 && b.place != engine.HostVisible:
		return invalid(op, "a dispatch is using this device-local buffer", "wait for the dispatch, or allocate the buffer host-visible")
	}
	transfer()
	return nil
}

// Free implements engine.Buffer.
func (b *buffer) Free() error {
	if err := b.backend.survived(fmt.Sprintf("free %q", b.name), b.generation); err != nil {
		return err
	}
	holders, err := b.retire()
	for p := range holders {
		p.forget(b)
	}
	return err
}

func (b *buffer) retire() (holders map[*Pipeline]bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	op := fmt.Sprintf("free %q", b.name)
	switch {
	case b.words == nil:
		return nil, invalid(op, "the buffer has been freed already", "free each buffer once")
	case b.users > 0:
		return nil, invalid(op, "a dispatch is using the buffer", "wait for the dispatch first")
	}
	b.words = nil
	b.backend.unmade(&b.backend.buffers, b.generation)
	holders, b.holders = b.holders, nil
	return holders, nil
}

// hold notes that p keeps the memory.
func (b *buffer) hold(p *Pipeline) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.holders == nil {
		b.holders = map[*Pipeline]bool{}
	}
	b.holders[p] = true
}

// acquire keeps the buffer from being freed until release.
func (b *buffer) acquire(op string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.words == nil {
		return invalid(op, fmt.Sprintf("buffer %q has been freed", b.name), "bind live buffers")
	}
	b.users++
	return nil
}

func (b *buffer) release() {
	b.mu.Lock()
	b.users--
	b.mu.Unlock()
}
