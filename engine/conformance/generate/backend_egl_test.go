//go:build cgo && egl

package generate

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/gl"
)

func fuzzBackend(t testing.TB) engine.Backend {
	return backendtest.OpenGL(t, gl.Options{ProgramCache: gl.NoProgramCache})
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
