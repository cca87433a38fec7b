package contract

import (
	"errors"
	"math"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/submit"
)

// TestProgram: a program names its workgroup size, its buffers with their elements, and its operations.
func TestProgram(t *testing.T) {
	p := program(t, "shapes", `layout(local_size_x = 4, local_size_y = 2) in;
struct Item { uint key; vec3 at; };
layout(std430, binding = 5) readonly buffer Items { uint n; Item items[]; };
layout(std430, binding = 2) buffer Fixed { ivec2 pairs[6]; };
layout(std430, binding = 3) writeonly buffer One { uint a; float b; };
void main() { a = n + uint(pairs[1].x); b = items[n].at.x; pairs[0].y = 1; }
`)
	want := []engine.BufferSpec{
		{Name: "Fixed", Binding: 2, Access: engine.ReadWrite, MinWords: 12, Element: "ivec2", Count: 6, StrideWords: 2},
		{Name: "One", Binding: 3, Access: engine.WriteOnly, MinWords: 2, Element: "One", Count: 1, StrideWords: 2},
		{Name: "Items", Binding: 5, Access: engine.ReadOnly, MinWords: 12, Element: "Item", HeadWords: 4, StrideWords: 8},
	}
	if len(p.Buffers) != len(want) {
		t.Fatalf("buffers %+v", p.Buffers)
	}
	for i, s := range p.Buffers {
		if s != want[i] {
			t.Errorf("got %+v, want %+v", s, want[i])
		}
	}
	if n := p.Buffers[2].Elements(4 + 3*8 + 7); n != 3 {
		t.Errorf("%d elements, want 3 whole ones", n)
	}
	if p.WorkgroupSize != [3]uint32{4, 2, 1} || len(p.Operations()) == 0 {
		t.Errorf("size %v, operations %v", p.WorkgroupSize, p.Operations())
	}
	other := *p
	other.WorkgroupSize = [3]uint32{8, 1, 1}
	if p.Fingerprint() != program(t, "shapes again", strings.TrimPrefix(p.Text, "#version 450\n")).Fingerprint() && p.Fingerprint() == other.Fingerprint() {
		t.Error("the fingerprint does not follow what the program does")
	}
}

// TestErrors: every kind of error has a number that never changes, a kind, and a fix.
func TestErrors(t *testing.T) {
	for code, kind := range map[engine.ErrorCode]error{
		1001: engine.ErrDeviceOutOfMemory, 1002: engine.ErrUnsupportedFeature, 1003: engine.ErrPoisoned, 1004: engine.ErrKernelCompileFailed,
		1005: engine.ErrDispatchFailed, 1006: engine.ErrInvalidProgram, 1007: engine.ErrResidencyExceeded, 1008: engine.ErrDeviceLost, 1999: engine.ErrUnknown,
	} {
		cause := errors.New("the cause")
		err := error(&engine.Error{Code: code, Backend: "b", Op: "dispatch", Detail: "why", Fix: "do this", Err: cause})
		if !errors.Is(err, kind) || !errors.Is(err, cause) || !strings.HasSuffix(err.Error(), "Fix: do this") || !strings.Contains(err.Error(), kind.Error()) {
			t.Errorf("%d: %v", code, err)
		}
	}
}

// TestCompileCache: the counters are those of what happened, or absent.
func TestCompileCache(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		cache, kept := b.(engine.CacheReporter)
		if kept != (b.Identity().Name == "gl") {
			t.Fatalf("keeps programs: %v", kept)
		}
		if !kept {
			return
		}
		before := cache.ProgramCache()
		compile(t, b, "step", step)
		compile(t, b, "step", step)
		after := cache.ProgramCache()
		if after.Misses-before.Misses != 1 || after.MemoryHits-before.MemoryHits != 1 || after.DiskHits != before.DiskHits {
			t.Errorf("before %+v, after %+v", before, after)
		}
	})
}

// TestConfigULPBudget: without a budget the backends agree to the last bit; with one the error is within it.
func TestConfigULPBudget(t *testing.T) {
	const waves = `layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { float a[]; };
layout(std430, binding = 1) writeonly buffer Out { float b[]; };
void main() { uint i = gl_GlobalInvocationID.x; if (i < uint(a.length())) b[i] = sin(a[i]) + exp2(a[i] / 8.0); }
`
	in := make([]uint32, 400)
	for i := range in {
		in[i] = math.Float32bits(float32(i)/16 - 12)
	}
	strict := map[string][]uint32{}
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "waves", waves)
		for _, budget := range []uint8{0, 4, 255} {
			out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Host(in), submit.Zeros(len(in))}, engine.DispatchConfig{ULPBudget: budget})
			check(t, err)
			if budget == 0 {
				strict[b.Identity().Name] = out[0]
			}
			for i, bits := range out[0] {
				x := float64(math.Float32frombits(in[i]))
				want := math.Sin(x) + math.Exp2(x/8)
				// both terms may err by the budget, and the sum rounds once more
				slack := (float64(budget) + 2) * (math.Abs(math.Sin(x)) + math.Exp2(x/8)) / (1 << 22)
				if got := float64(math.Float32frombits(bits)); math.Abs(got-want) > slack {
					t.Errorf("budget %d: f(%v) = %v, want %v", budget, x, got, want)
				}
			}
		}
	})
	for name, words := range strict {
		same(t, name+" without a budget", words, strict["reference"])
	}
}
