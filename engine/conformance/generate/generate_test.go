package generate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/conformance"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference"
)

// newRunner compares a backend with the reference.
func newRunner(t testing.TB, b engine.Backend) *conformance.Runner {
	t.Helper()
	r, err := conformance.NewRunner(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// otherReference is a reference backend whose order of execution differs from the usual one as much as
// it can.
func otherReference(t testing.TB) engine.Backend {
	return backendtest.Reference(t, reference.Options{Parallel: 3, TimeSlice: 5, Resident: 2})
}

// check runs the kernel of a tape. The runner refuses a kernel that executes something undefined.
func check(t testing.TB, r *conformance.Runner, tape *Tape) {
	t.Helper()
	c := Kernel(tape)
	c.Name = "kernel"
	d, err := r.Run(t.Context(), &c)
	if err != nil {
		t.Fatalf("%v\n%s", err, conformance.Format(&c))
	}
	if d != nil {
		t.Fatalf("%v\n%s", d, conformance.Format(&c))
	}
}

// Random kernels compile, execute nothing undefined, and end the same in every order of execution.
func TestKernelsAreDefinedCompletely(t *testing.T) {
	r := newRunner(t, otherReference(t))
	for n := range uint64(250) {
		check(t, r, Random(3, n))
	}
}

// Random kernels use nearly everything; what they never use they cannot test.
func TestKernelsUseTheLanguage(t *testing.T) {
	missing := wanted()
	for n := uint64(0); n < 6000 && len(missing) > 0; n++ {
		c := Kernel(Random(1, n))
		if !mentions(c.Text, missing) {
			continue
		}
		p, err := c.Compile()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range conformance.Features(p.Tree) {
			delete(missing, f)
			delete(missing, conformance.Operation(f))
		}
	}
	for name := range missing {
		t.Errorf("no kernel has %s", name)
	}
}

// mentions reports whether a kernel may have one of the features: a built-in function is called by its name.
func mentions(text string, missing map[string]bool) bool {
	for name := range missing {
		if called, is := strings.CutPrefix(name, "builtin."); !is || strings.Contains(text, called+"(") {
			return true
		}
	}
	return false
}

// wanted are the features that kernels must have: every built-in function but most barriers, every
// atomic, and what is easily lost.
func wanted() map[string]bool {
	names := map[string]bool{}
	for _, name := range []string{"statement.For", "statement.While", "statement.DoWhile", "statement.Switch", "statement.Break",
		"statement.Continue", "statement.Return", "expression.Call", "expression.Conditional", "expression.Compose",
		"builtin.barrier", "builtin.gridBarrier", "step.x++", "binary.%", "assign.<<="} {
		names[name] = true
	}
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		op, atomic := b.Atomic()
		switch {
		case atomic:
			names["atomic."+op.String()+".buffer"] = true
		case b.Family != tree.FamilyBarrier:
			names["builtin."+b.Name] = true
		}
	}
	return names
}

// TestKernelsUseImages: random kernels have images and textures of all forms that the generator knows, specialization constants, and blocks and
// uniforms of all kinds.
func TestKernelsUseImages(t *testing.T) {
	missing := map[string]bool{"imageAtomicMax(": true, "layout(constant_id": true, "push_constant": true, "= push.": true, "Pair {": true, "readonly buffer Pair": true,
		"pairs[1].": true, "\nuniform ": true}
	for _, f := range textureForms {
		missing["sampler"+f.form+" "] = true
	}
	for _, f := range imageForms {
		missing["image"+f.form+" "] = true
	}
	for n := uint64(0); n < 4000 && len(missing) > 0; n++ {
		text := Kernel(Random(3, n)).Text
		for name := range missing {
			if strings.Contains(text, name) {
				delete(missing, name)
			}
		}
	}
	for name := range missing {
		t.Errorf("no kernel has %s", name)
	}
}

// TestKernelsUseSubgroups: random kernels call the functions of subgroups, which the front end writes with the few built-in ones.
func TestKernelsUseSubgroups(t *testing.T) {
	missing := map[string]bool{"gl_SubgroupInvocationID": true, "gl_SubgroupLtMask": true}
	for _, name := range strings.Fields("Any All AllEqual Elect InverseBallot Ballot BallotBitCount BallotInclusiveBitCount Shuffle ShuffleXor ShuffleUp ShuffleDown " +
		"Broadcast BroadcastFirst Rotate Add InclusiveMul ExclusiveMin ClusteredMax And InclusiveOr ExclusiveXor QuadBroadcast QuadSwapDiagonal") {
		missing["subgroup"+name+"("] = true
	}
	for n := uint64(0); n < 8000 && len(missing) > 0; n++ {
		text := Kernel(Random(1, n)).Text
		for name := range missing {
			if strings.Contains(text, name) {
				delete(missing, name)
			}
		}
	}
	for name := range missing {
		t.Errorf("no kernel has %s", name)
	}
}

// The same decisions give the same kernel, whether they were made or are read.
func TestTapesCanBeReplayed(t *testing.T) {
	for n := range uint64(50) {
		first := Random(7, n)
		want := Kernel(first)
		again := Replay(first.Data())
		if got := Kernel(again); got.Text != want.Text || !slices.Equal(got.Buffers[0].Words, want.Buffers[0].Words) {
			t.Fatalf("kernel %d changed:\n%s\n%s", n, want.Text, got.Text)
		}
		if !slices.Equal(first.Data(), again.Data()) {
			t.Fatalf("tape %d changed", n)
		}
	}
}

func TestShrinkKeepsWhatFailsAndLittleElse(t *testing.T) {
	fails := func(c conformance.Case) bool { return strings.Contains(c.Text, "bitfieldReverse(") }
	found := 0
	for n := range uint64(120) {
		tape := Random(5, n)
		if !fails(Kernel(tape)) {
			continue
		}
		found++
		c := Kernel(Replay(Shrink(tape.Data(), fails, 5000)))
		if !fails(c) {
			t.Fatalf("kernel %d no longer fails:\n%s", n, c.Text)
		}
		if lines := strings.Count(c.Text, "\n"); lines > 28 {
			t.Errorf("kernel %d still has %d lines:\n%s", n, lines, c.Text)
		}
	}
	if found < 3 {
		t.Errorf("only %d kernels to shrink", found)
	}
}

// Fuzz hands every number to report once, with the difference it found, and ends with the first error.
func TestFuzzReportsEveryKernel(t *testing.T) {
	seen := map[uint64]bool{}
	run := func(_ context.Context, c *conformance.Case) (*conformance.Difference, error) {
		if strings.Contains(c.Text, "switch") {
			return &conformance.Difference{What: "switch"}, nil
		}
		return nil, nil
	}
	f := Fuzzer{Seed: 1, Count: 40, Parallel: 3, Run: run}
	f.Report = func(o Outcome) error {
		if seen[o.Number] {
			t.Errorf("number %d came twice", o.Number)
		}
		seen[o.Number] = true
		if (o.Difference != nil) != strings.Contains(o.Case.Text, "switch") {
			t.Errorf("number %d: %v\n%s", o.Number, o.Difference, o.Case.Text)
		}
		return nil
	}
	if err := f.Fuzz(t.Context()); err != nil || len(seen) != 40 {
		t.Errorf("%d kernels, %v", len(seen), err)
	}
	stop := fmt.Errorf("stop")
	f.Report = func(Outcome) error { return stop }
	if err := f.Fuzz(t.Context()); err != stop {
		t.Errorf("got %v", err)
	}
}

// TestFuzzEndsWhileAKernelIsMadeSmaller: nothing more is run once the context has ended, and what was found was told.
func TestFuzzEndsWhileAKernelIsMadeSmaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs, found := 0, 0
	f := Fuzzer{Seed: 1, Count: 1, Parallel: 1, Found: func(Outcome) { found++ }, Report: func(Outcome) error { return nil }}
	f.Run = func(ctx context.Context, _ *conformance.Case) (*conformance.Difference, error) {
		runs++
		if runs == 5 {
			cancel()
		}
		return &conformance.Difference{What: "always"}, ctx.Err()
	}
	if err := f.Fuzz(ctx); !errors.Is(err, context.Canceled) || runs != 5 || found != 1 {
		t.Errorf("%v after %d runs, told %d times", err, runs, found)
	}
}

// TestKernelsHaveShapesAndMemoryExits: random kernels have workgroups of several dimensions whose lanes no vector is filled
// with, and loops that end by a word of a buffer.
func TestKernelsHaveShapesAndMemoryExits(t *testing.T) {
	shapes, exits := 0, 0
	exit := regexp.MustCompile(`if \(work\[[^;]*\] == \du\) break;`)
	for n := range uint64(300) {
		text := Kernel(Random(5, n)).Text
		if strings.Contains(text, "local_size_z") {
			shapes++
		}
		if exit.MatchString(text) {
			exits++
		}
	}
	if shapes < 30 || exits < 10 {
		t.Errorf("of 300 kernels %d have several dimensions and %d a loop that ends by memory", shapes, exits)
	}
}
