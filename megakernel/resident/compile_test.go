package resident_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
)

// compileWatch is a backend that tells when it begins to compile, and when it has compiled.
type compileWatch struct {
	engine.Backend
	begun, ended chan struct{} // nil: not needed
}

func (*compileWatch) countsCompilations() {}

func (w *compileWatch) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if w.begun != nil {
		close(w.begun)
		defer close(w.ended)
	}
	return w.Backend.Compile(ctx, p)
}

// compilesAside opens a device that can compile one kernel while it runs another.
func compilesAside(t *testing.T) engine.Backend {
	open, ok := backendtest.All["gl"]
	if !ok {
		t.Skip("this build has no OpenGL")
	}
	b := open(t)
	p := b.Profile()
	switch {
	case p.DispatchBlocks.Or(false) && os.Getenv("MESA_SHADER_CACHE_DISABLE") != "":
		t.Skip("the driver compiles inside the dispatch, and its cache is switched off")
	case !slices.Contains(p.Extensions, "GL_KHR_parallel_shader_compile") && !slices.Contains(p.Extensions, "GL_ARB_parallel_shader_compile"):
		t.Skip("the driver has no GL_KHR_parallel_shader_compile: it compiles on the thread that asks")
	}
	return b
}

// unseen is a breakpoint in the shared kernel for which no cache has a kernel.
func unseen() breakpoint.Breakpoint {
	return breakpoint.Breakpoint{Place: &breakpoint.Place{Line: 2, If: fmt.Sprintf("t.param == %du", rand.Uint32())}, Action: breakpoint.Count}
}

// TestSlicesGoOnWhileAFormIsCompiled: a breakpoint used to stop slices and commands for as long as its form of
// the kernel took to compile. While one is compiled, slices begin and pauses are acknowledged, several times. What holds
// them up does so each time; what else a host does, seldom.
func TestSlicesGoOnWhileAFormIsCompiled(t *testing.T) {
	b := compilesAside(t)
	for range 5 {
		if slicesGoOn(t, b) {
			return
		}
	}
	t.Error("each compilation has held the target up")
}

// slicesGoOn reports whether a target continues while the form for its first breakpoint is compiled.
func slicesGoOn(t *testing.T, b engine.Backend) bool {
	t.Helper()
	w := &compileWatch{Backend: b}
	s := start(t, w, shared(t, w), resident.Options{Workers: 2, SliceTime: 10 * time.Millisecond})
	publish(t, s, work(8, nil))
	round := func() time.Duration {
		began := time.Now()
		if err := s.AwaitSlice(t.Context(), s.Snapshot().Slice+2); err != nil {
			t.Fatal(err)
		}
		for _, op := range []megakernel.CommandOp{megakernel.OpPauseAll, megakernel.OpResumeAll} {
			if _, err := s.Do(t.Context(), megakernel.Command{Op: op}); err != nil {
				t.Fatal(err)
			}
		}
		return time.Since(began)
	}
	round()
	w.begun, w.ended = make(chan struct{}), make(chan struct{})
	armed := make(chan error, 1)
	go func() {
		_, err := s.Arm(context.Background(), unseen())
		armed <- err
	}()
	<-w.begun
	began, rounds, longest := time.Now(), 0, time.Duration(0)
	for ended := false; !ended; {
		took := round()
		select {
		case <-w.ended:
			ended = true
		default:
			rounds, longest = rounds+1, max(longest, took)
		}
	}
	compiling := time.Since(began)
	if err := <-armed; err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rounds of two slices, a pause and a resume in the %v of the compilation, the longest %v; the next one, in the new form, took %v",
		rounds, compiling, longest, round())
	return rounds >= 3
}

// heldCompile is a backend whose compilations wait once hold is set.
type heldCompile struct {
	engine.Backend
	hold  chan struct{} // closed: they continue; nil: they do not wait
	begun chan struct{}
}

func (*heldCompile) countsCompilations() {}

func (h *heldCompile) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if h.hold != nil {
		h.begun <- struct{}{}
		<-h.hold
	}
	return h.Backend.Compile(ctx, p)
}

// TestRemovingABreakpointDoesNotWaitForItsCompilation: it waited for the driver, 9 to 11 s on llvmpipe.
func TestRemovingABreakpointDoesNotWaitForItsCompilation(t *testing.T) {
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	for _, all := range []bool{false, true} {
		h := &heldCompile{Backend: b}
		s := start(t, h, assemble(t, h, endless, 4, "work", "once"), resident.Options{Workers: 2, SliceTime: 10 * time.Millisecond})
		publish(t, s, work(8, nil))
		h.hold, h.begun = make(chan struct{}), make(chan struct{})
		armed := make(chan error, 1)
		go func() {
			_, err := s.Arm(t.Context(), breakpoint.Breakpoint{Program: opIs(opWork), Action: breakpoint.Count})
			armed <- err
		}()
		<-h.begun
		list := s.Breakpoints()
		if len(list) != 1 || !list[0].Pending || !list[0].Compiling {
			t.Fatalf("while it is compiled: %+v", list)
		}
		id := list[0].ID
		if all {
			id = 0
		}
		if err := s.Disarm(deadline(t), id); err != nil {
			t.Fatal(err)
		}
		if err := <-armed; !errors.Is(err, resident.ErrWithdrawn) {
			t.Errorf("the breakpoint that was removed: %v", err)
		}
		if list := s.Breakpoints(); len(list) != 0 {
			t.Errorf("left: %+v", list)
		}
		close(h.hold) // the variant is ready for the next one
		if st, err := s.Arm(deadline(t), breakpoint.Breakpoint{Program: opIs(opWork), Action: breakpoint.Count}); err != nil || st.Pending {
			t.Errorf("the next breakpoint: %+v, %v", st, err)
		}
	}
}

// TestOtherVersionsCanAssembleTheKernelOfARun: they have other files of their own, and cannot debug the run's tasks without its.
func TestOtherVersionsCanAssembleTheKernelOfARun(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	s := start(t, b, assemble(t, b, countdown, 8, "work"), resident.Options{Workers: 1})
	text, err := kernel.Unpack(s.Target().Kernel)
	if err != nil {
		t.Fatal(err)
	}
	text.Digest = "of another version"
	c, err := text.Assembly()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kernel.Assemble(c); err != nil {
		t.Error(err)
	}
}
