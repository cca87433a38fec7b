package interim

import (
	"context"

	"vyretop/engine"
)

// moveWords is how much of a buffer is copied at a time.
const moveWords = 1 << 20

// buffer implements engine.Buffer.
type buffer struct {
	backend *Backend
	there   engine.Buffer // of the device
	here    engine.Buffer // of the interpreter; nil once the work has moved
}

// Allocate implements engine.Backend.
func (b *Backend) Allocate(ctx context.Context, name string, words int, want engine.Placement) (engine.Buffer, error) {
	there, err := b.Device.Allocate(ctx, name, words, want)
	if err != nil {
		return nil, err
	}
	x := &buffer{backend: b, there: there}
	b.place.Lock()
	defer b.place.Unlock()
	if b.onDevice {
		return x, nil
	}
	if mapped := there.Words(); mapped != nil {
		x.here, err = b.interpreter.Adopt(ctx, name, mapped)
	} else {
		x.here, err = b.interpreter.Allocate(ctx, name, words, engine.DeviceLocal)
	}
	if err != nil {
		_ = there.Free() // the allocation has failed already
		return nil, err
	}
	b.buffers[x] = struct{}{}
	return x, nil
}

// Name implements engine.Buffer.
func (x *buffer) Name() string { return x.there.Name() }

// Size implements engine.Buffer.
func (x *buffer) Size() int { return x.there.Size() }

// Placement implements engine.Buffer.
func (x *buffer) Placement() engine.Placement { return x.there.Placement() }

// Words implements engine.Buffer.
func (x *buffer) Words() engine.Words { return x.there.Words() }

// Upload implements engine.Buffer.
func (x *buffer) Upload(ctx context.Context, offset int, src []uint32) error {
	x.backend.place.RLock()
	defer x.backend.place.RUnlock()
	return x.now().Upload(ctx, offset, src)
}

// Download implements engine.Buffer.
func (x *buffer) Download(ctx context.Context, offset int, dst []uint32) error {
	x.backend.place.RLock()
	defer x.backend.place.RUnlock()
	return x.now().Download(ctx, offset, dst)
}

// now is the buffer where the work is done. The caller holds place, or shares it.
func (x *buffer) now() engine.Buffer {
	if x.here != nil {
		return x.here
	}
	return x.there
}

// Free implements engine.Buffer.
func (x *buffer) Free() error {
	x.backend.place.Lock()
	defer x.backend.place.Unlock()
	if x.here != nil {
		if err := x.here.Free(); err != nil {
			return err
		}
		delete(x.backend.buffers, x)
		x.here = nil
	}
	return x.there.Free()
}

// move writes what only the device reaches.
func (x *buffer) move(ctx context.Context) error {
	if x.there.Words() != nil {
		return nil // one memory
	}
	words := make([]uint32, min(x.Size(), moveWords))
	for at := 0; at < x.Size(); at += len(words) {
		part := words[:min(len(words), x.Size()-at)]
		if err := x.here.Download(ctx, at, part); err != nil {
			return err
		}
		if err := x.there.Upload(ctx, at, part); err != nil {
			return err
		}
	}
	return nil
}
