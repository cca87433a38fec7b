//go:build cgo && egl

package nvml

import (
	"testing"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/engine/vitals"
)

// fakeLibrary has one device that reports all, and one that reports only that it is there.
type fakeLibrary struct {
	missing bool
	closed  int
}

func (f *fakeLibrary) Init() nvml.Return {
	if f.missing {
		return nvml.ERROR_LIBRARY_NOT_FOUND
	}
	return nvml.SUCCESS
}

func (f *fakeLibrary) Shutdown() nvml.Return              { f.closed++; return nvml.SUCCESS }
func (f *fakeLibrary) DeviceGetCount() (int, nvml.Return) { return 2, nvml.SUCCESS }

func (f *fakeLibrary) DeviceGetHandleByIndex(i int) (nvml.Device, nvml.Return) {
	if i == 1 {
		return silent(), nvml.SUCCESS
	}
	return talking(), nvml.SUCCESS
}

func talking() nvml.Device {
	d := silent()
	d.GetNameFunc = func() (string, nvml.Return) { return "NVIDIA H100", nvml.SUCCESS }
	d.GetUUIDFunc = func() (string, nvml.Return) { return "GPU-00112233-4455-6677-8899-aabbccddeeff", nvml.SUCCESS }
	d.GetPciInfoFunc = func() (nvml.PciInfo, nvml.Return) {
		return nvml.PciInfo{Domain: 1, Bus: 0x3b, Device: 2}, nvml.SUCCESS
	}
	d.GetUtilizationRatesFunc = func() (nvml.Utilization, nvml.Return) {
		return nvml.Utilization{Gpu: 97, Memory: 0}, nvml.SUCCESS
	}
	d.GetMemoryInfoFunc = func() (nvml.Memory, nvml.Return) { return nvml.Memory{Used: 3, Total: 80}, nvml.SUCCESS }
	d.GetCudaComputeCapabilityFunc = func() (int, int, nvml.Return) { return 9, 0, nvml.SUCCESS }
	d.GetPowerUsageFunc = func() (uint32, nvml.Return) { return 310_000, nvml.SUCCESS }
	d.GetCurrentClocksEventReasonsFunc = func() (uint64, nvml.Return) {
		return nvml.ClocksEventReasonSwPowerCap | nvml.ClocksThrottleReasonHwThermalSlowdown, nvml.SUCCESS
	}
	return d
}

// silent supports nothing.
func silent() *mock.Device {
	no := func() (uint32, nvml.Return) { return 7, nvml.ERROR_NOT_SUPPORTED }
	reasons := func() (uint64, nvml.Return) { return 7, nvml.ERROR_NOT_SUPPORTED }
	return &mock.Device{
		GetNameFunc:                         func() (string, nvml.Return) { return "?", nvml.ERROR_UNKNOWN },
		GetUUIDFunc:                         func() (string, nvml.Return) { return "?", nvml.ERROR_UNKNOWN },
		GetPciInfoFunc:                      func() (nvml.PciInfo, nvml.Return) { return nvml.PciInfo{}, nvml.ERROR_UNKNOWN },
		GetMaxClockInfoFunc:                 func(nvml.ClockType) (uint32, nvml.Return) { return no() },
		GetClockInfoFunc:                    func(nvml.ClockType) (uint32, nvml.Return) { return no() },
		GetEnforcedPowerLimitFunc:           no,
		GetPowerUsageFunc:                   no,
		GetTemperatureThresholdFunc:         func(nvml.TemperatureThresholds) (uint32, nvml.Return) { return no() },
		GetTemperatureFunc:                  func(nvml.TemperatureSensors) (uint32, nvml.Return) { return no() },
		GetUtilizationRatesFunc:             func() (nvml.Utilization, nvml.Return) { return nvml.Utilization{Gpu: 7}, nvml.ERROR_NOT_SUPPORTED },
		GetMemoryInfoFunc:                   func() (nvml.Memory, nvml.Return) { return nvml.Memory{Used: 7}, nvml.ERROR_NOT_SUPPORTED },
		GetCurrentClocksEventReasonsFunc:    reasons,
		GetCurrentClocksThrottleReasonsFunc: reasons,
	}
}

// TestWhatADeviceDoesNotReportIsAbsent: an error of the library gives no value, and a reported zero stays one.
func TestWhatADeviceDoesNotReportIsAbsent(t *testing.T) {
	lib := &fakeLibrary{}
	s, ok := open(lib, func() bool { return true })
	if !ok {
		t.Fatal("no source")
	}
	want := []vitals.Device{{
		Index: 0, Name: "NVIDIA H100", UUID: "GPU-00112233-4455-6677-8899-aabbccddeeff", PCI: "0001:3b:02.0",
		Utilization: engine.Known(uint32(97)), MemoryUtilization: engine.Known(uint32(0)),
		MemoryUsed: engine.Known(uint64(3)), MemoryTotal: engine.Known(uint64(80)), Power: engine.Known(uint32(310_000)),
		Throttle: engine.Known(vitals.PowerCap | vitals.ThermalHardware),
	}, {Index: 1}}
	if diff := cmp.Diff(want, s.Read(), cmp.Comparer(func(a, b vitals.Device) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	major, minor, ok := s.(*source).computeCapability(engine.Identity{UUID: "00112233-4455-6677-8899-aabbccddeeff"})
	if !ok || major != 9 || minor != 0 {
		t.Errorf("compute capability %d.%d, %v", major, minor, ok)
	}
	if _, _, ok := s.(*source).computeCapability(engine.Identity{UUID: "f"}); ok {
		t.Error("a device that is not there has a compute capability")
	}
	if s.Close(); lib.closed != 1 {
		t.Errorf("the library was shut down %d times", lib.closed)
	}
}

// TestAHostWithoutTheLibrary: the library is absent on most hosts, and that is not an error.
func TestAHostWithoutTheLibrary(t *testing.T) {
	if s, ok := open(&fakeLibrary{missing: true}, nil); ok {
		t.Errorf("a source without a library: %v", s)
	}
	s, ok := Open() // the host's own: whichever it is, it must not fail
	if ok {
		s.Close()
	}
}
