//go:build cgo && egl

package generate

import (
	"strings"
	"testing"
)

// A short run of what `vyretop conform --fuzz` does at length.
func TestKernelsOnOpenGL(t *testing.T) {
	r := newRunner(t, fuzzBackend(t))
	// The device ends long loops, and the limit is not probed here: kernels with one are left out.
	const seed, count = 50, 80
	t.Logf("vyretop conform --fuzz %d --seed %d", count, seed)
	for n := range uint64(count) {
		if g := Kernel(Random(seed, n)); !strings.Contains(g.Text, longStep) {
			check(t, r, Random(seed, n))
		}
	}
}
