//go:build cgo && egl

package generate

import "testing"

// A short run of what `vyretop conform --fuzz` does at length.
func TestKernelsOnOpenGL(t *testing.T) {
	r := newRunner(t, fuzzBackend(t))
	// The device ends long loops, and the limit is not probed here: no kernel of these reaches it.
	const seed, count = 50, 80
	t.Logf("vyretop conform --fuzz %d --seed %d", count, seed)
	for n := range uint64(count) {
		check(t, r, Random(seed, n))
	}
}
