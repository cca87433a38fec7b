package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"vyretop/engine"
	"vyretop/gl"
)

// Write prints a report for people: what was measured and where, the latencies, the rates and
// costs, and what compares with what.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %s\n%s\n", r.Backend, r.Renderer, r.Driver, r.machine())
	for _, part := range []grid{r.latencies(), r.values(), r.ratios(), r.limits(), r.memory(), r.failures()} {
		if len(part) < 2 {
			continue // a heading without rows
		}
		fmt.Fprintln(w)
		if err := part.write(w); err != nil {
			return err
		}
	}
	return nil
}

// machine says where the figures come from.
func (r *Report) machine() string {
	cpus := plural(r.CPUs, "CPU")
	if r.Oversubscribed {
		cpus += fmt.Sprintf(" (oversubscribed: load %v before the run)", r.Load)
	}
	var placed []string
	for _, class := range slices.Sorted(maps.Keys(r.Placement)) {
		placed = append(placed, class+"="+r.Placement[class])
	}
	return fmt.Sprintf("%s of %d lanes, %s, placement %s, %s in %.1f s",
		plural(r.Workers, "worker"), r.WorkgroupSize, cpus, strings.Join(placed, " "), plural(r.Rounds, "round"), r.ElapsedMs/1e3)
}

func (r *Report) latencies() grid {
	g := grid{{"latency", "p50", "p99", "p99.9", "max", "samples", "  shape"}}
	for _, m := range r.Metrics {
		if m.Quantiles != nil {
			g.add(m.Name, micro(m.P50), micro(m.P99), micro(m.P999), micro(m.Max), count(m.N), "  "+m.shape())
		}
	}
	return g
}

func (r *Report) values() grid {
	g := grid{{"rate or cost", "", "from", "to", "  shape", "  also found"}}
	for _, m := range r.Metrics {
		if v, ok := m.Value.Get(); ok {
			g.add(m.Name, quantity(v, m.Unit), bound(m.Low, m.Unit), bound(m.High, m.Unit), "  "+m.shape(), "  "+m.alsoText())
		}
	}
	return g
}

func bound(v engine.Optional[float64], unit string) string {
	if v.IsZero() {
		return ""
	}
	return quantity(v.Or(0), unit)
}

// shape is the workers and lanes of a metric.
// shape is the workers and lanes of a measurement that has them.
func (m *Metric) shape() string {
	if m.Workers == 0 {
		return ""
	}
	return fmt.Sprintf("%d x %d", m.Workers, m.WorkgroupSize)
}

func (m *Metric) alsoText() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m.Also)) {
		parts = append(parts, strings.ReplaceAll(name, "_", " ")+" "+three(m.Also[name]))
	}
	return strings.Join(parts, ", ")
}

// ratios are in the order of the table of comparisons.
func (r *Report) ratios() grid {
	g := grid{{"compared in this run", "times better than", ""}}
	for _, c := range comparisons {
		m := r.Metric(c.metric)
		if m == nil {
			continue
		}
		name := m.Name
		for _, other := range c.with {
			if ratio, ok := m.Compare[other]; ok {
				g.add(name, three(ratio), other)
				name = ""
			}
		}
	}
	return g
}

// limits says what each metric cannot be better than, where that is known.
func (r *Report) limits() grid {
	g := grid{{"limit on this device", "", ""}}
	for _, m := range r.Metrics {
		if m.Limit != nil {
			g.add(m.Name, m.limitText(), m.limitedBy())
		}
	}
	return g
}

// memory has a row for each class of buffer: the time of a word that waits for the one before, and the
// rate of many.
func (r *Report) memory() grid {
	g := grid{{"memory", "host reads", "host writes", "device reads", "device writes", "round trip", ""}}
	for _, m := range r.Memory {
		row := []string{m.Class}
		for _, a := range []gl.Access{m.HostRead, m.HostWrite, m.DeviceRead, m.DeviceWrite} {
			row = append(row, access(a))
		}
		g.add(append(row, optional(m.RoundTripNs, func(v float64) string { return micro(v / 1e3) }), "")...)
	}
	return g
}

func access(a gl.Access) string {
	return optional(a.NsPerWord, func(v float64) string { return micro(v / 1e3) }) + ", " +
		optional(a.MBPerS, func(v float64) string { return scaled(v*1e6, "B/s", "kB/s", "MB/s", "GB/s", "TB/s") })
}

// optional shows a figure that may not have been measured.
func optional(v engine.Optional[float64], show func(float64) string) string {
	if known, ok := v.Get(); ok {
		return show(known)
	}
	return "-"
}

func (r *Report) failures() grid {
	g := grid{{"not measured", ""}}
	for _, m := range r.Metrics {
		if m.Error != "" {
			g.add(m.Name, m.Error)
		}
	}
	return g
}
