package bench

// goal is what a metric should reach on a device that is the CPU, and on a GPU; 0: there is none.
type goal struct {
	metric   string
	at       string // which figure: "p50", "p99" or "value"
	software float64
	gpu      float64
}

// goals are in the units of the metrics.
var goals = []goal{
	{"submit_to_done", "p50", 0.6, 2.5},
	{"submit_to_done", "p99", 1.5, 5},
	{"pause_all", "p50", 3, 5},
	{"publish_single", "value", 10, 10},
	{"publish_batch", "value", 4, 4},
	{"host_fed", "value", 8e6, 50e6},
	{"resident_noop", "value", 0, 500e6},
	{"resident_simd", "value", 40e6, 500e6},
	{"resident_full", "value", 10e6, 200e6},
	{"log_records", "value", 20e6, 100e6},
	{"log_taken", "value", 20e6, 0},
	{"log_recorded", "value", 5e6, 0},
	{"log_default_cost", "value", 2, 2},
	{"observe_cost", "value", 1, 0.1},
}

// of returns the goal for a report, and the figure of the metric that it is about.
func (g goal) of(r *Report) (want, got float64, ok bool) {
	want = g.gpu
	if r.Software {
		want = g.software
	}
	m := r.Metric(g.metric)
	if m == nil || want == 0 {
		return 0, 0, false
	}
	switch {
	case g.at == "value":
		got, ok = m.Value.Get()
	case m.Quantiles != nil && g.at == "p50":
		got, ok = m.P50, true
	case m.Quantiles != nil:
		got, ok = m.P99, true
	}
	return want, got, ok
}
