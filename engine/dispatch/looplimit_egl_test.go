//go:build cgo && egl

package dispatch

import (
	"encoding/binary"
	"errors"
	"fmt"
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

// loopsThatReadTheirExit leave in round 51 by what they stored before.
var loopsThatReadTheirExit = map[string]string{
	"while":    "while (true) { r[i]++; if (r[i] > 50u) break; }",
	"head":     "r[i] = 1u; while (r[i] <= 50u) r[i]++;",
	"for":      "for (;;) { r[i]++; if (r[i] > 50u) break; }",
	"do":       "do { r[i]++; } while (r[i] <= 50u);",
	"nested":   "while (true) { for (uint k = 0u; k < 2u; k++) r[i]++; if (r[i] > 50u) { r[i] = 51u; break; } }",
	"return":   "while (true) { r[i]++; if (r[i] > 50u) return; }",
	"continue": "while (true) { r[i]++; if (r[i] <= 50u) continue; break; }",
	"atomic":   "while (true) { if (atomicAdd(r[i], 1u) >= 50u) break; }",
	"barrier":  "while (true) { r[i]++; barrier(); if (r[i] > 50u) break; }",
}

// TestIdleLanesReachNoLoopLimit: a workgroup that does not fill the device's vectors ends its loops as a full one does.
func TestIdleLanesReachNoLoopLimit(t *testing.T) {
	b := backendtest.OpenGL(t, gl.Options{})
	for shape, loop := range loopsThatReadTheirExit {
		for size := 1; size <= 9; size++ {
			t.Run(fmt.Sprintf("%s/%d", shape, size), func(t *testing.T) {
				p := compiled(t, fmt.Sprintf("layout(local_size_x = %d) in;\nlayout(std430, binding = 0) buffer R { uint r[]; };\nvoid main() { uint i = gl_GlobalInvocationID.x; %s }\n", size, loop))
				out := filepath.Join(t.TempDir(), "out")
				r := &Request{Sizes: map[uint32]uint64{0: uint64(8 * size)}, Outputs: map[uint32]string{0: out}, Config: engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}}}
				_, err := Run(t.Context(), b, p, r)
				check(t, err)
				written, err := os.ReadFile(out)
				check(t, err)
				for at := 0; at < 8*size; at += 4 {
					if n := binary.LittleEndian.Uint32(written[at:]); n != 51 {
						t.Errorf("word %d is %d, want 51", at/4, n)
					}
				}
			})
		}
	}
}

// TestIdleLanesOfRowsReachNoLoopLimit: as TestIdleLanesReachNoLoopLimit, for workgroups of several dimensions, also those
// that a grid barrier divides.
func TestIdleLanesOfRowsReachNoLoopLimit(t *testing.T) {
	b := backendtest.OpenGL(t, gl.Options{})
	for _, size := range [][3]uint32{{1, 1, 1}, {1, 3, 1}, {3, 2, 1}, {1, 2, 3}, {5, 1, 3}} {
		for _, between := range []string{"barrier();", "gridBarrier();"} {
			for _, shape := range []string{"while", "do", "atomic"} {
				t.Run(fmt.Sprintf("%v/%s/%s", size, strings.TrimSuffix(between, "();"), shape), func(t *testing.T) {
					for i, n := range twoLoops(t, b, size, between, loopsThatReadTheirExit[shape]) {
						if n != 51 {
							t.Fatalf("word %d is %d, want 51", i, n)
						}
					}
				})
			}
		}
	}
}

// twoLoops runs a loop, what stands between, and the loop again, and returns what each invocation has counted.
func twoLoops(t *testing.T, b engine.Backend, size [3]uint32, between, loop string) []uint32 {
	t.Helper()
	count := size[0] * size[1] * size[2]
	p := compiled(t, fmt.Sprintf(`layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;
layout(std430, binding = 0) buffer R { uint r[]; };
void main() {
	uint i = ((gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x) * %du + gl_LocalInvocationIndex;
	%s
	%s
	r[i] = 0u;
	%s
}
`, size[0], size[1], size[2], count, loop, between, loop))
	out := filepath.Join(t.TempDir(), "out")
	r := &Request{Sizes: map[uint32]uint64{0: uint64(4 * 12 * count)}, Outputs: map[uint32]string{0: out}, Config: engine.DispatchConfig{Grid: [3]uint32{2, 3, 2}}}
	_, err := Run(t.Context(), b, p, r)
	check(t, err)
	written, err := os.ReadFile(out)
	check(t, err)
	words := make([]uint32, 12*count)
	if _, err := binary.Decode(written, binary.LittleEndian, words); err != nil {
		t.Fatal(err)
	}
	return words
}

// TestWorkersNeedLoopsWithoutALimit: resident workgroups loop for as long as there is work, so a device that ends loops refuses
// them before anything is written.
func TestWorkersNeedLoopsWithoutALimit(t *testing.T) {
	b := backendtest.OpenGL(t, gl.Options{})
	_, limited := b.Profile().LoopIterationLimit.Get()
	p := compiled(t, "layout(local_size_x = 3) in;\nlayout(std430, binding = 0) buffer R { uint r[]; };\nvoid main() { r[gl_GlobalInvocationID.x] = 1u; }\n")
	out := filepath.Join(t.TempDir(), "out")
	check(t, os.WriteFile(out, []byte("old"), 0o600))
	r := &Request{Sizes: map[uint32]uint64{0: 24}, Outputs: map[uint32]string{0: out}, Config: engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}, PersistentThread: engine.PersistentForce}}
	_, err := Run(t.Context(), b, p, r)
	written, _ := os.ReadFile(out)
	if limited && (!errors.Is(err, engine.ErrUnsupportedFeature) || string(written) != "old") || !limited && err == nil && written[0] != 1 {
		t.Errorf("%v, % x", err, written)
	}
}
