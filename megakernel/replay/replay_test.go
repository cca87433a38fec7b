package replay_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/run"
)

// record runs collatz on the reference and returns its recording.
func record(t *testing.T) *fixtures.Recording {
	t.Helper()
	return recordRun(t, "collatz", map[string]string{"count": "100"})
}

// recordFolder runs a workload of testdata.
func recordFolder(t *testing.T, dir string) *fixtures.Recording {
	t.Helper()
	return recordRun(t, dir, nil)
}

func recordRun(t *testing.T, name string, values map[string]string) *fixtures.Recording {
	t.Helper()
	d, err := run.OpenWorkload(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(values)
	if err != nil {
		t.Fatal(err)
	}
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	file := filepath.Join(t.TempDir(), "run.mcap")
	r, err := run.Start(t.Context(), run.Config{Workload: w, Backend: b, Record: file})
	if err != nil {
		t.Fatal(err)
	}
	err = r.Work(t.Context())
	if err == nil {
		_, err = r.Finish(t.Context(), true)
	}
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return open(t, file)
}

func open(t *testing.T, file string) *fixtures.Recording {
	t.Helper()
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// part is what changed copies of a recording are made of.
type part struct {
	header fixtures.Header
	inputs []fixtures.Input
	end    *megakernel.Snapshot
	steps  []uint32 // of the workload's buffer at the end

	results []megakernel.Completion
}

// changed copies a recording with something of it changed.
func changed(t *testing.T, rec *fixtures.Recording, change func(p *part)) *fixtures.Recording {
	t.Helper()
	return changedTo(t, filepath.Join(t.TempDir(), "changed.mcap"), rec, change)
}

// changedTo writes the copy to a file.
func changedTo(t *testing.T, file string, rec *fixtures.Recording, change func(p *part)) *fixtures.Recording {
	t.Helper()
	p := &part{header: rec.Header(), steps: make([]uint32, 101)}
	start := *p.header.Start
	p.header.Start = &start
	for in := range rec.Inputs(0) {
		p.inputs = append(p.inputs, in)
	}
	p.results = slices.Collect(rec.Results())
	_, at := rec.Span()
	end, _, err := rec.SnapshotAt(at)
	if err := errors.Join(err, rec.ReadBuffer(at, "steps", 0, p.steps)); err != nil {
		t.Fatal(err)
	}
	copied := *end // the reader keeps it
	p.end = &copied
	change(p)
	w, err := fixtures.Create(file, p.header)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range p.inputs {
		if in.Command != nil {
			w.Command(in.At, *in.Command)
		} else {
			w.Submitted(in.At, in.Tasks)
		}
	}
	w.Completed(p.results)
	if p.end != nil {
		w.Snapshot(p.end)
		w.Buffer(p.end.Taken, "steps", 0, p.steps)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, file)
}

// TestOneBitThatDiffersIsNamed: on each backend a run ends as recorded on the reference, and a bit that was planted in the
// recording is the one difference that is found.
func TestOneBitThatDiffersIsNamed(t *testing.T) {
	rec := record(t)
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		if r := verify(t, rec, b); !r.Equal() || r.Buffers[0].Words != 101 || r.Tasks.Done != 100 {
			t.Fatalf("a run that ends as recorded: %+v", r)
		}
		for _, tc := range []struct{ word, bit int }{{0, 0}, {57, 31}, {100, 3}} {
			planted := changed(t, rec, func(p *part) { p.steps[tc.word] ^= 1 << tc.bit })
			r := verify(t, planted, b)
			got := r.Buffers[0]
			if r.Equal() || got.Different != 1 || got.First.Index != tc.word || got.First.Recorded^got.First.Now != 1<<tc.bit || got.First.Name != wordName(tc.word) {
				t.Errorf("bit %d of word %d: %+v, first %+v", tc.bit, tc.word, got, got.First)
			}
		}
	})
}

// wordName is what the kernel calls a word of the buffer of collatz.
func wordName(i int) string { return fmt.Sprintf("collatz_steps[%d]", i) }

