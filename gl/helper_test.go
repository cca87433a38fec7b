//go:build cgo && egl

package gl

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"vyretop/engine"
)

// testDevice is the device under test: the environment variable VYRETOP_TEST_DEVICE, or the best one.
func testDevice(t testing.TB) int {
	v := os.Getenv("VYRETOP_TEST_DEVICE")
	if v == "" {
		return AutoDevice
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// within bounds a test step.
func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// testBackend opens the device under test without probes and closes it after the test.
func testBackend(t testing.TB) *Backend {
	t.Helper()
	return openFor(t, Options{Device: testDevice(t), SkipProbes: true})
}

func openFor(t testing.TB, o Options) *Backend {
	t.Helper()
	b, err := Open(within(t, 20*time.Second), o)
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

// program makes a Program over storage blocks at bindings 0, 1, … with the given workgroup size.
func program(name, text string, local uint32, blocks ...string) *engine.Program {
	p := &engine.Program{Name: name, Text: text, WorkgroupSize: [3]uint32{local, 1, 1}}
	for i, b := range blocks {
		p.Buffers = append(p.Buffers, engine.BufferSpec{Name: b, Binding: uint32(i), MinWords: 1})
	}
	return p
}

func compile(t testing.TB, b *Backend, p *engine.Program) engine.Pipeline {
	t.Helper()
	pl, err := b.Compile(within(t, 20*time.Second), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pl.Close(); err != nil {
			t.Error(err)
		}
	})
	return pl
}

func allocate(t testing.TB, b *Backend, words int, want engine.Placement) engine.Buffer {
	t.Helper()
	buf, err := b.Allocate(within(t, 20*time.Second), t.Name(), words, want)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := buf.Free(); err != nil {
			t.Error(err)
		}
	})
	return buf
}

func bindings(buffers ...engine.Buffer) []engine.Binding {
	out := make([]engine.Binding, len(buffers))
	for i, b := range buffers {
		out[i] = engine.Binding{Index: uint32(i), Buffer: b}
	}
	return out
}

func start(t testing.TB, pl engine.Pipeline, groups uint32, buffers ...engine.Buffer) engine.Pending {
	t.Helper()
	p, err := pl.Start(within(t, 20*time.Second), bindings(buffers...), engine.DispatchConfig{Grid: [3]uint32{groups, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wait(t testing.TB, p engine.Pending) engine.Timing {
	t.Helper()
	timing, err := p.Wait(within(t, 20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	return timing
}

// squares writes i*i+word[i] to word i.
const squares = `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i < uint(v.length())) v[i] += i * i;
}
`

func squaresProgram() *engine.Program { return program("squares", squares, 64, "Data") }
