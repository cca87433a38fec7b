//go:build cgo && egl

package gl

import (
	"context"
	"fmt"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// stagingWords bounds one step of a copy to or from memory that the host cannot map: 4 MiB.
const stagingWords = 1 << 20

// Upload implements engine.Buffer. A mapped buffer is written through the mapping, without the
// owner's thread, in address order but not atomically: to talk to a running kernel use Words.
func (buf *buffer) Upload(ctx context.Context, offset int, src []uint32) error {
	op := fmt.Sprintf("upload %d words to buffer %q at word %d", len(src), buf.name, offset)
	return buf.transfer(ctx, op, offset, len(src), func(w engine.Words) { copy(w[offset:], src) }, func(st *buffer, h uint32, at, n int) step {
		return step{
			before: func() { copy(st.words, src[at:at+n]) },
			copy:   func(api *glapi.API) { api.Copy(st.handle, h, 0, (offset+at)*wordBytes, n*wordBytes) },
		}
	})
}

// Download implements engine.Buffer; what Upload says holds in the other direction.
func (buf *buffer) Download(ctx context.Context, offset int, dst []uint32) error {
	op := fmt.Sprintf("download %d words from buffer %q at word %d", len(dst), buf.name, offset)
	return buf.transfer(ctx, op, offset, len(dst), func(w engine.Words) { copy(dst, w[offset:]) }, func(st *buffer, h uint32, at, n int) step {
		return step{
			copy:  func(api *glapi.API) { api.Copy(h, st.handle, (offset+at)*wordBytes, 0, n*wordBytes) },
			after: func() { copy(dst[at:at+n], st.words) },
		}
	})
}

// step is one staged copy: host side before, device side, host side after. The host's sides run on
// the caller's goroutine and may be nil.
type step struct {
	before func()
	copy   func(api *glapi.API)
	after  func()
}

func (buf *buffer) transfer(ctx context.Context, op string, offset, n int, direct func(engine.Words), staged func(st *buffer, h uint32, at, n int) step) error {
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	h, err := buf.live(op)
	if err != nil {
		return err
	}
	if offset < 0 || n > buf.size || offset > buf.size-n {
		return invalid(op, fmt.Sprintf("the buffer has %d words", buf.size), "stay within the buffer")
	}
	if err := ctx.Err(); err != nil {
		return typed(op, err)
	}
	if buf.words != nil {
		direct(buf.words)
		return nil
	}
	for at := 0; at < n; at += stagingWords {
		plan := func(st *buffer) step { return staged(st, h, at, min(stagingWords, n-at)) }
		if err := buf.backend.stage(ctx, op, plan); err != nil {
			return err
		}
	}
	return nil
}

// stage runs one staged copy. The staging buffer goes back when the device is done with it, also
// when the caller gave up before; until then its lock keeps Close away from it.
func (b *Backend) stage(ctx context.Context, op string, plan func(st *buffer) step) error {
	st, err := b.takeStaging(ctx, op)
	if err != nil {
		return err
	}
	st.mu.RLock()
	giveBack := func() {
		st.mu.RUnlock()
		b.staging <- st
	}
	if st.handle == 0 {
		giveBack()
		return closedError(op)
	}
	s := plan(st)
	if s.before != nil {
		s.before()
	}
	done := b.fly(op, s.copy)
	select {
	case err := <-done:
		if err == nil && s.after != nil {
			s.after()
		}
		giveBack()
		return err
	case <-ctx.Done():
		go func() {
			<-done
			giveBack()
		}()
		return typed(op, context.Cause(ctx))
	}
}

// fly gives the device a command with a fence behind it and returns a channel that gets its outcome.
func (b *Backend) fly(op string, cmd func(api *glapi.API)) <-chan error {
	done := make(chan error, 1)
	settle := func(err error) { done <- err }
	f := &flight{settle: settle}
	err := b.owner.Post(context.Background(), func() {
		s := b.station
		if err := s.usable(op); err != nil {
			settle(err)
			return
		}
		cmd(&s.api)
		s.api.Barrier()
		if err := s.launch(f); err != nil {
			settle(typed(op, err))
		}
	})
	if err != nil {
		settle(typed(op, err))
	}
	return done
}

func (b *Backend) takeStaging(ctx context.Context, op string) (*buffer, error) {
	select {
	case st := <-b.staging:
		if st != nil {
			return st, nil
		}
	case <-ctx.Done():
		return nil, typed(op, context.Cause(ctx))
	}
	st, err := b.Allocate(ctx, "staging", stagingWords, engine.HostVisible)
	if err != nil {
		b.staging <- nil
		return nil, err
	}
	return st.(*buffer), nil
}
