//go:build !amd64 || race

package engine

import "sync/atomic"

func release(p *uint32, v uint32) { atomic.StoreUint32(p, v) }
