//go:build !race

package engine

// release stores v; sync/atomic has only a store that also waits until it is visible.
//
//go:noescape
func release(p *uint32, v uint32)
