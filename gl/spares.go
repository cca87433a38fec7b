//go:build cgo && egl

package gl

import (
	"context"

	"vyretop/engine"
)

// spares are small buffers of our own that dispatches use and give back.
type spares struct {
	name  string
	words int
	class engine.Placement
	free  []*buffer // guarded by backend.mu
}

// take takes an unused buffer, or makes one. What it holds is left from its last use.
func (s *spares) take(ctx context.Context, b *Backend) (*buffer, error) {
	b.mu.Lock()
	var buf *buffer
	if n := len(s.free); n > 0 {
		buf = s.free[n-1]
		s.free = s.free[:n-1]
	}
	b.mu.Unlock()
	if buf != nil {
		return buf, nil
	}
	made, err := b.Allocate(ctx, s.name, s.words, s.class)
	if err != nil {
		return nil, err
	}
	buf = made.(*buffer)
	buf.own = true
	return buf, nil
}

func (s *spares) give(b *Backend, buf *buffer) {
	if buf == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.free = append(s.free, buf)
}