func verify(t *testing.T, rec *fixtures.Recording, b engine.Backend) *replay.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // with the race detector on a busy machine
	defer cancel()
	r, err := replay.Verify(ctx, "run.mcap", rec, b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTasksThatEndDifferentlyAreFound: a task too many, and one too few.
func TestTasksThatEndDifferentlyAreFound(t *testing.T) {
	rec := record(t)
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r := verify(t, changed(t, rec, func(p *part) { p.end.Counters[megakernel.CountDone]++ }), b)
	if r.Equal() || r.Tasks.Done != 100 || r.Tasks.RecordedDone != 101 {
		t.Errorf("%+v", r.Tasks)
	}
	r = verify(t, changed(t, rec, func(p *part) { p.end.Counters[megakernel.CountFaulted]++ }), b)
	if r.Equal() || r.Tasks.RecordedFaulted != 1 {
		t.Errorf("%+v", r.Tasks)
	}
}

// TestIncompleteRecordingsAreNotExecuted: each says what it lacks.
func TestIncompleteRecordingsAreNotExecuted(t *testing.T) {
	rec := record(t)
	b, err := reference.Open(reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for want, change := range map[string]func(p *part){
		"does not say how the run began": func(p *part) { p.header.Start = nil },
		"some reason":                    func(p *part) { p.header.Start.Incomplete = "some reason" },
		"the run had not ended: 7 tasks": func(p *part) { p.end.Submitted += 7 },
		"words were edited at 1s": func(p *part) {
			p.inputs = append(p.inputs, fixtures.Input{At: time.Second, Command: &megakernel.Command{Op: megakernel.OpEditTask}})
		},
		"the epoch was advanced by 4294967295 at 2s": func(p *part) { // it was executed for days
			p.inputs = append(p.inputs, fixtures.Input{At: 2 * time.Second, Command: &megakernel.Command{Op: megakernel.OpAdvanceEpoch, Arg: math.MaxUint32}})
		},
		"it has no snapshot": func(p *part) { p.end = nil }, // a panic
		"at 3s, and each is executed": func(p *part) { // each command alone is allowed
			for range 3 {
				p.inputs = append(p.inputs, fixtures.Input{At: 3 * time.Second, Command: &megakernel.Command{Op: megakernel.OpAdvanceEpoch, Arg: 1 << 15}})
			}
		},
		"the rings of its kernel have": func(p *part) { p.header.Target.Kernel = withRings(t, p.header.Target.Kernel) }, // 2 GiB
		"it does not end": func(p *part) {
			p.header.Target.Kernel = withHandler(t, p.header.Target.Kernel, "task_yield(t, 1u, 1u);")
		},
	} {
		_, err := replay.Verify(t.Context(), "run.mcap", changed(t, rec, change), b)
		if !errors.Is(err, replay.ErrNotExecutable) || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "Fix: ") != 1 {
			t.Errorf("want %q: %v", want, err)
		}
	}
	unknown := changed(t, rec, func(p *part) { p.header.Target.Kernel = []byte("not a kernel") })
	if _, err := replay.Verify(t.Context(), "run.mcap", unknown, b); err == nil || strings.Count(err.Error(), "Fix: ") != 1 {
		t.Errorf("a kernel that cannot be read: %v", err)
	}
}

// withKernel changes what a kernel was assembled from.
func withKernel(t *testing.T, packed []byte, change func(x *kernel.Text)) []byte {
	t.Helper()
	x, err := kernel.Unpack(packed)
	if err == nil {
		change(x)
		packed, err = x.Pack()
	}
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func withRings(t *testing.T, packed []byte) []byte {
	return withKernel(t, packed, func(x *kernel.Text) {
		x.Config.InboxTasks, x.Config.Completions, x.Config.LogRecords = 1<<24, 1<<24, 1<<24
	})
}

// withHandler gives the workload's handler another body.
func withHandler(t *testing.T, packed []byte, body string) []byte {
	return withKernel(t, packed, func(x *kernel.Text) {
		x.Config.Sources[0].Text = "layout(std430, binding = 8) buffer Steps { uint steps[]; };\nvoid " + x.Config.Handlers[0].Function + "(inout Task t) { " + body + " }\n"
	})
}

// onProcessors are the workloads whose recordings OpenGL on processors executes without -everyvariant: it compiles each kernel for
// seconds.
var onProcessors = []string{"bfs", "bfs-batch", "collatz", "faults", "scan"}

// TestRecordedRunsEndAlike executes the runs of fixtures/recordings/runs again, which were recorded on several devices: all on the
// reference, and with -everyvariant on OpenGL.
func TestRecordedRunsEndAlike(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../fixtures/recordings/runs/*.mcap"))
	if err != nil || len(files) == 0 {
		t.Fatalf("recordings %v, %v", files, err)
	}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for _, file := range files {
			name := filepath.Base(file)
			if backendtest.CompilesSlowly(b) && !slices.Contains(onProcessors, name[:strings.LastIndexByte(name, '-')]) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				if r := verify(t, open(t, file), b); !r.Equal() {
					t.Errorf("recorded on %s: %+v", r.Recorded, r)
				}
			})
		}
	})
}
