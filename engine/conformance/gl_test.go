//go:build cgo && egl

package conformance

import (
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/gl"
)

func TestOpenGLConforms(t *testing.T) {
	checkOn(t, backendtest.OpenGL(t, gl.Options{SkipProbes: true, ProgramCache: gl.NoProgramCache}))
}
