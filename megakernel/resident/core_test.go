package resident_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
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

// TestNothingLostOrDoubledFromTheCoreVariant has the full kernel take over at random times.
func TestNothingLostOrDoubledFromTheCoreVariant(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	for seed := range uint64(6) {
		checkRandomRun(t, b, rand.New(rand.NewPCG(seed, 7)), 500, resident.CoreHeld, false)
	}
}
