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
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	c := transfer{buf, "upload to", offset, len(src)}
	if err := c.check(ctx); err != nil {
		return err
	}
	if buf.words == nil {
		return c.upload(ctx, src)
	}
	copy(buf.words[offset:], src)
	return nil
}

// Download implements engine.Buffer; what Upload says holds in the other direction.
func (buf *buffer) Download(ctx context.Context, offset int, dst []uint32) error {
	buf.mu.RLock()
	defer buf.mu.RUnlock()
	c := transfer{buf, "download from", offset, len(dst)}
	if err := c.check(ctx); err != nil {
		return err
	}
	if buf.words == nil {
		return c.download(ctx, dst)
	}
	copy(dst, buf.words[offset:])
	return nil
}

// transfer is a copy between the host and n words of a buffer at an offset. Its maker holds the
// buffer's lock.
type transfer struct {
	buf    *buffer
	verb   string
	offset int
	n      int
}

func (c *transfer) op() string {
	return fmt.Sprintf("%s buffer %q, %d words at word %d", c.verb, c.buf.name, c.n, c.offset)
}

func (c *transfer) check(ctx context.Context) error {
	switch buf := c.buf; {
	case buf.handle == 0:
		return buf.deadError(c.op())
	case c.offset < 0 || c.n > buf.size || c.offset > buf.size-c.n:
		return invalid(c.op(), fmt.Sprintf("the buffer has %d words", buf.size), "stay within the buffer")
	case ctx.Err() != nil:
		return typed(c.op(), context.Cause(ctx))
	}
	return nil
}

// upload goes by way of the staging buffer, as download does.
func (c *transfer) upload(ctx context.Context, src []uint32) error {
	h, offset := c.buf.handle, c.offset
	return c.staged(ctx, func(st *buffer, at, n int) step {
		return step{
			before: func() { copy(st.words, src[at:at+n]) },
			copy:   func(api *glapi.API) { api.Copy(st.handle, h, 0, (offset+at)*wordBytes, n*wordBytes) },
		}
	})
}

func (c *transfer) download(ctx context.Context, dst []uint32) error {
	h, offset := c.buf.handle, c.offset
	return c.staged(ctx, func(st *buffer, at, n int) step {
		return step{
			copy:  func(api *glapi.API) { api.Copy(h, st.handle, (offset+at)*wordBytes, 0, n*wordBytes) },
			after: func() { copy(dst[at:at+n], st.words) },
		}
	})
}

// staged copies what the staging buffer holds at a time.
func (c *transfer) staged(ctx context.Context, plan func(st *buffer, at, n int) step) error {
	for at := 0; at < c.n; at += stagingWords {
		n := min(stagingWords, c.n-at)
		if err := c.buf.backend.stage(ctx, c.op(), func(st *buffer) step { return plan(st, at, n) }); err != nil {
			return err
		}
	}
	return nil
}

// step is one staged copy: host side before, device side, host side after. The host's sides run on
// the caller's goroutine and may be nil.
type step struct {
	before func()
	copy   func(api *glapi.API)
	after  func()
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
		s := b.gl
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
		if st != nil && !st.gone() {
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
	made := st.(*buffer)
	made.own = true
	return made, nil
}
