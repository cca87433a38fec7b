//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
)

// unseen is a text that no cache has. With hundreds of statements it takes a driver long beside any small kernel.
func unseen(statements int) *engine.Program {
	return program("unseen", fmt.Sprintf(`#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { uint v[]; };
void main() {
	uint x = gl_GlobalInvocationID.x + %du;
%s	v[gl_GlobalInvocationID.x] = x;
}
`, rand.Uint32(), strings.Repeat("	x = (x << 13) ^ x; x = (x >> 17) ^ x * 3u; if ((x & 7u) == 3u) x += v[x & 63u];\n", statements)), 64, "Out")
}

// compilesAside opens a backend that keeps its thread free from compilations, by the driver's threads or by
// precompiling.
func compilesAside(t testing.TB) *Backend {
	t.Helper()
	b := openFor(t, Options{Device: testDevice(t)})
	switch {
	case b.profile.DispatchBlocks.Or(false) && !b.gl.programs.kept:
		t.Skip("kernels are compiled by the thread that dispatches, and the driver has no cache for a precompilation to fill (Mesa: it is switched off)")
	case !b.profile.DispatchBlocks.Or(false) && !b.has["GL_KHR_parallel_shader_compile"] && !b.has["GL_ARB_parallel_shader_compile"]:
		t.Skip("the driver has no GL_KHR_parallel_shader_compile: it compiles on the thread that asks")
	}
	return b
}

// TestACompilationHoldsNoDispatchUp with the driver as it is: while a long text is compiled, and where it is
// precompiled until it has run too, no dispatch waits for a large part of that. A compilation that holds dispatches up
// does so each time; what else a host does, seldom.
func TestACompilationHoldsNoDispatchUp(t *testing.T) {
	b := compilesAside(t)
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.DeviceLocal)
	timed := func(pl engine.Pipeline) time.Duration {
		began := time.Now()
		wait(t, start(t, pl, 1, buf))
		return time.Since(began)
	}
	timed(pl)
	for range 5 {
		if !holdsUp(t, b, pl, timed) {
			return
		}
	}
	t.Error("each compilation has held dispatches up")
}

// holdsUp compiles a long text and reports whether dispatches waited for that, or what was compiled is compiled once more.
func holdsUp(t *testing.T, b *Backend, pl engine.Pipeline, timed func(engine.Pipeline) time.Duration) bool {
	t.Helper()
	var longest time.Duration
	began, n := time.Now(), 0
	out := request(t.Context(), b, unseen(300))
	var got compiled
	for got == (compiled{}) {
		longest = max(longest, timed(pl))
		n++
		select {
		case got = <-out:
		default:
		}
	}
	check(t, got.err)
	compiling := time.Since(began)
	first := timed(got.pipeline)
	t.Logf("%d dispatches in the %v of a compilation, the longest %v; the first of what was compiled took %v", n, compiling, longest, first)
	held := n < 3 || b.precompiles(t.Context()) && first > compiling/2
	check(t, got.pipeline.Close())
	return held
}

// underWay starts a compilation and returns when the driver is at work on it.
func underWay(t testing.TB, ctx context.Context, b *Backend) <-chan compiled {
	t.Helper()
	out := request(ctx, b, unseen(100))
	for ctx := within(t); len(b.precompiler.aside) == 0 && len(waiters(t, b)) == 0; {
		if len(out) > 0 || ctx.Err() != nil {
			t.Skip("the driver has compiled, or failed to, before it was seen at work")
		}
	}
	return out
}

// expectFailure waits for a compilation that has been disturbed.
func expectFailure(t testing.TB, out <-chan compiled, want error) {
	t.Helper()
	got := answer(t, out)
	if got.err == nil {
		t.Skip("the driver had compiled before it was disturbed")
	}
	if !errors.Is(got.err, want) {
		t.Errorf("got %v, want %v", got.err, want)
	}
}

// TestGivingUpTheDriversWork returns at once, and the next compilation does not miss anything.
func TestGivingUpTheDriversWork(t *testing.T) {
	b := compilesAside(t)
	compile(t, b, squaresProgram())
	ctx, cancel := context.WithCancel(t.Context())
	out := underWay(t, ctx, b)
	cancel()
	expectFailure(t, out, context.Canceled)
	expectTriples(t, b)
}

// TestCloseWhileTheDriverWorks leaves nothing behind (goleak checks).
func TestCloseWhileTheDriverWorks(t *testing.T) {
	compilesAside(t)
	b, err := Open(within(t), Options{Device: testDevice(t)})
	check(t, err)
	_, err = b.Compile(within(t), squaresProgram())
	check(t, err)
	out := underWay(t, t.Context(), b)
	began := time.Now()
	check(t, b.Close())
	t.Logf("Close took %v", time.Since(began))
	expectFailure(t, out, engine.ErrPoisoned)
}

// TestLossWhileTheDriverWorks is told to who compiles, and another context works.
func TestLossWhileTheDriverWorks(t *testing.T) {
	b := compilesAside(t)
	_, err := b.Compile(within(t), squaresProgram())
	check(t, err)
	out := underWay(t, t.Context(), b)
	b.SimulateLoss()
	expectFailure(t, out, engine.ErrDeviceLost)
	_, err = b.Recover(within(t))
	check(t, err)
	expectTriples(t, b)
}

// TestABackgroundCompilationIsToTheEnd: programs that were compiled before any dispatch, to be stored, had their first dispatch
// compile nearly all of them.
func TestABackgroundCompilationIsToTheEnd(t *testing.T) {
	b := compilesAside(t)
	if !b.profile.DispatchBlocks.Or(false) {
		t.Skip("the driver compiles to the end before a dispatch")
	}
	buf := allocate(t, b, 64, engine.DeviceLocal)
	for range 5 { // what else a host does, is seldom in the way each time
		began := time.Now()
		pl, err := b.Compile(engine.InBackground(within(t)), unseen(100))
		check(t, err)
		compiling := time.Since(began)
		began = time.Now()
		wait(t, start(t, pl, 1, buf))
		first := time.Since(began)
		check(t, pl.Close())
		if first < compiling/2 {
			return
		}
		t.Logf("the first dispatch took %v, the compilation %v", first, compiling)
	}
	t.Error("the first dispatch compiles")
}
