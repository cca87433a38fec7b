package pane

import (
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/vitals"
	"vyretop/tui/cells"
)

// TestVitalsInTheHeader: at 120 columns the header tells what the device reports, at 80 that it is busy; a value that
// the device does not report is not shown.
func TestVitalsInTheHeader(t *testing.T) {
	f := busyFrame("loop iterations", 0)
	f.Target.Workload, f.Target.Backend, f.Target.Renderer = "render", "gl", "NVIDIA H100 80GB HBM3/PCIe/SSE2"
	d := vitals.Device{
		InUse: true, Utilization: engine.Known(uint32(97)), MemoryUsed: engine.Known(uint64(3 << 30)), MemoryTotal: engine.Known(uint64(80 << 30)),
		Clock: engine.Known(uint32(1980)), Power: engine.Known(uint32(310_400)), Temperature: engine.Known(uint32(45)),
		Throttle: engine.Known(vitals.PowerCap | vitals.Idle),
	}
	header := func(width int) string {
		f.Snap.Vitals = &vitals.Reading{Devices: []vitals.Device{{Temperature: engine.Known(uint32(99))}, d}}
		return paint(width, 2, func(a cells.Area) { look().DrawHeader(a, f, &Status{Title: "vyretop"}) })
	}
	if got, want := header(120), "gpu  97% mem 3.0/80.0 GiB 1980 MHz 310 W 45 C idle, power cap"; !strings.Contains(got, want) {
		t.Errorf("header at 120 columns %q does not show %q", got, want)
	}
	if got := header(80); !strings.Contains(got, "gpu  97%") {
		t.Errorf("header at 80 columns: %q", got)
	}
	d.Power, d.MemoryTotal, d.Throttle = engine.Optional[uint32]{}, engine.Optional[uint64]{}, engine.Known(vitals.Idle)
	if got, want := header(120), "gpu  97% mem 3.0 GiB 1980 MHz 45 C "; !strings.Contains(got, want) || strings.Contains(got, " W ") || strings.Contains(got, "idle") {
		t.Errorf("header %q does not show %q", got, want)
	}
}
