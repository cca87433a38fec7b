package bench

import (
	"vyretop/engine"
	"vyretop/gl"
)

// Schema names the document of a run.
const Schema = "vyretop.bench/1"

// Report is what one run found.
type Report struct {
	Schema  string `json:"schema"` // Schema
	Version string `json:"version"`
	Backend string `json:"backend"`
	// Device, Renderer and Driver are as in engine.Identity.
	Device   string `json:"device"`
	Renderer string `json:"renderer"`
	Driver   string `json:"driver"`
	// Placement says where a buffer of each class ends up.
	Placement map[string]string `json:"placement"`
	// Memory is what reaching each class costs, on backends that can measure it.
	Memory        []gl.Memory `json:"memory,omitempty"`
	Workers       int         `json:"workers"`
	WorkgroupSize int         `json:"workgroup_size"`
	CPUs          int         `json:"cpus"`
	Software      bool        `json:"software_device"` // the device is the CPU
	// Load is the number of runnable threads of the machine before the run, averaged over a minute.
	Load engine.Optional[float64] `json:"load,omitzero"`
	// Oversubscribed says that the run and what else was runnable wanted more processors than there are.
	Oversubscribed bool     `json:"cpus_oversubscribed"`
	Rounds         int      `json:"rounds"`                // in which each metric had its turn
	ForS           float64  `json:"for_s,omitempty"`       // --for, in seconds
	Only           []string `json:"only,omitempty"`        // --only
	Interrupted    bool     `json:"interrupted,omitempty"` // before its time was up: metrics without a turn are left out
	ElapsedMs      float64  `json:"elapsed_ms"`
	Metrics        []Metric `json:"metrics"`
}

// Metric is one measurement. It has a Value, or quantiles, or says why not.
type Metric struct {
	Name  string                   `json:"name"`
	Unit  string                   `json:"unit"`
	Value engine.Optional[float64] `json:"value,omitzero"`
	// Low and High are the extremes over the rounds of the run, or the quarters of a median.
	Low  engine.Optional[float64] `json:"low,omitzero"`
	High engine.Optional[float64] `json:"high,omitzero"`
	*Quantiles
	// N is the number of samples of a latency, or of what was counted for a rate.
	N             int64 `json:"n"`
	Workers       int   `json:"workers,omitempty"` // workgroups of this measurement; goroutines of go_pool
	WorkgroupSize int   `json:"workgroup_size,omitempty"`
	// Also holds what was found on the way, by name with unit.
	Also map[string]float64 `json:"also,omitempty"`
	// Compare says how many times better this metric is than another of the run.
	Compare map[string]float64 `json:"compare,omitempty"`
	// Limit is what the metric cannot be better than, where that is known.
	Limit *Limit `json:"limit,omitempty"`
	Error string `json:"error,omitempty"`
}

// Quantiles of a latency, in the metric's unit.
type Quantiles struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// LatencySamples is how many samples the quantiles of a latency need.
const LatencySamples = 100_000

// also adds something that was found on the way.
func (m *Metric) also(name string, v float64) {
	if m.Also == nil {
		m.Also = map[string]float64{}
	}
	m.Also[name] = round(v)
}

// Metric returns the metric of a name, or nil.
func (r *Report) Metric(name string) *Metric {
	for i := range r.Metrics {
		if r.Metrics[i].Name == name {
			return &r.Metrics[i]
		}
	}
	return nil
}

// Failed is the names of the metrics that have an error.
func (r *Report) Failed() []string {
	var names []string
	for _, m := range r.Metrics {
		if m.Error != "" {
			names = append(names, m.Name)
		}
	}
	return names
}
