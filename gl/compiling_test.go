//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// slowCompiler is the device's compiler on threads that take as long as the test wants.
type slowCompiler struct {
	compiler
	begun, looks atomic.Int32
	finished     atomic.Bool
}

func (c *slowCompiler) BeginCompute(text string) glapi.Job {
	defer c.begun.Add(1)
	return c.compiler.BeginCompute(text)
}

func (c *slowCompiler) Finished(j glapi.Job) bool {
	c.looks.Add(1)
	return c.finished.Load() && c.compiler.Finished(j)
}

// slowBackend is a backend whose driver compiles on threads of its own, until the test says that they
// have finished.
func slowBackend(t testing.TB) (*Backend, *slowCompiler) {
	t.Helper()
	b := testBackend(t)
	c := &slowCompiler{}
	slow(t, b, c)
	return b, c
}

func slow(t testing.TB, b *Backend, c *slowCompiler) {
	t.Helper()
	check(t, b.do(within(t), "slow down", func(s *glState) error {
		c.compiler, s.compiler = s.compiler, c
		return nil
	}))
}

// compiled is what became of a Compile.
type compiled struct {
	pipeline engine.Pipeline
	err      error
}

// request compiles on another goroutine.
func request(ctx context.Context, b *Backend, p *engine.Program) <-chan compiled {
	out := make(chan compiled, 1)
	go func() {
		pl, err := b.Compile(ctx, p)
		out <- compiled{pl, err}
	}()
	return out
}

// answer waits for a request.
func answer(t testing.TB, out <-chan compiled) compiled {
	t.Helper()
	select {
	case c := <-out:
		return c
	case <-time.After(stepTime):
		t.Fatal("Compile does not return")
		return compiled{}
	}
}

// waiters is how many wait for compilations that are under way, in the order of their beginnings.
func waiters(t testing.TB, b *Backend) (n []int) {
	t.Helper()
	check(t, b.do(within(t), "look", func(s *glState) error {
		for _, c := range s.programs.underWay {
			n = append(n, c.waiters)
		}
		return nil
	}))
	return n
}

func awaitWaiters(t testing.TB, b *Backend, want ...int) {
	t.Helper()
	await(t, func() bool { return cmp.Equal(waiters(t, b), want) })
}

// TestDispatchesRunDuringACompilation: a compilation used to hold the thread until it ended, and with it every
// dispatch, copy and allocation.
func TestDispatchesRunDuringACompilation(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	c := &slowCompiler{}
	slow(t, b, c)
	out := request(t.Context(), b, triples(3))
	awaitWaiters(t, b, 1)
	buf := allocate(t, b, 64, engine.DeviceLocal)
	for range 3 {
		wait(t, start(t, pl, 1, buf))
	}
	if got := read(t, buf)[5]; got != 75 {
		t.Errorf("word 5 is %d, want 75", got)
	}
	for n := c.looks.Load(); c.looks.Load() < n+3; { // the thread keeps polling while nothing else happens
	}
	c.finished.Store(true)
	got := answer(t, out)
	check(t, got.err)
	dst := allocate(t, b, 4, engine.HostVisible)
	wait(t, start(t, got.pipeline, 4, dst))
	if d := cmp.Diff([]uint32{0, 3, 6, 9}, read(t, dst)); d != "" {
		t.Error(d)
	}
	check(t, got.pipeline.Close())
}

// TestACompilationEndsDuringADispatch: the end of a compilation is seen while a kernel is on the device.
func TestACompilationEndsDuringADispatch(t *testing.T) {
	b := testBackend(t)
	if p, err := probed(); err != nil || p.DispatchBlocks.Or(false) {
		t.Skip("a dispatch blocks the thread on this device")
	}
	h := newHolder(t, b)
	c := &slowCompiler{}
	slow(t, b, c)
	out := request(t.Context(), b, triples(3))
	awaitWaiters(t, b, 1)
	p := h.start(t, engine.DispatchConfig{})
	c.finished.Store(true)
	got := answer(t, out)
	check(t, got.err)
	select {
	case <-p.Done():
		t.Skip("the kernel ended before the compilation")
	default:
	}
	check(t, got.pipeline.Close())
}

