package render

import (
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
)

// BenchmarkSamplesPerSecond renders the shipped scene on each backend. The metric samples/s counts paths,
// from the first task to the complete picture.
func BenchmarkSamplesPerSecond(b *testing.B) {
	sizes := map[string]picture{
		"reference": {width: 24, height: 16, tile: 8, samples: 2, depth: 5, seed: 1},
		"gl":        {width: 120, height: 80, tile: 8, samples: 8, depth: 5, seed: 1},
	}
	for name, open := range backendtest.All {
		b.Run(name, func(b *testing.B) {
			backend, m, p := open(b), rig.Manifest(b, "render"), sizes[name]
			samples, seconds := 0, 0.0
			for b.Loop() {
				out, err := rig.Run(b.Context(), backend, New(m, Options{picture: p}), rig.Shape{Full: true})
				if err != nil || !out.Verification.OK {
					b.Fatal(out.Verification, err)
				}
				samples += p.width * p.height * p.samples
				seconds += out.Running.Seconds()
			}
			b.ReportMetric(float64(samples)/seconds, "samples/s")
		})
	}
}
