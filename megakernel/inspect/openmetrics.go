package inspect

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
)

// OpenMetricsType is the content type of WriteOpenMetrics.
const OpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// totals are the metrics that only grow while a target lives.
var totals = map[string]bool{
	"done": true, "faulted": true, "imported": true, "spawned": true, "submitted": true, "activations": true, "yields": true, "requeues": true, "pauses": true, "claims": true,
	"empty_passes": true, "starved": true, "violations": true, "spawn_full": true, "reaped": true, "log_lost": true, "log_records": true,
	"served_critical": true, "served_high": true, "served_normal": true, "served_low": true, "served_idle": true,
}

// WriteOpenMetrics writes the metrics of a sample as text of OpenMetrics (https://prometheus.io/docs/specs/om/open_metrics_spec), which
// Prometheus scrapes. Units are base units: seconds, and ratios for percent. What is not known is left out. Rates and changes are, too: those who scrape
// make them from totals.
func WriteOpenMetrics(w io.Writer, t *megakernel.Target, s *stats.Sample) error {
	o := &openMetrics{labels: fmt.Sprintf(`workload="%s",backend="%s"`, labelText(t.Workload), labelText(t.Backend))}
	o.family("vyretop_target", "info", "what runs where")
	o.line("vyretop_target_info", fmt.Sprintf(`renderer="%s",driver="%s"`, labelText(t.Renderer), labelText(t.Driver)), "1")
	for i := range stats.Metrics {
		m := &stats.Metrics[i]
		if strings.HasSuffix(m.Name, "_per_s") || strings.HasSuffix(m.Name, "_delta") {
			continue
		}
		o.metric(m, m.Value(s))
	}
	o.text.WriteString("# EOF\n")
	_, err := io.WriteString(w, o.text.String())
	return err
}

// openMetrics is the text so far.
type openMetrics struct {
	text   strings.Builder
	labels string // that every sample has
}

func (o *openMetrics) family(name, kind, help string) {
	help = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(help)
	fmt.Fprintf(&o.text, "# TYPE %s %s\n# HELP %s %s\n", name, kind, name, help)
}

func (o *openMetrics) line(name, labels, value string) {
	if labels != "" {
		labels = "," + labels
	}
	fmt.Fprintf(&o.text, "%s{%s%s} %s\n", name, o.labels, labels, value)
}

// scales are the suffixes of names whose units are not base units, what they become, and how many of the unit make one.
var scales = []struct {
	suffix, base string
	per          float64
}{{"_ms", "_seconds", 1e3}, {"_us", "_seconds", 1e6}, {"_ns", "_seconds", 1e9}, {"_percent", "_ratio", 100}, {"_bps", "_ratio", 1e4}, {"_mhz", "_hertz", 1e-6}, {"_mib", "_bytes", 1.0 / (1 << 20)}, {"_c", "_celsius", 1}, {"_mw", "_watts", 1e3}, {"_w", "_watts", 1}}

func (o *openMetrics) metric(m *stats.Metric, v any) {
	name := "vyretop_" + m.Name
	switch v := v.(type) {
	case bool:
		bit := "0"
		if v {
			bit = "1"
		}
		o.family(name, "gauge", m.Help)
		o.line(name, "", bit)
	case string:
		o.family(name, "info", m.Help)
		o.line(name+"_info", fmt.Sprintf(`%s="%s"`, m.Name, labelText(v)), "1")
	case uint64:
		if totals[m.Name] {
			o.family(name, "counter", m.Help)
			o.line(name+"_total", "", strconv.FormatUint(v, 10))
			return
		}
		if left, ok := strings.CutSuffix(name, "_total"); ok {
			name = left + "_whole" // the suffix is that of counters
		}
		value := strconv.FormatUint(v, 10)
		for _, s := range scales {
			if base, ok := strings.CutSuffix(name, s.suffix); ok {
				name, value = base+s.base, strconv.FormatFloat(float64(v)/s.per, 'g', -1, 64)
				break
			}
		}
		o.family(name, "gauge", m.Help)
		o.line(name, "", value)
	}
}

// labelText escapes a text for the value of a label.
func labelText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(text, "?"))
}
