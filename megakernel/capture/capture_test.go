package capture_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/debugger"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

const opStir = 0x100

// stir changes its own words, a buffer of the workload, and spawns once.
const stir = `layout(std430, binding = 8) coherent buffer Bowl { uint bowl[64]; };
void stir(inout Task t) {
    uint at = t.param % 64u;
    uint sum = 0u;
    for (uint i = 0u; i < 5u; ++i) {
        sum += bowl[at] + i;
    }
    bowl[at] = sum;
    if (t.continuation_pc == 0u) {
        task_spawn(t, 0x101u, PRIORITY_LOW, at, 0u, 0u);
    }
    task_yield(t, t.continuation_pc + 1u, sum);
}
void rest(inout Task t) { task_pause_for(t, 0u, vt_epoch() + 1u, 0u, 0u); }
`

// target is a session as a source of captures.
type target struct{ *resident.Session }

func (t target) Now(context.Context) (*megakernel.Snapshot, error) { return t.Snapshot(), nil }

func start(t testing.TB, b engine.Backend) (context.Context, target) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // some drivers compile for half a minute
	t.Cleanup(cancel)
	c := kernel.Config{
		Name: "stir", WorkgroupSize: 4, Slots: 64, InboxTasks: 64, Completions: 64, LogRecords: 1024,
		Handlers: []kernel.Handler{{Opcode: opStir, Name: "stir", Function: "stir"}, {Opcode: opStir + 1, Name: "rest", Function: "rest"}},
		Sources:  []*source.File{{Name: "stir.glsl", Text: stir}},
	}
	c.Suit(b.Profile())
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := resident.Start(ctx, b, k, resident.Options{Workers: 1, Core: resident.CoreOff, Buffers: []resident.BufferInit{{Name: "bowl", Binding: 8, Words: 64}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return ctx, target{s}
}

func (x target) do(t testing.TB, ctx context.Context, c megakernel.Command) {
	t.Helper()
	ack, err := x.Do(ctx, c)
	if err == nil && ack.Result != megakernel.AckApplied {
		err = errors.New(ack.Result.String())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// words reads a buffer of the target.
func (x target) words(t *testing.T, ctx context.Context, name string, n int) []uint32 {
	t.Helper()
	out := make([]uint32, n)
	if err := x.ReadBuffer(ctx, name, 0, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// imported waits until a slot holds a task.
func (x target) imported(t testing.TB, ctx context.Context, task uint32) {
	t.Helper()
	for {
		if _, ok := x.Snapshot().FindTask(task, -1); ok {
			return
		}
		if backendtest.Breathe(); ctx.Err() != nil {
			t.Fatal("the task is not imported")
		}
	}
}

// begin publishes a task to a target whose workers are paused, and captures it.
func begin(t testing.TB, ctx context.Context, x target) *capture.Capture {
	t.Helper()
	x.do(t, ctx, megakernel.Command{Op: megakernel.OpPauseAll})
	if err := x.Publish(ctx, []tasks.Task{{Opcode: opStir, Priority: tasks.Normal, TaskID: 7, Param: 3}}); err != nil {
		t.Fatal(err)
	}
	x.imported(t, ctx, 7)
	c, err := capture.Take(ctx, x, capture.Options{Name: "stir", Task: 7, Live: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// stored writes a capture to a file's bytes.
func stored(t *testing.T, c *capture.Capture) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A capture that was stored and read back ends as the device's own activation does, word by word.
func TestACaptureEndsAsTheDeviceDoes(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		ctx, x := start(t, b)
		data := stored(t, begin(t, ctx, x))
		c, err := capture.Read("stir.capture", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the first activation spawns, the second begins with what it left
			a, err := c.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if a.Entry.Pos.File != "stir.glsl" || a.Entry.Pos.Line != 3 {
				t.Fatalf("the session begins at %v, not at the first line of the handler", a.Entry.Pos)
			}
			if stop := a.Continue(debugger.Forward); stop.Reason != debugger.Ended {
				t.Fatalf("the activation did not end: %+v", stop)
			}
			x.do(t, ctx, megakernel.Command{Op: megakernel.OpStepWorker, Worker: 0, Arg: 1})
			const words = tasks.WordContinuationData + 1
			at := c.Slot * tasks.SlotWords
			if got, want := a.Contents(megakernel.BindRing)[at:][:words], x.words(t, ctx, "ring", 64*tasks.SlotWords)[at:][:words]; !slices.Equal(got, want) {
				t.Errorf("the slot has %d, on the device %d", got, want)
			}
			if got, want := a.Contents(8), x.words(t, ctx, "bowl", 64); !slices.Equal(got, want) {
				t.Errorf("the buffer has %d, on the device %d", got, want)
			}
			if c, err = capture.Take(ctx, x, capture.Options{Name: "stir", Task: 7, Live: true}); err != nil {
				t.Fatal(err)
			}
		}
		x.do(t, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
	})
}

// The outcome names what the activation changed: words of the slot, the spawned task, words of buffers.
func TestOutcomeNamesWhatChanged(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	ctx, x := start(t, b)
	c := begin(t, ctx, x)
	a, err := c.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a.Continue(debugger.Forward)
	out := a.Outcome()
	if out.State != "yielded" || !slices.Contains(out.Slot, capture.Word{Name: "continuation_pc", Old: "0", New: "1"}) {
		t.Errorf("the task's words: %+v", out)
	}
	var names []string
	for _, c := range out.Buffers {
		names = append(names, c.Buffer)
	}
	if want := []string{"bowl"}; !slices.Equal(names, want) {
		t.Errorf("buffers %q have changed, want %q", names, want)
	}
	if want := []capture.Spawned{{Handler: "rest", Input: 3}}; !slices.Equal(out.Spawned, want) {
		t.Errorf("spawned %v, want %v", out.Spawned, want)
	}
	x.do(t, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
}

// A truncated or damaged capture is an error and never a panic.
func TestDamagedCapturesAreRefused(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	ctx, x := start(t, b)
	c := begin(t, ctx, x)
	data := stored(t, c)
	for n := 0; n < len(data); n += 1 + len(data)/200 {
		if _, err := capture.Read("cut", bytes.NewReader(data[:n]), int64(n)); !errors.Is(err, capture.ErrCapture) {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
	for name, change := range map[string]func(*capture.Capture){
		"a newer schema":         func(c *capture.Capture) { c.Schema = "vyretop.capture/2" },
		"a slot that is outside": func(c *capture.Capture) { c.Slot = 64 },
		"a negative slot":        func(c *capture.Capture) { c.Slot = -1 },
		"a lane that is outside": func(c *capture.Capture) { c.Lane = 4 },
		"no ring":                func(c *capture.Capture) { c.Buffers = nil },
	} {
		bad := *c
		change(&bad)
		data := stored(t, &bad)
		if _, err := capture.Read("bad", bytes.NewReader(data), int64(len(data))); !errors.Is(err, capture.ErrCapture) {
			t.Errorf("%s: %v", name, err)
		}
	}
	x.do(t, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
}

func TestOnlyTasksThatAreThereAreCaptured(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	ctx, x := start(t, b)
	begin(t, ctx, x)
	if _, err := capture.Take(ctx, x, capture.Options{Name: "stir", Task: 8, Live: true}); !errors.Is(err, capture.ErrTask) {
		t.Errorf("a task that does not exist: %v", err)
	}
	if _, err := capture.Take(ctx, x, capture.Options{Name: "stir", Task: 7, Live: true, Bytes: 1024}); !errors.Is(err, capture.ErrTask) {
		t.Errorf("a target that is too large: %v", err)
	}
	x.do(t, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
}

// BenchmarkOpen is the time from a held task to the first line of its handler.
func BenchmarkOpen(b *testing.B) {
	backend := backendtest.Reference(b, reference.Options{})
	ctx, x := start(b, backend)
	begin(b, ctx, x)
	for b.Loop() {
		c, err := capture.Take(ctx, x, capture.Options{Name: "stir", Task: 7, Live: true})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Open(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	x.do(b, ctx, megakernel.Command{Op: megakernel.OpResumeAll})
}
