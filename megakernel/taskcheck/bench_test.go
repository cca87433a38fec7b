package taskcheck

import (
	"testing"

	"vyretop/engine/check"
	"vyretop/engine/reference"
	"vyretop/megakernel/run"
)

// BenchmarkOverhead runs shipped workloads in turns with all checkers and without any, and reports how many times as long
// the work takes.
func BenchmarkOverhead(b *testing.B) {
	for _, w := range []struct {
		name   string
		values map[string]string
	}{
		{"collatz", map[string]string{"count": "2000"}},
		{"bfs", map[string]string{"generate": "kronecker:9"}},
		{"render", map[string]string{"width": "24", "height": "16", "samples": "1"}},
		{"scan", map[string]string{"path": "../kernel/glsl"}},
	} {
		b.Run(w.name, func(b *testing.B) {
			d, err := run.OpenWorkload(w.name)
			if err != nil {
				b.Fatal(err)
			}
			c := Config{Definition: d, Values: w.values}
			var with, without float64
			for range b.N {
				checked, err := Run(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				plain, err := c.start(b.Context(), func(*reference.Options, *check.Monitor) {})
				if err != nil {
					b.Fatal(err)
				}
				with += checked.worked.Seconds()
				without += plain.worked.Seconds()
			}
			b.ReportMetric(with/without, "times")
		})
	}
}
