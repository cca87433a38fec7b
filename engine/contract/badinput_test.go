package contract

import (
	"strings"
	"testing"

	"vyretop/engine"
)

// TestBadBindings: what is wrong with the bindings of a dispatch is the same error everywhere, and the
// backend continues.
func TestBadBindings(t *testing.T) {
	texts := map[string]string{} // by case: the error, without the backend's name
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "triple", triple)
		in, out, long := allocate(t, b, 1, 2), allocate(t, b, 0, 0), compile(t, b, "long", "layout(local_size_x = 1) in;\nlayout(std430, binding = 3) buffer L { uvec4 v[4]; uint rest[]; };\nvoid main() { rest[0] = v[3].x; }\n")
		at := func(i uint32, buf engine.Buffer) engine.Binding { return engine.Binding{Index: i, Buffer: buf} }
		for name, c := range map[string]struct {
			pipeline engine.Pipeline
			bindings []engine.Binding
		}{
			"none":               {p, nil},
			"one missing":        {p, bind(in)},
			"no buffer":          {p, []engine.Binding{at(0, in), {Index: 1}}},
			"twice":              {p, []engine.Binding{at(0, in), at(1, out), at(1, in)}},
			"unknown":            {p, []engine.Binding{at(0, in), at(1, out), at(7, in)}},
			"written and read":   {p, bind(out, out)},
			"too small":          {long, []engine.Binding{at(3, allocate(t, b, make([]uint32, 16)...))}},
			"far too small":      {long, []engine.Binding{at(3, in)}},
			"another's position": {long, bind(in)},
		} {
			pending, err := c.pipeline.Start(within(t), c.bindings, row(1))
			if pending != nil {
				t.Errorf("%s: a dispatch has started", name)
			}
			wants(t, name, err, engine.ErrInvalidProgram)
			_, text, _ := strings.Cut(err.Error(), ": ")
			if other, seen := texts[name]; seen && other != text {
				t.Errorf("%s: %q here, %q elsewhere", name, text, other)
			}
			texts[name] = text
		}
		pending, err := p.Start(within(t), bind(in, out), row(1))
		check(t, err)
		_, err = pending.Wait(within(t))
		check(t, err)
		same(t, "output after all that", contents(t, out), []uint32{4, 7})
	})
}

// TestBadKernels: texts that do not compile, link or fit are refused, by a kind of error that says which.
func TestBadKernels(t *testing.T) {
	_, err := engine.CompileText("broken", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { uint x = nowhere; }\n")
	wants(t, "an unknown name", err, engine.ErrInvalidProgram)
	_, err = engine.CompileText("unlinked", "#version 450\nlayout(local_size_x = 1) in;\nvoid absent();\nvoid main() { absent(); }\n")
	wants(t, "a function that is not there", err, engine.ErrInvalidProgram)
	_, err = engine.CompileText("misplaced", "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint n; };\nvoid main() { if (n == 0u) gridBarrier(); }\n")
	wants(t, "a grid barrier in a branch", err, engine.ErrInvalidProgram)
	_, err = engine.CompileText("empty", "#version 450\nlayout(local_size_x = 0) in;\nvoid main() { }\n")
	wants(t, "a workgroup of none", err, engine.ErrInvalidProgram)
	onEach(t, func(t *testing.T, b device) {
		wrong := *program(t, "step", step)
		wrong.WorkgroupSize = [3]uint32{16, 1, 1}
		_, err := b.Compile(within(t), &wrong)
		wants(t, "a size that is not the text's", err, engine.ErrInvalidProgram)
		unlisted := *program(t, "step", step)
		unlisted.Buffers = nil
		_, err = b.Compile(within(t), &unlisted)
		wants(t, "an unlisted buffer", err, engine.ErrInvalidProgram)
		shared := program(t, "shared", "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint n; };\nshared uint big[100000];\nvoid main() { big[n] = 1u; n = big[n + 1u]; }\n")
		_, err = b.Compile(within(t), shared)
		if b.Identity().Name == "reference" { // too much for some device is outside the kernel language
			wants(t, "more shared memory than there is", err, engine.ErrUnsupportedFeature)
		} else {
			wants(t, "more shared memory than there is", err, engine.ErrKernelCompileFailed)
		}
		p := compile(t, b, "step", step)
		buf := allocate(t, b, 1)
		pending, err := p.Start(within(t), bind(buf), row(1))
		check(t, err)
		_, err = pending.Wait(within(t))
		check(t, err)
	})
}

// TestEndlessKernel: a kernel that never ends is ended by its timeout, or by the device's own bound on loops.
func TestEndlessKernel(t *testing.T) {
	const endless = "layout(local_size_x = 8) in;\nlayout(std430, binding = 0) coherent volatile buffer B { uint n; };\nvoid main() { while (n == 0u) { } }\n"
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "endless", endless)
		buf := allocate(t, b, 0)
		pending, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{60_000, 1, 1}, Timeout: 50_000_000})
		check(t, err)
		_, err = pending.Wait(within(t))
		wants(t, "timeout", err, engine.ErrTimeout)
		check(t, buf.Upload(within(t), 0, []uint32{1}))
		pending, err = p.Start(within(t), bind(buf), row(1))
		check(t, err)
		_, err = pending.Wait(within(t))
		check(t, err)
	})
}
