package resident_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/resident"
)

// slowCompiler is a backend whose driver compiles all programs but the first only when it may.
type slowCompiler struct {
	engine.Backend
	may      chan struct{}
	compiled atomic.Int32
	fail     error // of all but the first
}

func (*slowCompiler) countsCompilations() {}

func (s *slowCompiler) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if s.compiled.Add(1) > 1 {
		<-s.may
		if s.fail != nil {
			return nil, s.fail
		}
	}
	return s.Backend.Compile(ctx, p)
}

// TestABreakpointSaysThatItWaitsForTheCompiler: it was pending for as long as the clock counts, and each first breakpoint
// compiled the kernel.
func TestABreakpointSaysThatItWaitsForTheCompiler(t *testing.T) {
	b := &slowCompiler{Backend: backendtest.Reference(t, reference.Options{}), may: make(chan struct{})}
	s := start(t, b, assemble(t, b, endless, 8, "work", "once"), resident.Options{Workers: 1})
	if s.Compiling() {
		t.Error("it compiles before anything was asked for")
	}
	ready := make(chan error, 1)
	go func() { ready <- s.ReadyBreakpoints(deadline(t)) }()
	armed := make(chan error, 1)
	go func() {
		_, err := s.Arm(deadline(t), breakpoint.Breakpoint{Program: opIs(opWork)})
		armed <- err
	}()
	var list []breakpoint.Status
	for ctx := deadline(t); len(list) == 0 || !list[0].Compiling; list = s.Breakpoints() {
		if ctx.Err() != nil {
			t.Fatalf("breakpoints %+v", list)
		}
		backendtest.Breathe()
	}
	if s.Snapshot().Compiling.Workgroup == 0 {
		t.Error("the snapshot does not say that a breakpoint waits for the compiler")
	}
	if l := list[0]; !l.Pending || l.Latency < 0 || l.Latency > time.Hour || !s.Compiling() {
		t.Errorf("while the kernel is compiled: %+v", l)
	}
	close(b.may)
	for name, c := range map[string]chan error{"compiling": ready, "arming": armed} {
		if err := <-c; err != nil {
			t.Fatal(name, err)
		}
	}
	if c := s.Snapshot().Compiling; c != (megakernel.Compiling{}) {
		t.Errorf("the snapshot says of a breakpoint in force that it is compiled: %+v", c)
	}
	if l := s.Breakpoints()[0]; l.Pending || l.Compiling || s.Compiling() {
		t.Errorf("when it is armed: %+v", l)
	}
	for range 2 {
		if err := s.Disarm(deadline(t), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Arm(deadline(t), breakpoint.Breakpoint{Program: opIs(opWork)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.compiled.Load(); n != 2 {
		t.Errorf("%d programs were compiled, want the kernel and its variant", n)
	}
}
