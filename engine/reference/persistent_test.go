package reference_test

import (
	"errors"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
)

// TestPersistentThreadActs: resident workgroups take the grid one after the other, or every workgroup of the grid is one
// of the device; what waits at a grid barrier cannot be run by workers.
func TestPersistentThreadActs(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Seed: 1, Resident: 2, TimeSlice: 1})
	for mode, want := range map[engine.PersistentThread]uint32{engine.PersistentForce: 2, engine.PersistentDisable: 8} {
		words := run(t, b, `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { uint live; uint most; uint spun; };
void main() {
	uint n = atomicAdd(live, 1u) + 1u;
	atomicMax(most, n);
	for (uint i = 0u; i < 200u; i++) atomicAdd(spun, 1u);
	atomicAdd(live, 0xffffffffu);
}
`, engine.DispatchConfig{Grid: [3]uint32{8, 1, 1}, PersistentThread: mode})
		if words[0] != 0 || words[1] != want || words[2] != 8*200 {
			t.Errorf("mode %d: %d workgroups under way at once, want %d; %v", mode, words[1], want, words)
		}
	}
	p, err := engine.CompileText("waits", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { gridBarrier(); }\n")
	if err != nil {
		t.Fatal(err)
	}
	pl, err := b.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	_, err = pl.Start(t.Context(), nil, engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}, PersistentThread: engine.PersistentForce})
	if !errors.Is(err, engine.ErrUnsupportedFeature) {
		t.Errorf("workers that wait for each other: %v", err)
	}
}

// run dispatches a kernel of one buffer of three words.
func run(t *testing.T, b engine.Backend, text string, cfg engine.DispatchConfig) []uint32 {
	t.Helper()
	p, err := engine.CompileText("test", text)
	if err != nil {
		t.Fatal(err)
	}
	pl, err := b.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	buf, err := b.Allocate(t.Context(), "B", 3, engine.HostVisible)
	if err != nil {
		t.Fatal(err)
	}
	pending, err := pl.Start(t.Context(), []engine.Binding{{Buffer: buf}}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pending.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	words := make([]uint32, 3)
	if err := buf.Download(t.Context(), 0, words); err != nil {
		t.Fatal(err)
	}
	return words
}
