//go:build cgo && egl

package backendtest

import (
	"os"
	"strconv"
	"testing"

	"vyretop/engine"
	"vyretop/gl"
)

func init() {
	All["gl"] = func(t testing.TB) engine.Backend { return OpenGL(t, gl.Options{}) }
}

// OpenGL opens the device with the number in the environment variable VYRETOP_TEST_DEVICE, or the best
// one. It is closed when the test ends.
func OpenGL(t testing.TB, o gl.Options) *gl.Backend {
	t.Helper()
	o.Device = gl.AutoDevice
	if v := os.Getenv("VYRETOP_TEST_DEVICE"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		o.Device = n
	}
	b, err := gl.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	closeAtEnd(t, b)
	if CompilesSlowly(b) {
		t.Cleanup(func() { compiled.Add(b.ProgramCache().Stored) })
	}
	return b
}
