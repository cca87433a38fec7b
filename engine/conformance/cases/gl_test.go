//go:build cgo && egl

package cases

import (
	"os"
	"strconv"
	"testing"

	"vyretop/gl"
)

// The device under test is that of the environment variable VYRETOP_TEST_DEVICE, or the best one.
func TestOpenGLConforms(t *testing.T) {
	device := gl.AutoDevice
	if v := os.Getenv("VYRETOP_TEST_DEVICE"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		device = n
	}
	b, err := gl.Open(t.Context(), gl.Options{Device: device, SkipProbes: true, ProgramCache: gl.NoProgramCache})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	checkOn(t, b)
}
