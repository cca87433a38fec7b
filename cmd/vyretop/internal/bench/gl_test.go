//go:build cgo && egl

package bench

import (
	"testing"

	"vyretop/gl"
)

func TestShortRunOnOpenGL(t *testing.T) {
	b, err := gl.Open(t.Context(), gl.Options{Device: gl.AutoDevice})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	runShort(t, b)
}
