//go:build cgo && egl

package conformance_test

import (
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/gl"
)

func TestFoundKernelsOnOpenGL(t *testing.T) {
	checkFound(t, backendtest.OpenGL(t, gl.Options{SkipProbes: true}))
}
