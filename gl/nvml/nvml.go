//go:build cgo && egl

package nvml

import (
	"fmt"
	"slices"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"vyretop/engine"
	"vyretop/engine/vitals"
)

// library is what this package needs of the management library.
type library interface {
	Init() nvml.Return
	Shutdown() nvml.Return
	DeviceGetCount() (int, nvml.Return)
	DeviceGetHandleByIndex(index int) (nvml.Device, nvml.Return)
}

// Open implements vitals.Opener. ok is false where the library is missing, or older or newer than the driver.
func Open() (s vitals.Source, ok bool) {
	lib := nvml.New()
	// Drivers before 535 have no event reasons, and a call of a missing function ends the process.
	return open(lib, func() bool { return lib.Extensions().LookupSymbol("nvmlDeviceGetCurrentClocksEventReasons") == nil })
}

func open(lib library, events func() bool) (vitals.Source, bool) {
	if lib.Init() != nvml.SUCCESS {
		return nil, false
	}
	s := &source{library: lib, events: events()}
	n, ret := lib.DeviceGetCount()
	for i := 0; ret == nvml.SUCCESS && i < n; i++ {
		if d, ret := lib.DeviceGetHandleByIndex(i); ret == nvml.SUCCESS {
			s.cards = append(s.cards, card{d, identify(i, d)})
		}
	}
	if len(s.cards) == 0 {
		s.Close()
		return nil, false
	}
	return s, true
}

// ComputeCapability is the architecture of the device that a backend runs on. ok is false where the library or the
// device is missing.
func ComputeCapability(id engine.Identity) (major, minor int, ok bool) {
	s, ok := Open()
	if !ok {
		return 0, 0, false
	}
	defer s.Close()
	return s.(*source).computeCapability(id)
}

func (s *source) computeCapability(id engine.Identity) (major, minor int, ok bool) {
	list := s.identities()
	vitals.Mark(list, id)
	i := slices.IndexFunc(list, func(d vitals.Device) bool { return d.InUse })
	if i < 0 {
		return 0, 0, false
	}
	major, minor, ret := s.cards[i].GetCudaComputeCapability()
	return major, minor, ret == nvml.SUCCESS
}

// identities are the devices with what of them does not change.
func (s *source) identities() []vitals.Device {
	out := make([]vitals.Device, len(s.cards))
	for i := range s.cards {
		out[i] = s.cards[i].fixed
	}
	return out
}

// source implements vitals.Source.
type source struct {
	library library
	events  bool // the library knows event reasons, which replace throttle reasons
	cards   []card
}

// card is a device with what of it does not change.
type card struct {
	nvml.Device
	fixed vitals.Device
}

// Close implements vitals.Source.
func (s *source) Close() { s.library.Shutdown() }

// Read implements vitals.Source.
func (s *source) Read() []vitals.Device {
	out := make([]vitals.Device, len(s.cards))
	for i, c := range s.cards {
		out[i] = c.read(s.events)
	}
	return out
}

// known is a value that the library gave, or an absent one.
func known[T any](v T, ret nvml.Return) engine.Optional[T] {
	if ret != nvml.SUCCESS {
		return engine.Optional[T]{}
	}
	return engine.Known(v)
}

func identify(index int, d nvml.Device) vitals.Device {
	out := vitals.Device{Index: index}
	if name, ret := d.GetName(); ret == nvml.SUCCESS {
		out.Name = name
	}
	if uuid, ret := d.GetUUID(); ret == nvml.SUCCESS {
		out.UUID = uuid
	}
	if pci, ret := d.GetPciInfo(); ret == nvml.SUCCESS {
		out.PCI = fmt.Sprintf("%04x:%02x:%02x.0", pci.Domain, pci.Bus, pci.Device)
	}
	out.MaxClock = known(d.GetMaxClockInfo(nvml.CLOCK_SM))
	out.PowerLimit = known(d.GetEnforcedPowerLimit())
	out.SlowdownAt = known(d.GetTemperatureThreshold(nvml.TEMPERATURE_THRESHOLD_SLOWDOWN))
	return out
}

// read adds what changes.
func (c *card) read(events bool) vitals.Device {
	out := c.fixed
	if use, ret := c.GetUtilizationRates(); ret == nvml.SUCCESS {
		out.Utilization, out.MemoryUtilization = engine.Known(use.Gpu), engine.Known(use.Memory)
	}
	if m, ret := c.GetMemoryInfo(); ret == nvml.SUCCESS {
		out.MemoryUsed, out.MemoryTotal = engine.Known(m.Used), engine.Known(m.Total)
	}
	out.Clock = known(c.GetClockInfo(nvml.CLOCK_SM))
	out.MemoryClock = known(c.GetClockInfo(nvml.CLOCK_MEM))
	out.Power = known(c.GetPowerUsage())
	out.Temperature = known(c.GetTemperature(nvml.TEMPERATURE_GPU))
	ask := c.GetCurrentClocksThrottleReasons
	if events {
		ask = c.GetCurrentClocksEventReasons
	}
	if bits, ret := ask(); ret == nvml.SUCCESS {
		out.Throttle = engine.Known(reasons(bits))
	}
	return out
}

// reasonBits pairs the library's reasons with those of package vitals.
var reasonBits = [...]struct {
	bit    uint64
	reason vitals.Reason
}{
	{nvml.ClocksEventReasonGpuIdle, vitals.Idle},
	{nvml.ClocksEventReasonApplicationsClocksSetting, vitals.ApplicationClocks},
	{nvml.ClocksEventReasonSwPowerCap, vitals.PowerCap},
	{nvml.ClocksThrottleReasonHwSlowdown, vitals.HardwareSlowdown},
	{nvml.ClocksEventReasonSyncBoost, vitals.SyncBoost},
	{nvml.ClocksEventReasonSwThermalSlowdown, vitals.ThermalSoftware},
	{nvml.ClocksThrottleReasonHwThermalSlowdown, vitals.ThermalHardware},
	{nvml.ClocksThrottleReasonHwPowerBrakeSlowdown, vitals.PowerBrake},
	{nvml.ClocksEventReasonDisplayClockSetting, vitals.DisplayClocks},
}

func reasons(bits uint64) (out vitals.Reason) {
	for _, b := range reasonBits {
		if bits&b.bit != 0 {
			out |= b.reason
		}
	}
	return out
}
