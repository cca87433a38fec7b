// Package vitals owns what the devices of a host report about themselves while kernels run: utilization, memory,
// clocks, power, temperature, and why their clocks are held down. A value that a device did not report is absent,
// never zero.
//
// A Sampler polls a Source on a goroutine of its own, so neither a kernel nor a reader of the newest Reading waits
// for a management library.
package vitals

import (
	"strings"

	"vyretop/engine"
)

// Reading is what the devices reported at one time. It is immutable: snapshots share it.
type Reading struct {
	Devices []Device `json:"devices"`
}

// Device is one device of the host.
type Device struct {
	Index int    `json:"index"`          // of the management library
	Name  string `json:"name,omitempty"` // as the management library calls it
	UUID  string `json:"uuid,omitempty"` // "GPU-" and 36 characters
	PCI   string `json:"pci,omitempty"`  // domain:bus:device.function
	InUse bool   `json:"in_use"`         // the target runs on it

	Utilization       engine.Optional[uint32] `json:"utilization_percent,omitzero"`        // of the last sample period in which a kernel ran
	MemoryUtilization engine.Optional[uint32] `json:"memory_utilization_percent,omitzero"` // of that period in which memory was read or written
	MemoryUsed        engine.Optional[uint64] `json:"memory_used_bytes,omitzero"`
	MemoryTotal       engine.Optional[uint64] `json:"memory_total_bytes,omitzero"`
	Clock             engine.Optional[uint32] `json:"clock_mhz,omitzero"` // of the compute units
	MaxClock          engine.Optional[uint32] `json:"max_clock_mhz,omitzero"`
	MemoryClock       engine.Optional[uint32] `json:"memory_clock_mhz,omitzero"`
	Power             engine.Optional[uint32] `json:"power_mw,omitzero"`
	PowerLimit        engine.Optional[uint32] `json:"power_limit_mw,omitzero"`
	Temperature       engine.Optional[uint32] `json:"temperature_c,omitzero"`
	SlowdownAt        engine.Optional[uint32] `json:"slowdown_temperature_c,omitzero"` // at which the device slows itself down
	Throttle          engine.Optional[Reason] `json:"throttle_reasons,omitzero"`
}

// Target returns the device that the target runs on, or nil where that is not known. r may be nil.
func (r *Reading) Target() *Device {
	if r == nil {
		return nil
	}
	for i := range r.Devices {
		if r.Devices[i].InUse {
			return &r.Devices[i]
		}
	}
	return nil
}

// Mark sets InUse of the device that a backend runs on: by its UUID or PCI address where the driver told them.
// Otherwise a single device whose name the renderer contains is it; of several equal ones it is not known which.
func Mark(devices []Device, id engine.Identity) {
	var named []int
	for i, d := range devices {
		switch {
		case id.UUID != "":
			devices[i].InUse = strings.EqualFold(strings.TrimPrefix(d.UUID, "GPU-"), id.UUID)
		case id.PCI != "":
			devices[i].InUse = strings.EqualFold(d.PCI, id.PCI)
		case d.Name != "" && strings.Contains(id.Renderer, d.Name):
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		devices[named[0]].InUse = true
	}
}
