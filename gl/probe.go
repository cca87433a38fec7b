//go:build cgo && egl

package gl

import "context"

func (b *Backend) probe(ctx context.Context) {}
