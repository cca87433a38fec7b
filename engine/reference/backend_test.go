package reference

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/lower"
)

const twoBuffers = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 2) buffer A { uint head[4]; uvec2 rest[]; };
layout(std430, binding = 5) readonly buffer B { uint b; };
void main() { head[gl_LocalInvocationIndex] = b; }
`

func TestStartChecksItsArguments(t *testing.T) {
	ctx := testContext(t)
	b, other := openBackend(t, Options{}), openBackend(t, Options{})
	p := compileText(t, b, "two.comp", twoBuffers)
	allocate := func(on *Backend, words int) engine.Buffer {
		buf, err := on.Allocate(ctx, "buf", words, engine.HostVisible)
		if err != nil {
			t.Fatal(err)
		}
		return buf
	}
	a, small, one, foreign, freed := allocate(b, 6), allocate(b, 5), allocate(b, 1), allocate(other, 6), allocate(b, 6)
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	grid := [3]uint32{1, 1, 1}
	at := func(i uint32, buf engine.Buffer) engine.Binding { return engine.Binding{Index: i, Buffer: buf} }
	tests := []struct {
		name, detail string
		bindings     []engine.Binding
		cfg          engine.DispatchConfig
	}{
		{"a missing binding", "binding 5", []engine.Binding{at(2, a)}, engine.DispatchConfig{Grid: grid}},
		{"a binding the kernel has not", "binding 0", []engine.Binding{at(2, a), at(5, one), at(0, one)}, engine.DispatchConfig{Grid: grid}},
		{"a binding given twice", "twice", []engine.Binding{at(2, a), at(2, a), at(5, one)}, engine.DispatchConfig{Grid: grid}},
		{"a buffer without room for an element", "needs 6", []engine.Binding{at(2, small), at(5, one)}, engine.DispatchConfig{Grid: grid}},
		{"another backend's buffer", "another backend", []engine.Binding{at(2, foreign), at(5, one)}, engine.DispatchConfig{Grid: grid}},
		{"no buffer", "has no buffer", []engine.Binding{at(2, nil), at(5, one)}, engine.DispatchConfig{Grid: grid}},
		{"a freed buffer", "freed", []engine.Binding{at(2, freed), at(5, one)}, engine.DispatchConfig{Grid: grid}},
		{"an empty grid", "grid", []engine.Binding{at(2, a), at(5, one)}, engine.DispatchConfig{Grid: [3]uint32{1, 0, 1}}},
		{"a grid too large", "grid", []engine.Binding{at(2, a), at(5, one)}, engine.DispatchConfig{Grid: [3]uint32{1, 1 << 16, 1}}},
		{"a negative timeout", "timeout", []engine.Binding{at(2, a), at(5, one)}, engine.DispatchConfig{Grid: grid, Timeout: -1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := p.Start(ctx, test.bindings, test.cfg)
			if !errors.Is(err, engine.ErrInvalidProgram) || !strings.Contains(err.Error(), test.detail) || !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf("error %v, want one about %q", err, test.detail)
			}
		})
	}
	for _, buf := range []engine.Buffer{a, one} {
		if err := buf.Free(); err != nil {
			t.Errorf("a refused dispatch holds on to its buffers: %v", err)
		}
	}
}

func TestBufferCopiesStayInside(t *testing.T) {
	ctx := testContext(t)
	b := openBackend(t, Options{})
	buf, err := b.Allocate(ctx, "buf", 4, engine.DeviceLocal)
	if err != nil {
		t.Fatal(err)
	}
	if buf.Words() != nil || buf.Placement() != engine.DeviceLocal {
		t.Error("a device-local buffer is mapped")
	}
	for _, r := range [][2]int{{-1, 1}, {0, 5}, {4, 1}, {5, 0}, {1 << 62, 1}} {
		if err := buf.Upload(ctx, r[0], make([]uint32, r[1])); !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("upload of %d words at %d: %v", r[1], r[0], err)
		}
	}
	if err := buf.Upload(ctx, 1, []uint32{5, 6}); err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, 4)
	if err := buf.Download(ctx, 0, got); err != nil || got[1] != 5 || got[2] != 6 || got[0]+got[3] != 0 {
		t.Errorf("downloaded %v, error %v", got, err)
	}
	if err := buf.Free(); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"free": buf.Free(), "download": buf.Download(ctx, 0, got)} {
		if !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%s after free: %v", what, err)
		}
	}
}

func TestAllocateRefusesAbsurdSizes(t *testing.T) {
	b := openBackend(t, Options{})
	if _, err := b.Allocate(testContext(t), "none", 0, engine.HostVisible); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("0 words: %v", err)
	}
	_, err := b.Allocate(testContext(t), "vast", 1<<40, engine.HostVisible)
	var e *engine.Error
	if !errors.Is(err, engine.ErrDeviceOutOfMemory) || !errors.As(err, &e) || e.Requested != 4<<40 || e.Available == 0 {
		t.Errorf("4 TiB: %v", err)
	}
}

func TestOpenChecksItsOptions(t *testing.T) {
	for _, o := range []Options{{TimeSlice: -1}, {Resident: -5}, {Parallel: -1}, {Parallel: 1 << 20}, {Device: "gpu"}} {
		b, err := Open(o)
		if err == nil || b != nil || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("Open(%+v): %v", o, err)
		}
	}
}

func TestCompileRefusesWhatItCannotRun(t *testing.T) {
	b := openBackend(t, Options{})
	ctx := testContext(t)
	outside := source.Diagnostics{{Pos: source.Pos{File: "k.comp", Line: 3, Col: 9}, Kind: source.OutsideSubset, Construct: "sampler2D", Message: "no images"}}
	_, err := b.Compile(ctx, &engine.Program{Name: "k", Outside: outside})
	var e *engine.Error
	if !errors.Is(err, engine.ErrUnsupportedFeature) || !errors.As(err, &e) || e.Feature != "sampler2D" || !strings.Contains(err.Error(), "k.comp:3:9") {
		t.Errorf("a program without a tree: %v", err)
	}
	u, err := glsl.Compile(&source.File{Name: "two.comp", Text: twoBuffers}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Compile(ctx, &engine.Program{Tree: u.Program, WorkgroupSize: [3]uint32{8, 1, 1}}); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("a workgroup size other than the text's: %v", err)
	}
	u.Program.LocalSize = [3]uint32{1024, 2, 1}
	if _, err := b.Compile(ctx, &engine.Program{Tree: u.Program, WorkgroupSize: u.Program.LocalSize}); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("2048 invocations: %v", err)
	}
}

// Calls that nest so that inlining doubles the code with every level end in an error, not in a hang.
func TestInliningCannotGrowWithoutBound(t *testing.T) {
	var text strings.Builder
	text.WriteString("#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint r; };\nuint f0(uint x) { return x * r; }\n")
	for i := range 40 {
		fmt.Fprintf(&text, "uint f%d(uint x) { return f%d(x) + f%d(x + 1u); }\n", i+1, i, i)
	}
	text.WriteString("void main() { r = f40(r); }\n")
	program, _, err := engine.CompileProgram("doubling", &source.File{Name: "doubling.comp", Text: text.String()}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := openBackend(t, Options{})
	_, err = b.Compile(testContext(t), program)
	var limit *lower.LimitError
	if !errors.Is(err, engine.ErrKernelCompileFailed) || !errors.As(err, &limit) || !strings.Contains(err.Error(), "doubling.comp:") {
		t.Errorf("error %v", err)
	}
}

func TestClosedBackendRefusesEverything(t *testing.T) {
	b, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := compileText(t, b, "forever.comp", forever)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	_, allocated := b.Allocate(ctx, "x", 1, engine.HostVisible)
	_, compiled := b.Compile(ctx, p.Program())
	_, started := p.Start(ctx, nil, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}})
	for what, err := range map[string]error{"allocate": allocated, "compile": compiled, "start": started, "close": b.Close()} {
		if !errors.Is(err, engine.ErrPoisoned) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Dispatches run in the order in which they were started, each on what the one before has written.
func TestDispatchesRunInOrder(t *testing.T) {
	ctx := testContext(t)
	b := openBackend(t, Options{})
	p := compileText(t, b, "step.comp", `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint x; };
