package bench

import "strings"

// tasksPerS is the name under which a latency says how many tasks a second it makes.
const tasksPerS = "tasks_per_s"

// comparisons says what each metric is compared with.
var comparisons = []struct {
	metric string
	with   []string
}{
	{"submit_to_done", []string{"dispatch_fence", "dispatch_indirect", "go_pool_latency"}},
	{"publish_batch", []string{"publish_single"}},
	{"resident_noop", []string{"slot_traffic", "naive_scan", "dispatch_batch_4096", "go_pool"}},
	{"resident_simd", []string{"naive_scan", "dispatch_batch_4096", "go_pool"}},
	{"resident_full", []string{"naive_scan", "go_pool"}},
	{"resident_special", []string{"resident_many"}},
	{"scan", []string{"scan_ripgrep"}},
	{"grep", []string{"grep_ripgrep"}},
	{"start_now", []string{"cold_start"}},
	{"stored_start", []string{"cold_start"}},
	{"host_fed", []string{
		"dispatch_fence", "dispatch_batch_64", "dispatch_batch_4096",
		"dispatch_indirect", "dispatch_indirect_64", "dispatch_indirect_4096", "go_pool",
	}},
}

// compare fills in the ratios of everything that was measured.
func (r *Report) compare() {
	for _, c := range comparisons {
		m := r.Metric(c.metric)
		if m == nil {
			continue
		}
		for _, name := range c.with {
			other := r.Metric(name)
			if other == nil {
				continue
			}
			if ratio, ok := m.timesBetter(other); ok {
				if m.Compare == nil {
					m.Compare = map[string]float64{}
				}
				m.Compare[name] = round(ratio)
			}
		}
	}
}

// timesBetter is how many times better m is than o: by their medians where both are latencies, by
// tasks a second where both make tasks, by value where they have one unit.
func (m *Metric) timesBetter(o *Metric) (float64, bool) {
	if m.Quantiles != nil && o.Quantiles != nil {
		return quotient(o.P50, m.P50)
	}
	if a, ok := m.rate(); ok {
		b, ok := o.rate()
		if !ok {
			return 0, false
		}
		return quotient(a, b)
	}
	if m.Unit != o.Unit {
		return 0, false
	}
	if strings.HasSuffix(m.Unit, "/s") {
		return quotient(m.Value.Or(0), o.Value.Or(0))
	}
	return quotient(o.Value.Or(0), m.Value.Or(0))
}

// rate is how many tasks a second a metric stands for.
func (m *Metric) rate() (float64, bool) {
	if m.Unit == "tasks/s" {
		return m.Value.Get()
	}
	v, ok := m.Also[tasksPerS]
	return v, ok
}

func quotient(a, b float64) (float64, bool) {
	if a <= 0 || b <= 0 {
		return 0, false
	}
	return a / b, true
}
