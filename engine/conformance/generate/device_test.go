//go:build cgo && egl

package generate

import "testing"

// A short run of what `vyretop conform --fuzz` does at length.
func TestKernelsOnOpenGL(t *testing.T) {
	r := newRunner(t, fuzzBackend(t))
	const seed, count = 50, 30
	t.Logf("vyretop conform --fuzz %d --seed %d", count, seed)
	for n := range uint64(count) {
		check(t, r, Random(seed, n))
	}
}
