package resident_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// heldCompiler is a backend whose driver compiles the full kernel, which is asked for first, only when it may.
type heldCompiler struct {
	engine.Backend
	may chan struct{}
}

func (h *heldCompiler) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if !strings.Contains(p.Text, "vt_serve_all_core();") {
		<-h.may
	}
	return h.Backend.Compile(ctx, p)
}

// TestTasksEndBeforeTheFullKernelIsCompiled: the first task waited for all of the kernel. A command waits for the full
// kernel, and is answered by it; no task is lost or run twice.
func TestTasksEndBeforeTheFullKernelIsCompiled(t *testing.T) {
	b := &heldCompiler{Backend: backendtest.Reference(t, reference.Options{}), may: make(chan struct{})}
	var mu sync.Mutex
	var told []string
	s := start(t, b, assemble(t, b, countdown, 64, "work"), resident.Options{Workers: 2, Core: resident.CoreHeld, Events: func(kind, text string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, kind)
	}})
	publish := func() {
		t.Helper()
		if err := s.Publish(deadline(t), work(200, func(i int, t *tasks.Task) { t.Param = uint32(i) })); err != nil {
			t.Fatal(err)
		}
		for _, c := range collect(t, s, 200) {
			if c.State != tasks.Done || c.Output != 4*c.Param {
				t.Fatalf("completion %+v", c)
			}
		}
	}
	publish()
	if !s.Compiling() || s.Snapshot().Compiling == (megakernel.Compiling{}) {
		t.Error("nothing says that the full kernel is being compiled")
	}
	answered := make(chan megakernel.Ack, 1)
	go func() {
		ack, _ := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpPauseAll})
		answered <- ack
	}()
	close(b.may)
	if ack := <-answered; ack.Result != megakernel.AckApplied {
		t.Fatalf("pause: %+v", ack)
	}
	applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
	publish()
	mu.Lock()
	defer mu.Unlock()
	if s.Compiling() || len(told) != 1 || told[0] != "compile" {
		t.Errorf("compiling %v, told %q", s.Compiling(), told)
	}
}

// compiler is a backend whose driver compiles in the dispatch, and may have stored the full kernel.
type compiler struct {
	engine.Backend
	kept bool
	full atomic.Int32 // compilations of the full kernel
}

func (c *compiler) Profile() engine.DeviceProfile {
	p := c.Backend.Profile()
	p.DispatchBlocks = engine.Known(true)
	return p
}

func (c *compiler) Kept(context.Context, *engine.Program) bool { return c.kept }

func (c *compiler) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if !strings.Contains(p.Text, "vt_serve_all_core();") {
		c.full.Add(1)
	}
	return c.Backend.Compile(ctx, p)
}

// TestAShortRunDoesWithoutTheFullKernel: where the driver compiles with the processors that run the kernel, the first task
// waited for all of it. It is compiled when a command needs it or ReadyFull asks for it, and at the start only where it is
// stored.
func TestAShortRunDoesWithoutTheFullKernel(t *testing.T) {
	for _, tt := range []struct {
		name  string
		kept  bool
		soon  bool     // Options.NeedsFull
		want  [2]int32 // compilations after tasks, and after what needs the full kernel
		needs func(*resident.Session)
	}{
		{"command", false, false, [2]int32{0, 1}, func(s *resident.Session) { applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll}) }},
		{"asked for", false, false, [2]int32{0, 1}, readyFull(t)},
		{"nothing", false, false, [2]int32{0, 0}, func(*resident.Session) {}},
		{"stored", true, false, [2]int32{1, 1}, readyFull(t)},
		{"needed soon", false, true, [2]int32{1, 1}, readyFull(t)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &compiler{Backend: backendtest.Reference(t, reference.Options{}), kept: tt.kept}
			s, err := resident.Start(deadline(t), b, assemble(t, b, countdown, 8, "work"), resident.Options{Workers: 2, Activation: 256, NeedsFull: tt.soon})
			if err != nil {
				t.Fatal(err)
			}
			publish(t, s, work(50, func(i int, t *tasks.Task) { t.Param = uint32(i) }))
			collect(t, s, 50)
			if got := b.full.Load(); got != tt.want[0] || s.Compiling() {
				t.Errorf("%d compilations of the full kernel, want %d; compiling: %v", got, tt.want[0], s.Compiling())
			}
			tt.needs(s)
			if got := b.full.Load(); got != tt.want[1] {
				t.Errorf("%d compilations of the full kernel in the end, want %d", got, tt.want[1])
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func readyFull(t *testing.T) func(*resident.Session) {
	return func(s *resident.Session) {
		if err := s.ReadyFull(deadline(t)); err != nil {
			t.Error(err)
		}
	}
}

// TestNothingLostOrDoubledFromTheCoreVariant has the full kernel take over at random times.
func TestNothingLostOrDoubledFromTheCoreVariant(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	for seed := range backendtest.Seeds(2, 6) {
		checkRandomRun(t, b, rand.New(rand.NewPCG(seed, 7)), 500, resident.CoreHeld, false)
	}
}
