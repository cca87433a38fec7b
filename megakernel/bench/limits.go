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
	bellReads = "writing slots and bells that another core reads"
	pauseTrip = "a store of the host and its echo by a running kernel, and one scheduling pass of all workers"
	logWrites = "stores of the device to host-visible memory"
	logReads  = "the host's reads of that memory"
	logWriter = "the records that one worker writes, whether or not they are read (log_records)"
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
	record := 4.0 * megakernel.LogRecordWords / 1e6 // of a MB
	logs := Limit{visible.DeviceWrite.MBPerS.Or(0) / record, logWrites}
	if read := visible.HostRead.MBPerS.Or(0) / record; read < logs.Value {
		logs = Limit{read, logReads}
	}
	for name, l := range map[string]Limit{
		"submit_to_done": {trip, roundTrip},
		"pause_all":      {trip + r.pass(), pauseTrip},
		"publish_single": {r.value("bell_copy"), bellReads},
		"publish_batch":  {r.value("batch_copy"), bellReads},
		"host_fed":       {inverse(copied / 1e9), hostCopy},
		"resident_noop":  {slots, traffic},
		"resident_simd":  {slots, traffic},
		"resident_full":  {slots, traffic},
		"log_records":    logs,
		"log_taken":      {r.written(), logWriter},
	} {
		if m := r.Metric(name); m != nil && l.Value > 0 {
			l.Value = round(l.Value)
			m.Limit = &l
		}
	}
}

// written is the number of records a second that workers wrote while the host read as many of them as it could; 0 where that is
// not of one worker, as log_taken is.
func (r *Report) written() float64 {
	m := r.Metric("log_records")
	if m == nil || m.Workers != 1 {
		return 0
	}
	return m.Value.Or(0) / (1 - m.Also["lost_percent"]/100)
}

// pass is the time in us of a scheduling pass of all workers that run one activation on each lane.
func (r *Report) pass() float64 {
	m := r.Metric("resident_strict")
	if m == nil || m.Value.Or(0) <= 0 {
		return 0
	}
	return float64(m.Workers*m.WorkgroupSize) / m.Value.Or(0) * 1e6
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
