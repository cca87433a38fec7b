package reference

import (
	"context"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/vm"
)

// patience bounds what a test waits for; no test needs a fraction of it.
const patience = 60 * time.Second

func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func openBackend(t testing.TB, o Options) *Backend {
	t.Helper()
	b, err := Open(o)
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

// compileText compiles GLSL text.
func compileText(t testing.TB, b *Backend, name, text string) *Pipeline {
	t.Helper()
	program, _, err := engine.CompileProgram(name, &source.File{Name: name, Text: text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Compile(testContext(t), program)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Pipeline)
}

// dispatch runs a pipeline over new buffers that hold the given words, by binding, and returns what they
// hold afterwards.
func dispatch(t testing.TB, p *Pipeline, cfg engine.DispatchConfig, inputs ...[]uint32) ([][]uint32, *Dispatch, error) {
	t.Helper()
	return dispatchOn(t, p, engine.DeviceLocal, cfg, inputs...)
}

// dispatchOn is dispatch on buffers of a placement.
func dispatchOn(t testing.TB, p *Pipeline, place engine.Placement, cfg engine.DispatchConfig, inputs ...[]uint32) ([][]uint32, *Dispatch, error) {
	t.Helper()
	ctx := testContext(t)
	var bindings []engine.Binding
	for i, words := range inputs {
		buf, err := p.backend.Allocate(ctx, "buffer", len(words), place)
		if err != nil {
			t.Fatal(err)
		}
		if err := buf.Upload(ctx, 0, words); err != nil {
			t.Fatal(err)
		}
		bindings = append(bindings, engine.Binding{Index: uint32(i), Buffer: buf})
	}
	if cfg.Grid == [3]uint32{} {
		cfg.Grid = [3]uint32{1, 1, 1}
	}
	pending, err := p.Start(ctx, bindings, cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = pending.Wait(ctx)
	var outputs [][]uint32
	for i, b := range bindings {
		words := make([]uint32, len(inputs[i]))
		if derr := b.Buffer.Download(ctx, 0, words); derr != nil {
			t.Fatal(derr)
		}
		outputs = append(outputs, words)
	}
	return outputs, pending.(*Dispatch), err
}

// disassembly shows a pipeline's code when a test has failed.
func disassembly(t testing.TB, p *Pipeline) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("code:\n%s", vm.Disassemble(p.Code()))
		}
	})
}
