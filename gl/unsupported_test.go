//go:build !cgo || !egl

package gl

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine"
)

// TestBuildWithoutOpenGLSaysSo expects a typed error with the way to a build that has it.
func TestBuildWithoutOpenGLSaysSo(t *testing.T) {
	_, openErr := Open(t.Context(), Options{Device: AutoDevice})
	_, listErr := Devices()
	_, doctorErr := Doctor(t.Context())
	for name, err := range map[string]error{"open": openErr, "devices": listErr, "doctor": doctorErr} {
		if !errors.Is(err, engine.ErrUnsupportedFeature) || !strings.Contains(err.Error(), "make build") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if kept, dropped := new(Backend).Messages(); kept != nil || dropped != 0 {
		t.Error("messages without a device")
	}
}
