//go:build cgo && egl

package gl

import (
	"testing"
	"testing/fstest"

	"vyretop/engine"
)

// TestWatchdogLimit: only where the driver of the device says it.
func TestWatchdogLimit(t *testing.T) {
	for name, c := range map[string]struct {
		driver, timeout string
		want            engine.Optional[float64]
	}{
		"one for all":  {"DRIVER=amdgpu\n", "10000\n", engine.Known(10000.0)},
		"of each":      {"DRIVER=amdgpu\n", "5000,60000,10000,10000\n", engine.Known(5000.0)},
		"the default":  {"DRIVER=amdgpu\n", "\n", engine.Optional[float64]{}},
		"none":         {"DRIVER=amdgpu\n", "-1\n", engine.Optional[float64]{}},
		"other driver": {"DRIVER=nouveau\n", "10000\n", engine.Optional[float64]{}},
	} {
		sys := fstest.MapFS{
			"class/drm/card1/device/uevent":           {Data: []byte(c.driver)},
			"module/amdgpu/parameters/lockup_timeout": {Data: []byte(c.timeout)},
		}
		if got := watchdogLimit(sys, "/dev/dri/card1"); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if got := watchdogLimit(sys, "/dev/dri/card0"); !got.IsZero() {
			t.Errorf("%s: another device has %v", name, got)
		}
	}
}

// TestDocumentedArchitectures: nothing is said of architectures that the documents do not speak of.
func TestDocumentedArchitectures(t *testing.T) {
	var m engine.Microarchitecture
	if describeNVIDIA(&m, 3, 0); m != (engine.Microarchitecture{}) {
		t.Errorf("3.0: %+v", m)
	}
	if describeNVIDIA(&m, 9, 0); m.RegistersPerThread != engine.Known(uint32(255)) || m.SharedBanks != engine.Known(uint32(32)) || m.DualIssue != engine.Known(false) {
		t.Errorf("9.0: %+v", m)
	}
}
