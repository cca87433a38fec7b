//go:build cgo && egl

package gl

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// outside compiles a text that the front end takes for valid and outside the kernel language.
func outside(t testing.TB, text string) *engine.Program {
	t.Helper()
	p, _, err := engine.CompileProgram("outside", &source.File{Name: "outside.comp", Text: text}, glsl.Options{})
	check(t, err)
	if len(p.Outside) == 0 {
		t.Fatal("the text is inside the kernel language")
	}
	return p
}

// TestKernelsOutsideTheLanguageRun: the driver tells of them what the front end does not understand.
func TestKernelsOutsideTheLanguageRun(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, outside(t, `#version 450
layout(local_size_x = 2, local_size_y = 3) in;
layout(binding = 0, offset = 0) uniform atomic_uint unused;
layout(std430, binding = 2) buffer Known { uint total; uint v[]; };
layout(std430, binding = 1) readonly buffer Unknown { double m[8]; vec4 more[]; };
void main() {
	vec4 row = vec4(m[0] + m[1] + m[2] + m[3]) + more[0];
	atomicAdd(total, uint(row.x));
}
`))
	want := []engine.BufferSpec{{Name: "Unknown", Binding: 1, MinWords: 20}, {Name: "Known", Binding: 2, MinWords: 2}}
	p := pl.Program()
	got := make([]engine.BufferSpec, len(p.Buffers))
	for i, s := range p.Buffers {
		got[i] = engine.BufferSpec{Name: s.Name, Binding: s.Binding, MinWords: s.MinWords}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if want := [3]uint32{2, 3, 1}; p.WorkgroupSize != want {
		t.Errorf("workgroup %v, want %v", p.WorkgroupSize, want)
	}
	in, out := allocate(t, b, 20, engine.HostVisible), allocate(t, b, 2, engine.HostVisible)
	one := []uint32{0, 0x3ff00000}
	for _, at := range []int{0, 2, 4, 6} {
		check(t, in.Upload(within(t), at, one))
	}
	pending, err := pl.Start(within(t), []engine.Binding{{Index: 1, Buffer: in}, {Index: 2, Buffer: out}}, row(5))
	check(t, err)
	wait(t, pending)
	if got := out.Words().Load(0); got != 5*6*4 {
		t.Errorf("%d, want %d", got, 5*6*4)
	}
}

// TestKernelsOutsideTheLanguageAreChecked: what only the driver read must fit the device too.
func TestKernelsOutsideTheLanguageAreChecked(t *testing.T) {
	b := testBackend(t)
	_, err := b.Compile(within(t), outside(t, `#version 450
layout(local_size_x = 1) in;
layout(binding = 0, offset = 0) uniform atomic_uint unused;
layout(std430) buffer A { dmat4 a; };
layout(std430) buffer B { dmat4 b; };
void main() { a = b; }
`))
	if !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("two blocks at binding 0 give %v", err)
	}
}

// TestESKernelsOutsideTheLanguageRun: GLSL ES takes only constants as initializers of global variables, of which guarded loops need one
// that is none.
func TestESKernelsOutsideTheLanguageRun(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, outside(t, `#version 310 es
layout(local_size_x = 2) in;
layout(binding = 0, offset = 0) uniform atomic_uint unused;
layout(std430, binding = 0) buffer Sums { uint sums[]; };
void main() {
	uint n = gl_GlobalInvocationID.x;
	for (uint k = 0u; k < 4u; k++) sums[gl_GlobalInvocationID.x] += n + k;
	do n++; while (n < 9u);
	sums[gl_GlobalInvocationID.x] += n;
}
`))
	sums := allocate(t, b, 2, engine.HostVisible)
	pending, err := pl.Start(within(t), []engine.Binding{{Index: 0, Buffer: sums}}, row(1))
	check(t, err)
	wait(t, pending)
	if got := [2]uint32{sums.Words().Load(0), sums.Words().Load(1)}; got != [2]uint32{15, 19} {
		t.Errorf("%v, want 15 and 19", got)
	}
}
