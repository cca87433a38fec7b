// Package openmetrics owns what Prometheus gets of a target: which metrics, by which names and units, and the server that answers with
// them. It is apart from megakernel/inspect, so that only the command that serves metrics depends on the client library.
package openmetrics

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/expfmt"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// totals are the metrics that only grow while a target lives.
var totals = map[string]bool{
	"done": true, "faulted": true, "imported": true, "spawned": true, "submitted": true, "activations": true, "yields": true, "requeues": true, "pauses": true, "claims": true,
	"empty_passes": true, "starved": true, "violations": true, "spawn_full": true, "reaped": true, "log_lost": true, "log_records": true,
	"served_critical": true, "served_high": true, "served_normal": true, "served_low": true, "served_idle": true,
}

// Collector has the metrics of one sample. Units are base units: seconds, and ratios for percent. What is not known is left out. Rates
// and changes are, too: those who scrape make them from totals.
type Collector struct {
	target *megakernel.Target
	sample *stats.Sample
}

// New has the metrics of a sample of a target.
func New(t *megakernel.Target, s *stats.Sample) *Collector { return &Collector{t, s} }

// Registry returns a registry of those metrics and no others. Each has the workload and the backend as labels.
func (c *Collector) Registry() (*prometheus.Registry, error) {
	r := prometheus.NewRegistry()
	labels := prometheus.Labels{"workload": labelText(c.target.Workload), "backend": labelText(c.target.Backend)}
	return r, prometheus.WrapRegistererWith(labels, r).Register(c)
}

// Handler answers any request with the metrics of a registry as OpenMetrics text
// (https://prometheus.io/docs/specs/om/open_metrics_spec).
func Handler(r *prometheus.Registry) http.Handler {
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{EnableOpenMetrics: true, AcceptedFormats: []expfmt.Format{expfmt.FmtOpenMetrics_1_0_0}})
}

// Describe implements prometheus.Collector. Which metrics there are depends on what is known, so none are described.
func (c *Collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	info := prometheus.NewDesc("vyretop_target_info", "what runs where", []string{"renderer", "driver"}, nil)
	out <- constant(info, prometheus.GaugeValue, 1, labelText(c.target.Renderer), labelText(c.target.Driver))
	for i := range stats.Metrics {
		m := &stats.Metrics[i]
		if strings.HasSuffix(m.Name, "_per_s") || strings.HasSuffix(m.Name, "_delta") {
			continue
		}
		if metric := metricOf(m, m.Value(c.sample)); metric != nil {
			out <- metric
		}
	}
}

// constant is a metric with one value.
func constant(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) prometheus.Metric {
	m, err := prometheus.NewConstMetric(d, kind, v, labels...)
	if err != nil {
		return prometheus.NewInvalidMetric(d, err)
	}
	return m
}

// scales are the suffixes of names whose units are not base units, what they become, and how many of the unit make one.
var scales = []struct {
	suffix, base string
	per          float64
}{{"_ms", "_seconds", 1e3}, {"_us", "_seconds", 1e6}, {"_ns", "_seconds", 1e9}, {"_percent", "_ratio", 100}, {"_bps", "_ratio", 1e4}, {"_mhz", "_hertz", 1e-6}, {"_mib", "_bytes", 1.0 / (1 << 20)}, {"_c", "_celsius", 1}, {"_mw", "_watts", 1e3}, {"_w", "_watts", 1}}

// metricOf is a metric with its value, or nil where it is not known.
func metricOf(m *stats.Metric, v any) prometheus.Metric {
	name := "vyretop_" + m.Name
	switch v := v.(type) {
	case bool:
		bit := 0.0
		if v {
			bit = 1
		}
		return constant(prometheus.NewDesc(name, m.Help, nil, nil), prometheus.GaugeValue, bit)
	case string:
		return constant(prometheus.NewDesc(name+"_info", m.Help, []string{m.Name}, nil), prometheus.GaugeValue, 1, labelText(v))
	case uint64:
		if totals[m.Name] {
			return constant(prometheus.NewDesc(name+"_total", m.Help, nil, nil), prometheus.CounterValue, float64(v))
		}
		name, value := scaled(name, float64(v))
		return constant(prometheus.NewDesc(name, m.Help, nil, nil), prometheus.GaugeValue, value)
	}
	return nil
}

// scaled is a name and a value in base units.
func scaled(name string, v float64) (string, float64) {
	if left, ok := strings.CutSuffix(name, "_total"); ok {
		return left + "_whole", v // the suffix is that of counters
	}
	for _, s := range scales {
		if base, ok := strings.CutSuffix(name, s.suffix); ok {
			return base + s.base, v / s.per
		}
	}
	return name, v
}

// labelText is a text as values of labels are: UTF-8.
func labelText(text string) string { return strings.ToValidUTF8(text, "?") }
