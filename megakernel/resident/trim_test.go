package resident_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/resident"
)

// gatedCompiler is a backend whose driver compiles nothing while the gate is locked.
type gatedCompiler struct {
	engine.Backend
	gate   sync.RWMutex
	asked  atomic.Int32
	behind atomic.Int32 // of asked, in the background
	only   string       // the text that the gate is for; "" for all
}

func (g *gatedCompiler) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	g.asked.Add(1)
	if engine.Background(ctx) {
		g.behind.Add(1)
	}
	if g.only == "" || g.only == p.Text {
		g.gate.RLock()
		defer g.gate.RUnlock()
	}
	return g.Backend.Compile(ctx, p)
}

// TestRemovingABreakpointWaitsForNoKernel: it waited until a variant without the breakpoint was compiled, for a minute on a busy
// host. The variant is compiled nevertheless, and runs when it is there.
func TestRemovingABreakpointWaitsForNoKernel(t *testing.T) {
	b := &gatedCompiler{Backend: backendtest.Reference(t, reference.Options{})}
	trimmed := make(chan struct{}, 1)
	s := start(t, b, assemble(t, b, stopped, 8, "work", "other"), resident.Options{Workers: 1, Events: func(_, text string) {
		if strings.Contains(text, "without the breakpoints that were removed") {
			trimmed <- struct{}{}
		}
	}})
	run := func(t *testing.T, s *resident.Session) {
		publish(t, s, work(1, nil))
		collect(t, s, 1)
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
	}
	first := arm(t, s, breakpoint.Breakpoint{Place: &breakpoint.Place{Line: 8}, Action: breakpoint.Count})
	second := arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork), Action: breakpoint.Count})
	before := b.asked.Load()
	b.gate.Lock()
	if err := s.Disarm(deadline(t), first.ID); err != nil {
		t.Fatal(err)
	}
	run(t, s)
	if list := s.Breakpoints(); len(list) != 1 || list[0].ID != second.ID || list[0].Hits != 1 || list[0].Pending {
		t.Errorf("while the variant is compiled there are %+v", list)
	}
	for ctx := deadline(t); b.asked.Load() == before; backendtest.Breathe() {
		if ctx.Err() != nil {
			t.Fatal("no variant without the first breakpoint is compiled")
		}
	}
	b.gate.Unlock()
	<-trimmed
	if b.behind.Load() != 1 {
		t.Errorf("%d kernels were compiled in the background, want the one that no caller waits for", b.behind.Load())
	}
	run(t, s)
	if list := s.Breakpoints(); len(list) != 1 || list[0].Hits != 2 {
		t.Errorf("on the variant without the first breakpoint there are %+v", list)
	}
}

// TestABreakpointDoesNotWaitForTheFullKernel: what a run on the core variant does for a user that looks at it needs the full kernel,
// and the first breakpoint waited for that too, although its own variant does the same.
func TestABreakpointDoesNotWaitForTheFullKernel(t *testing.T) {
	b := &gatedCompiler{Backend: backendtest.Reference(t, reference.Options{})}
	k := assemble(t, b, stopped, 8, "work", "other")
	b.only = k.Program.Text
	b.gate.Lock()
	open := sync.OnceFunc(b.gate.Unlock)
	t.Cleanup(open)
	s := start(t, b, k, resident.Options{Workers: 1, Core: resident.CoreHeld})
	answered := make(chan error, 1)
	go func() {
		_, err := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpPauseWorker})
		answered <- err
	}()
	arm(t, s, breakpoint.Breakpoint{Place: &breakpoint.Place{Line: 8}, Action: breakpoint.Count})
	if err := <-answered; err != nil {
		t.Errorf("the command that waited for the full kernel: %v", err)
	}
	open()
}

// TestABreakpointForTheResultOutlivesTheCoreVariant: a breakpoint that needs no kernel of its own had slices run the core variant
// again, whose pipeline was closed when the full kernel replaced it, and the target was lost.
func TestABreakpointForTheResultOutlivesTheCoreVariant(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	s := start(t, b, assemble(t, b, stopped, 8, "work", "other"), resident.Options{Workers: 1, Core: resident.CoreHeld})
	for _, op := range []megakernel.CommandOp{megakernel.OpPauseWorker, megakernel.OpResumeWorker} { // which need the full kernel
		if _, err := s.Do(deadline(t), megakernel.Command{Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	arm(t, s, breakpoint.Breakpoint{Place: &breakpoint.Place{Event: megakernel.StopVerification}})
	publish(t, s, work(1, nil))
	collect(t, s, 1)
}
