//go:build cgo && egl

package dispatch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/gl"
)

// TestLoopsThatTheDeviceEndsWriteNothing: loops of 100,000 rounds run to their end, or the dispatch fails, names the loop
// and leaves the output as it was.
func TestLoopsThatTheDeviceEndsWriteNothing(t *testing.T) {
	b := backendtest.OpenGL(t, gl.Options{})
	_, limited := b.Profile().LoopIterationLimit.Get()
	p := compiled(t, `layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint n[]; };
void main() {
	uint i = gl_GlobalInvocationID.x, k = 0u;
	for (uint j = 0u; j < 9u; j++) k += j;
	for (uint j = 0u; j < 100000u; j++) k += j & 1u;
	n[i] = k;
}
`)
	out := filepath.Join(t.TempDir(), "out")
	check(t, os.WriteFile(out, []byte("old"), 0o600))
	r := &Request{Sizes: map[uint32]uint64{0: 64}, Outputs: map[uint32]string{0: out}, Config: engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}}}
	_, err := Run(t.Context(), b, p, r)
	written, _ := os.ReadFile(out)
	switch {
	case !limited && (err != nil || len(written) != 64 || written[1] != 50036>>8):
		t.Errorf("%v, % x", err, written)
	case limited && (!errors.Is(err, engine.ErrLoopLimit) || string(written) != "old"):
		t.Errorf("%v, % x", err, written)
	case limited && (!strings.Contains(err.Error(), "test.comp:7:2: ") || strings.Count(err.Error(), "Fix: ") != 1):
		t.Errorf("got %v", err)
	}
}
