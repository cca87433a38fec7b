package bench

import (
	"vyretop/engine"
	"vyretop/gl"
	"vyretop/megakernel"
)

// Limit is what a metric cannot be better than on the device, by other measurements of the run.
type Limit struct {
	Value float64 `json:"value"` // in the metric's unit
	What  string  `json:"what"`  // the resource that is used up then
}

const (
	roundTrip = "a store of the host and its echo by a running kernel"
	traffic   = "loads and stores of the slots alone"
	hostCopy  = "writing the slots alone, on one core of the host"
	bellCopy  = "writing the slots and a bell that another core reads"
	logWrites = "stores of the device to host-visible memory"
)

// limit fills in the limits of everything that was measured.
func (r *Report) limit() {
	var visible gl.Memory
	for _, m := range r.Memory {
		if m.Class == engine.HostVisible.String() {
			visible = m
		}
	}
	trip := visible.RoundTripNs.Or(0) / 1e3
	copied, slots := r.value("slot_copy"), r.value("slot_traffic")
	single := Limit{copied, hostCopy}
	if r.Software { // the workers read the bell as another core does; elsewhere they read it across a bus
		single = Limit{r.value("bell_copy"), bellCopy}
	}
	for name, l := range map[string]Limit{
		"submit_to_done": {trip, roundTrip},
		"pause_all":      {trip, roundTrip},
		"publish_single": single,
		"publish_batch":  {copied, hostCopy},
		"host_fed":       {inverse(copied / 1e9), hostCopy},
		"resident_noop":  {slots, traffic},
		"resident_simd":  {slots, traffic},
		"resident_full":  {slots, traffic},
		"log_records":    {visible.DeviceWrite.MBPerS.Or(0) * 1e6 / (4 * megakernel.LogRecordWords), logWrites},
	} {
		if m := r.Metric(name); m != nil && l.Value > 0 {
			l.Value = round(l.Value)
			m.Limit = &l
		}
	}
}

// value is the value of a metric, 0 when it was not measured.
func (r *Report) value(name string) float64 {
	if m := r.Metric(name); m != nil {
		return m.Value.Or(0)
	}
	return 0
}

func inverse(v float64) float64 {
	if v <= 0 {
		return 0
	}
	return 1 / v
}
