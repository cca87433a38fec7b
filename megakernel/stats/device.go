package stats

import (
	"vyretop/engine"
	"vyretop/engine/vitals"
)

// devices are the vitals of the device that the target runs on.
var devices = []Metric{
	vital("device_utilization_percent", "time in which the device ran a kernel, of any process", func(d *vitals.Device) engine.Optional[uint32] { return d.Utilization }),
	vital("device_memory_utilization_percent", "time in which its memory was read or written", func(d *vitals.Device) engine.Optional[uint32] { return d.MemoryUtilization }),
	vital("device_memory_used_bytes", "memory of the device in use, by any process", func(d *vitals.Device) engine.Optional[uint64] { return d.MemoryUsed }),
	vital("device_memory_total_bytes", "memory of the device", func(d *vitals.Device) engine.Optional[uint64] { return d.MemoryTotal }),
	vital("device_clock_mhz", "clock of its compute units", func(d *vitals.Device) engine.Optional[uint32] { return d.Clock }),
	vital("device_memory_clock_mhz", "clock of its memory", func(d *vitals.Device) engine.Optional[uint32] { return d.MemoryClock }),
	vital("device_power_mw", "power that it draws", func(d *vitals.Device) engine.Optional[uint32] { return d.Power }),
	vital("device_temperature_c", "its temperature", func(d *vitals.Device) engine.Optional[uint32] { return d.Temperature }),
	{"device_throttle", "why its clocks are held down: none, idle, power cap, ...", func(s *Sample) any {
		if d := s.Now.Vitals.Target(); d != nil {
			if why, ok := d.Throttle.Get(); ok {
				return why.String()
			}
		}
		return nil
	}},
}

// vital makes a metric of a value that the device reports.
func vital[T uint32 | uint64](name, help string, read func(*vitals.Device) engine.Optional[T]) Metric {
	return Metric{name, help, func(s *Sample) any {
		if d := s.Now.Vitals.Target(); d != nil {
			if v, ok := read(d).Get(); ok {
				return uint64(v)
			}
		}
		return nil
	}}
}
