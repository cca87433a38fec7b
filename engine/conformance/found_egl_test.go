//go:build cgo && egl

package conformance_test

import (
	"testing"

	"vyretop/gl"
)

func TestFoundKernelsOnOpenGL(t *testing.T) {
	b, err := gl.Open(t.Context(), gl.Options{Device: gl.AutoDevice, SkipProbes: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	checkFound(t, b)
}
