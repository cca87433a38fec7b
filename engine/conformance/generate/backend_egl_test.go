//go:build cgo && egl

package generate

import (
	"os"
	"strconv"
	"testing"

	"vyretop/engine"
	"vyretop/gl"
)

// fuzzBackend opens the device of the environment variable VYRETOP_TEST_DEVICE, or the best one.
func fuzzBackend(t testing.TB) engine.Backend {
	t.Helper()
	device := gl.AutoDevice
	if v := os.Getenv("VYRETOP_TEST_DEVICE"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		device = n
	}
	b, err := gl.Open(t.Context(), gl.Options{Device: device, SkipProbes: true, ProgramCache: gl.NoProgramCache})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// BenchmarkFuzzProgram measures one random kernel, from the tape to the verdict, on one context.
func BenchmarkFuzzProgram(b *testing.B) {
	r := newRunner(b, fuzzBackend(b))
	n := uint64(0)
	for b.Loop() {
		check(b, r, Random(13, n))
		n++
	}
}
