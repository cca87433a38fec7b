package reference

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// FuzzKernel runs whatever the front end accepts, on small buffers: nothing may panic, and a kernel ends
// or fails with an error of a known kind.
func FuzzKernel(f *testing.F) {
	paths, err := filepath.Glob(scripts + "/*")
	if err != nil || len(paths) == 0 {
		f.Fatal("no scripts", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "----") {
			if at := strings.Index(part, "layout"); at >= 0 {
				f.Add(part[at:])
			}
		}
	}
	f.Add(strings.SplitN(readTestdata(f, "oclgrind/integer.comp"), "in;", 2)[1])
	b := openBackend(f, Options{})
	f.Fuzz(func(t *testing.T, text string) { runFuzzed(t, b, text) })
}

func runFuzzed(t *testing.T, b *Backend, text string) {
	ctx := context.Background()
	file := &source.File{Name: "fuzz.comp", Text: "#version 450\nlayout(local_size_x = 3) in;\n" + text}
	program, _, err := engine.CompileProgram("fuzz", file, glsl.Options{})
	if err != nil || program.WorkgroupSize != [3]uint32{3, 1, 1} {
		return
	}
	p, err := b.Compile(ctx, program)
	if err != nil {
		outside := errors.Is(err, engine.ErrUnsupportedFeature) && len(program.Outside) > 0
		if !outside && !errors.Is(err, engine.ErrKernelCompileFailed) && !errors.Is(err, engine.ErrInvalidProgram) {
			t.Fatal(err)
		}
		return
	}
	var bindings []engine.Binding
	for _, block := range program.Buffers {
		if block.MinWords > 1000 {
			return
		}
		buf, err := b.Allocate(ctx, block.Name, block.MinWords+5, engine.DeviceLocal)
		if err != nil {
			t.Fatal(err)
		}
		bindings = append(bindings, engine.Binding{Index: block.Binding, Buffer: buf})
	}
	pending, err := p.Start(ctx, bindings, engine.DispatchConfig{Grid: [3]uint32{2, 1, 1}, IterationBudget: 50})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pending.Wait(ctx); err != nil && !errors.Is(err, ErrIterationBudget) && !errors.Is(err, ErrDivergentBarrier) {
		t.Fatal(err)
	}
}