void main() { x = x * 3u + 1u; }
`)
	buf, err := b.Allocate(ctx, "x", 1, engine.DeviceLocal)
	if err != nil {
		t.Fatal(err)
	}
	want := uint32(0)
	for range 20 {
		want = want*3 + 1
		if _, err := p.Start(ctx, []engine.Binding{{Index: 0, Buffer: buf}}, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, 1)
	if err := buf.Download(ctx, 0, got); err != nil || got[0] != want {
		t.Errorf("x = %d, want %d, error %v", got[0], want, err)
	}
}

func TestIdentityAndProfileTellTheTruth(t *testing.T) {
	first, second := openBackend(t, Options{Resident: 9, Parallel: 2}), openBackend(t, Options{Device: DeviceName})
	if a, b := first.Identity(), second.Identity(); a.ID == b.ID || a.Name != "reference" || a.Device != DeviceName {
		t.Errorf("identities %+v and %+v", a, b)
	}
	p := first.Profile()
	if p.ConcurrentWorkgroups.Or(0) != 9 || p.HostThreads.Or(0) != 2 || p.MaxInvocations.Or(0) != 1024 ||
		!p.DeviceSeesHostStores.Or(false) || !p.LoopIterationLimit.IsZero() || !p.HostDeviceRoundTripNs.IsZero() {
		t.Errorf("profile %+v", p)
	}
}

func TestPipelinesAreNamedByWhatTheyDo(t *testing.T) {
	b := openBackend(t, Options{})
	one, same, other := compileText(t, b, "a", twoBuffers), compileText(t, b, "b", twoBuffers), compileText(t, b, "c", forever)
	if one.ID() != same.ID() || one.ID() == other.ID() || !strings.HasPrefix(one.ID(), b.Identity().ID+":") {
		t.Errorf("ids %s, %s, %s", one.ID(), same.ID(), other.ID())
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	_, started := one.Start(testContext(t), nil, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}})
	for what, err := range map[string]error{"close": one.Close(), "start": started} {
		if !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%s after close: %v", what, err)
		}
	}
}

// A pipeline keeps what it linked for its next dispatch, but not the memory of a freed buffer.
func TestFreeReleasesTheMemoryAPipelineKeeps(t *testing.T) {
	ctx := testContext(t)
	b := openBackend(t, Options{})
	p := compileText(t, b, "two.comp", twoBuffers)
	bindings := []engine.Binding{{Index: 2}, {Index: 5}}
	for i := range bindings {
		buf, err := b.Allocate(ctx, "buf", 6, engine.HostVisible)
		if err != nil {
			t.Fatal(err)
		}
		bindings[i].Buffer = buf
	}
	pending, err := p.Start(ctx, bindings, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pending.Wait(ctx); err != nil || p.idle == nil {
		t.Fatalf("nothing is kept, error %v", err)
	}
	if err := bindings[1].Buffer.Free(); err != nil || p.idle != nil {
		t.Errorf("the memory is still kept, error %v", err)
	}
}