// TestEqualTextsShareACompilation that is under way; others get their own.
func TestEqualTextsShareACompilation(t *testing.T) {
	b, c := slowBackend(t)
	var outs []<-chan compiled
	for range 3 {
		outs = append(outs, request(t.Context(), b, triples(3)))
	}
	awaitWaiters(t, b, 3)
	outs = append(outs, request(t.Context(), b, triples(5)))
	awaitWaiters(t, b, 3, 1)
	c.finished.Store(true)
	for _, out := range outs {
		got := answer(t, out)
		check(t, got.err)
		check(t, got.pipeline.Close())
	}
	if n := c.begun.Load(); n != 2 {
		t.Errorf("the driver got %d texts, want 2", n)
	}
	expectCache(t, b.ProgramCache(), engine.ProgramCache{MemoryHits: 2, Misses: 2})
	expectUsers(t, b, 0, 0)
}

// expectUsers says how many hold each of the linked programs.
func expectUsers(t testing.TB, b *Backend, want ...int) {
	t.Helper()
	var got []int
	check(t, b.do(within(t), "count", func(s *glState) error {
		for _, l := range s.programs.linked {
			got = append(got, l.users)
		}
		return nil
	}))
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestARefusalReachesAllWhoWait, each with its own name in it.
func TestARefusalReachesAllWhoWait(t *testing.T) {
	b, c := slowBackend(t)
	const text = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { gone(); }\n"
	names := []string{"first", "second"}
	var outs []<-chan compiled
	for i, n := range names {
		outs = append(outs, request(t.Context(), b, program(n, text, 1)))
		awaitWaiters(t, b, i+1)
	}
	c.finished.Store(true)
	for i, out := range outs {
		err := answer(t, out).err
		e, ok := errors.AsType[*engine.Error](err)
		if !errors.Is(err, engine.ErrKernelCompileFailed) || !ok || !strings.Contains(e.Op, names[i]) || !strings.Contains(e.Log, "gone") {
			t.Errorf("%s: got %v", names[i], err)
		}
	}
	expectUsers(t, b)
}

// TestGivingUpACompilation returns at once; the others who wait get the program, and so does who asks later.
func TestGivingUpACompilation(t *testing.T) {
	b, c := slowBackend(t)
	ctx, cancel := context.WithCancel(t.Context())
	given, stays := request(ctx, b, triples(3)), request(t.Context(), b, triples(3))
	alone := request(ctx, b, triples(5))
	await(t, func() bool { w := waiters(t, b); return len(w) == 2 && w[0]+w[1] == 3 })
	cancel()
	for _, out := range []<-chan compiled{given, alone} {
		err := answer(t, out).err
		if e, ok := errors.AsType[*engine.Error](err); !ok || !errors.Is(err, context.Canceled) || e.Fix == "" {
			t.Errorf("got %v", err)
		}
	}
	await(t, func() bool { w := waiters(t, b); return w[0]+w[1] == 1 })
	c.finished.Store(true)
	got := answer(t, stays)
	check(t, got.err)
	compile(t, b, triples(5))
	if n := c.begun.Load(); n != 2 {
		t.Errorf("the driver got %d texts, want 2: the one given up is kept", n)
	}
	check(t, got.pipeline.Close())
}

// TestGivingUpAsItEnds races the end of a compilation with who gives it up: no program stays held.
func TestGivingUpAsItEnds(t *testing.T) {
	for range 20 {
		b, c := slowBackend(t)
		ctx, cancel := context.WithCancel(t.Context())
		out := request(ctx, b, triples(3))
		awaitWaiters(t, b, 1)
		var both sync.WaitGroup
		both.Go(cancel)
		both.Go(func() { c.finished.Store(true) })
		both.Wait()
		if got := answer(t, out); got.err == nil {
			check(t, got.pipeline.Close())
		}
		await(t, func() bool { return len(waiters(t, b)) == 0 })
		expectUsers(t, b, 0)
	}
}

// TestCloseDuringACompilation tells those who wait and does not wait for the driver.
func TestCloseDuringACompilation(t *testing.T) {
	b, err := Open(within(t), Options{Device: testDevice(t), SkipProbes: true})
	check(t, err)
	slow(t, b, &slowCompiler{})
	out := request(t.Context(), b, triples(3))
	awaitWaiters(t, b, 1)
	check(t, b.Close())
	if err := answer(t, out).err; !errors.Is(err, engine.ErrPoisoned) || !strings.Contains(err.Error(), "triples") {
		t.Errorf("got %v, want that the backend is closed", err)
	}
}
