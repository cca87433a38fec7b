package resident_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// apartCompiler is a backend whose driver takes long, on threads of its own, and compiles the full kernel only when it may. fail is
// what the other process makes of the kernels that it gets.
type apartCompiler struct {
	engine.Backend
	may  chan struct{}
	fail error

	mu    sync.Mutex
	apart []string // what the other process got
}

func (*apartCompiler) countsCompilations() {}

func (c *apartCompiler) Profile() engine.DeviceProfile {
	p := c.Backend.Profile()
	p.DispatchBlocks, p.SoftwareDevice = engine.Known(false), engine.Known(false)
	return p
}

// nameOf tells the variants of a kernel with a large handler apart by their texts.
func nameOf(p *engine.Program) string {
	name := "full"
	if strings.Contains(p.Text, "vt_serve_all_core();") {
		name = "core"
	}
	if strings.Contains(p.Text, ") void work(inout Task t) {") {
		name += ", divided"
	}
	return name
}

func (c *apartCompiler) CompileApart(ctx context.Context, p *engine.Program) error {
	c.mu.Lock()
	c.apart = append(c.apart, nameOf(p))
	c.mu.Unlock()
	return c.fail
}

func (c *apartCompiler) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if nameOf(p) == "full" {
		select {
		case <-c.may:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return c.Backend.Compile(ctx, p)
}

// largeCountdown is countdown with a handler that takes a compiler long.
var largeCountdown = strings.Replace(countdown, "{", "{\n    uint n = 0u;"+strings.Repeat(" n = n * 5u + (n >> 3u);", 200)+" t.output_handle += n;", 1)

func largeKernel(t *testing.T, b engine.Backend, cooperative bool) *kernel.Kernel {
	c := assemble(t, b, largeCountdown, 8, "work").Config
	c.Handlers[0].Cooperative = cooperative
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestTasksOfLargeHandlersEndBeforeTheFullKernelIsCompiled: a driver that copies a large handler to all its callers takes many times
// as long for it as for one that it compiles on its own.
func TestTasksOfLargeHandlersEndBeforeTheFullKernelIsCompiled(t *testing.T) {
	crash := &engine.Error{Code: engine.CodeKernelCompileFailed, Op: "compile", Detail: "signal: segmentation fault", Fix: "compile in this process"}
	nowhere := &engine.Error{Code: engine.CodeUnsupportedFeature, Op: "compile", Detail: "nothing is stored", Fix: "store it"}
	for _, tt := range []struct {
		name        string
		cooperative bool
		soon        bool  // Options.NeedsFull
		fail        error // of the other process
		first       string
		told        []string
	}{
		{name: "lanes", first: "core, divided", told: []string{"the full kernel replaces its core variant"}},
		{name: "workers", cooperative: true, first: "core, divided", told: []string{"the full kernel replaces its core variant"}},
		{name: "epochs", soon: true, first: "full, divided", told: []string{"the full kernel replaces the variant with its handlers apart"}},
		{name: "crash", fail: crash, first: "core", told: []string{"the variant that starts sooner cannot be compiled", "the full kernel replaces its core variant"}},
		{name: "nothing stored", fail: nowhere, first: "core", told: []string{"the full kernel replaces its core variant"}},
	} {
		run := func(t *testing.T, b engine.Backend) {
			checkStart(t, b, tt.cooperative, tt.soon, tt.fail, tt.first, tt.told)
		}
		t.Run(tt.name, func(t *testing.T) {
			if tt.cooperative { // OpenGL once: it compiles two kernels for each
				backendtest.OnEachVariant(t, run)
				return
			}
			run(t, backendtest.Reference(t, reference.Options{}))
		})
	}
}

// checkStart runs tasks before and after the full kernel is there, and checks what was compiled by the other process and told.
func checkStart(t *testing.T, plain engine.Backend, cooperative, soon bool, fail error, first string, told []string) {
	b := &apartCompiler{Backend: plain, may: make(chan struct{}), fail: fail}
	events := make(chan string, 8)
	s, err := resident.Start(deadline(t), b, largeKernel(t, plain, cooperative), resident.Options{
		Workers: 2, Activation: 256, NeedsFull: soon, Events: func(_, text string) { events <- text },
	})
	if err != nil {
		t.Fatal(err)
	}
	countDown(t, s, 50)
	if !s.Compiling() || s.Snapshot().Compiling == (megakernel.Compiling{}) {
		t.Error("nothing says that the full kernel is being compiled")
	}
	close(b.may)
	readyFull(t)(s)
	countDown(t, s, 50)
	for _, want := range told {
		if got := <-events; !strings.HasPrefix(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, want := range []string{"full", first} {
		if fail == nil && !slices.Contains(b.apart, want) {
			t.Errorf("the other process compiled %q, want %q, too", b.apart, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// countDown publishes tasks and checks what became of them.
func countDown(t *testing.T, s *resident.Session, n int) {
	t.Helper()
	publish(t, s, work(n, func(i int, t *tasks.Task) { t.Param = uint32(i) }))
	for _, c := range collect(t, s, n) {
		if c.State != tasks.Done || c.Output != 4*c.Param {
			t.Fatalf("completion %+v", c)
		}
	}
}

// TestAFullKernelThatCannotBeCompiledLeavesTheOneThatRuns: with its handlers apart it does all that the full one does.
func TestAFullKernelThatCannotBeCompiledLeavesTheOneThatRuns(t *testing.T) {
	plain := backendtest.Reference(t, reference.Options{})
	b := &apartCompiler{Backend: &failingFull{plain}, may: make(chan struct{})}
	s, err := resident.Start(deadline(t), b, largeKernel(t, plain, true), resident.Options{Workers: 2, Activation: 256, NeedsFull: true})
	if err != nil {
		t.Fatal(err)
	}
	countDown(t, s, 20)
	close(b.may)
	if err := s.ReadyFull(deadline(t)); err == nil {
		t.Error("the full kernel was compiled")
	}
	applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
	applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
	countDown(t, s, 20)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// failingFull is a backend whose driver refuses the full kernel.
type failingFull struct{ engine.Backend }

func (f *failingFull) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	if nameOf(p) == "full" {
		return nil, &engine.Error{Code: engine.CodeKernelCompileFailed, Op: "compile", Detail: "refused", Fix: "none"}
	}
	return f.Backend.Compile(ctx, p)
}
