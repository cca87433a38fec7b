package bfs

import (
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
)

// BenchmarkEdgesPerSecond searches a Graph500 graph on each backend. The metric edges/s counts each edge
// once, for levels and components together, from the first task to the complete result.
func BenchmarkEdgesPerSecond(b *testing.B) {
	spec := map[string]string{"reference": "kronecker:12", "gl": "kronecker:16"}
	for name, open := range backendtest.All {
		b.Run(name, func(b *testing.B) {
			backend := open(b)
			m := rig.Manifest(b, "bfs")
			edges, seconds := 0, 0.0
			for b.Loop() {
				out, err := rig.Run(b.Context(), backend, New(m, Options{Generate: spec[name]}), rig.Shape{Full: true})
				if err != nil || !out.Verification.OK {
					b.Fatal(out.Verification, err)
				}
				edges += out.Result.(Result).Edges
				seconds += out.Running.Seconds()
			}
			b.ReportMetric(float64(edges)/seconds, "edges/s")
		})
	}
}
