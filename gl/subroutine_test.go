//go:build cgo && egl

package gl

import (
	"fmt"
	"slices"
	"testing"

	"vyretop/engine"
)

// apart is a kernel whose functions the driver compiles on their own: one calls the other, so only that is.
func apart(t testing.TB, factor int) *engine.Program {
	t.Helper()
	p, err := engine.CompileText("apart", fmt.Sprintf(`#version 450
#pragma vyretop noinline
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint v[]; };
uint twice(uint a) { return a + a; }
void scale(inout uint a, out uint b) { b = a; a *= %du; }
uint both(uint a) { uint b; scale(a, b); return twice(a) + b; }
void main() { v[gl_WorkGroupID.x] = both(gl_WorkGroupID.x); }
`, factor))
	check(t, err)
	return p
}

// TestSubroutinesAreSetForEachDispatch alternates between programs, since a context forgets the subroutines of one when another is
// used, and loads one from the disk.
func TestSubroutinesAreSetForEachDispatch(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, ProgramCache: dir})
		out := allocate(t, b, 3, engine.HostVisible)
		triple, five, plain := compile(t, b, apart(t, 3)), compile(t, b, apart(t, 5)), compile(t, b, triples(7))
		for range 2 {
			for pl, want := range map[engine.Pipeline][]uint32{triple: {0, 7, 14}, five: {0, 11, 22}, plain: {0, 7, 14}} {
				wait(t, start(t, pl, 3, out))
				if got := read(t, out); !slices.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
			}
		}
	}
}
