package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/engine/vitals"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
	"vyretop/tui"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted is the collatz workload with another way of running it.
type scripted struct {
	workload.Workload
	run func(ctx context.Context, h workload.Host) error
}

func (s scripted) Run(ctx context.Context, h workload.Host) error { return s.run(ctx, h) }

func collatz(t *testing.T) workload.Workload {
	t.Helper()
	d, err := OpenWorkload("collatz")
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(map[string]string{"count": "500"})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func start(t *testing.T, c Config) *Run {
	t.Helper()
	c.Backend = backendtest.Reference(t, reference.Options{Seed: 1, Resident: 3})
	r, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestARunIsCountedVerifiedAndRecorded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	r := start(t, Config{Workload: collatz(t), Want: policy.Config{Workers: 2}, WorkgroupSize: 4, Record: file, Version: "test"})
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	o, err := r.Finish(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !o.Verified || !o.Verification.OK || o.Result == nil || o.Summary.Submitted != 500 || o.Elapsed <= 0 {
		t.Errorf("outcome %+v", o)
	}
	if o.Shape != (Shape{Workers: 2, WorkgroupSize: 4}) || o.LogRead+o.LogLost != uint64(o.Summary.Log) {
		t.Errorf("shape %+v, log %d read and %d lost of %d", o.Shape, o.LogRead, o.LogLost, o.Summary.Log)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	checkRecording(t, file)
}

// oneCard is a host with one device.
type oneCard struct{ closed *atomic.Int32 }

func (oneCard) Read() []vitals.Device {
	return []vitals.Device{{Name: "reference", Power: engine.Known(uint32(250_000)), Temperature: engine.Known(uint32(61))}}
}
func (c oneCard) Close() { c.closed.Add(1) }

// header is the first line of a dashboard of 120 columns on a source.
func header(t *testing.T, source tui.Source) string {
	t.Helper()
	x, err := tui.NewHeadless(t.Context(), tui.Options{Source: source, Environ: []string{"TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1"}}, 120, 30)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(x.Frame(), "\n")
	return ansi.Strip(line)
}

// TestARunTellsTheVitalsOfItsDevice: they are in its snapshots, its header and its recording, which a replay shows as the
// run did, and the library is closed with it.
func TestARunTellsTheVitalsOfItsDevice(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	card := oneCard{new(atomic.Int32)}
	r := start(t, Config{Workload: collatz(t), Record: file, Vitals: func() (vitals.Source, bool) { return card, true }})
	for r.group.members[0].vitals.Latest() == nil { // its goroutine has yet to run
		runtime.Gosched()
	}
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := r.Snapshot().Vitals.Target()
	if d == nil || d.Power != engine.Known(uint32(250_000)) {
		t.Errorf("a snapshot tells %+v of the device", d)
	}
	const shown = " 250 W 61 C"
	for s := r.Hub().Snapshot(); s == nil || s.Vitals.Target() == nil; s = r.Hub().Snapshot() { // the one that is drawn is older
		runtime.Gosched()
	}
	if got := header(t, r.Hub()); !strings.Contains(got, shown) {
		t.Errorf("the header %q does not show %q", got, shown)
	}
	if _, err := r.Finish(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil || card.closed.Load() != 1 {
		t.Errorf("closed %d times, %v", card.closed.Load(), err)
	}
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	_, end := rec.Span()
	s, _, err := rec.SnapshotAt(end)
	if err != nil || s.Vitals.Target() == nil || s.Vitals.Target().Power != d.Power {
		t.Errorf("the recording tells %+v, %v", s.Vitals, err)
	}
	player := fixtures.NewPlayer(rec, nil)
	defer player.Close()
	player.Seek(end)
	if got := header(t, player); !strings.Contains(got, shown) {
		t.Errorf("the header %q of the replay does not show %q", got, shown)
	}
}

// wrongResult is a workload whose result is right as often as it says.
type wrongResult struct {
	workload.Workload
	right, asked int
}

func (r *wrongResult) Verify(context.Context) (workload.Verification, error) {
	r.asked++
	return workload.Verification{OK: r.asked <= r.right, Detail: fmt.Sprint("check ", r.asked)}, nil
}

// TestAResultIsCheckedWhileTheTargetIsThere: who looks at a run need not end it to learn that its result is wrong.
func TestAResultIsCheckedWhileTheTargetIsThere(t *testing.T) {
	w := &wrongResult{Workload: collatz(t), right: 1}
	r := start(t, Config{Workload: w, Want: policy.Config{Workers: 2}, WorkgroupSize: 4})
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Verify(t.Context())
	r.Verify(t.Context())
	if w.asked != 1 {
		t.Errorf("checked %d times, and nothing has happened since the first", w.asked)
	}
	if _, err := r.Hub().Do(t.Context(), megakernel.Command{Op: megakernel.OpPauseAll}); err != nil {
		t.Fatal(err)
	}
	r.Verify(t.Context())
	o, err := r.Finish(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if o.Verification.OK {
		t.Errorf("outcome %+v", o.Verification)
	}
	var kinds []string
	for _, e := range r.Hub().Events(0, 100) {
		if e.Kind == megakernel.EventVerified || e.Kind == megakernel.EventVerificationFailed {
			kinds = append(kinds, e.Kind)
		}
	}
	if want := []string{"verified", "verified", "refuted"}; !slices.Equal(kinds, want) {
		t.Errorf("events %q, want %q", kinds, want)
	}
}

func checkRecording(t *testing.T, file string) {
	t.Helper()
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	submitted := 0
	for in := range rec.Inputs(0) {
		submitted += len(in.Tasks)
	}
	h := rec.Header()
	if h.Target.Workload != "collatz" || h.Version != "test" || len(h.Profile) == 0 || len(h.Kernel) < 2 || submitted != 500 {
		t.Errorf("recorded %q by %q, %d kernel texts, %d tasks", h.Target.Workload, h.Version, len(h.Kernel), submitted)
	}
}

// TestAFailingTargetEndsTheWork: a workload that waits for completions must not wait for ever when
// there will be none.
func TestAFailingTargetEndsTheWork(t *testing.T) {
	w := scripted{Workload: collatz(t)}
	waiting := make(chan struct{})
	w.run = func(ctx context.Context, h workload.Host) error {
		close(waiting)
		select {
		case <-h.Completions():
			return errors.New("a completion of nothing")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r := start(t, Config{Workload: w})
	go func() {
		<-waiting
		_ = r.group.stop(context.Background())
	}()
	if err := r.Work(t.Context()); !errors.Is(err, resident.ErrStopped) {
		t.Errorf("work ended with %v, want the reason of the target", err)
	}
}

// TestPublishingDoesNotWaitForTheWorkloadToLook: more tasks than the target can hold completions of
// are published before the workload takes the first completion.
func TestPublishingDoesNotWaitForTheWorkloadToLook(t *testing.T) {
	const batches, size = 40, 512
	w := scripted{Workload: collatz(t)}
	w.run = func(ctx context.Context, h workload.Host) error {
		for b := range batches {
			list := make([]tasks.Task, size)
			for i := range list {
				list[i] = tasks.Task{Opcode: 0, Priority: tasks.Normal, TaskID: uint32(b*size + i + 1)}
			}
			if err := h.Publish(ctx, list); err != nil {
				return err
			}
		}
		seen := map[uint32]bool{}
		for len(seen) < batches*size {
			select {
			case list := <-h.Completions():
				for _, c := range list {
					if seen[c.TaskID] {
						return fmt.Errorf("task %d completed twice", c.TaskID)
					}
					seen[c.TaskID] = true
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}
	r := start(t, Config{Workload: w})
	if err := r.Work(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestStartLeavesNothingBehindWhenItFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(file, []byte("something"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := backendtest.Reference(t, reference.Options{Seed: 1, Resident: 3})
	if _, err := Start(t.Context(), Config{Workload: collatz(t), Backend: b, Record: file}); !errors.Is(err, fixtures.ErrExists) {
		t.Errorf("recording over a file: %v", err)
	}
	if _, err := Start(t.Context(), Config{Workload: collatz(t), Backend: b, WorkgroupSize: 5000}); err == nil {
		t.Error("5000 lanes are accepted")
	}
}

func TestLateEventsKeepTheirOrder(t *testing.T) {
	var l lateEvents
	var got []string
	l.add("a", "1")
	l.add("b", "2")
	l.connect(func(e megakernel.HostEvent) { got = append(got, e.Kind+e.Text) })
	l.add("c", "3")
	if want := []string{"a1", "b2", "c3"}; !slices.Equal(got, want) {
		t.Errorf("told %v, want %v", got, want)
	}
}
