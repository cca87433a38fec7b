package live

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vyretop/megakernel"
	"vyretop/tasks"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeSession is a target that tests fill; it counts its snapshots.
type fakeSession struct {
	mu      sync.Mutex
	seq     uint64
	phase   megakernel.Phase
	pending []megakernel.LogRecord
	err     error
}

func (f *fakeSession) Snapshot() *megakernel.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq++
	return &megakernel.Snapshot{Seq: f.seq, Phase: f.phase}
}

func (f *fakeSession) TakeLog(limit int) megakernel.LogBlocks {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := min(limit, len(f.pending))
	out := megakernel.BlocksOf(f.pending[:n])
	f.pending = f.pending[n:]
	return out
}

func (f *fakeSession) Do(_ context.Context, c megakernel.Command) (megakernel.Ack, error) {
	return megakernel.Ack{Command: c, Result: megakernel.AckApplied, Latency: 3 * time.Microsecond}, f.err
}

func (f *fakeSession) Retune(context.Context, megakernel.Shape) error { return f.err }

func (f *fakeSession) Settings() megakernel.Settings { return megakernel.Settings{Workers: 2} }

func (f *fakeSession) Apply(_ context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	return []megakernel.Change{{Setting: list[0], Old: 2}}, f.err
}

func (f *fakeSession) Drain(context.Context) error { return f.err }

func (f *fakeSession) Undo(context.Context) ([]megakernel.Change, error) { return nil, f.err }

func (f *fakeSession) log(from, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range n {
		f.pending = append(f.pending, megakernel.LogRecord{Number: uint64(from + i)})
	}
}

// start runs a hub with a tick channel and a clock that stands at 2 s after the launch. The
// returned function ends it.
func start(t *testing.T, f *fakeSession, o Options) (h *Hub, tick func(), stop func()) {
	t.Helper()
	launched := time.Unix(100, 0)
	ticks := make(chan time.Time)
	o.Ticks, o.Now = ticks, func() time.Time { return launched.Add(2 * time.Second) }
	h = New(f, megakernel.Target{Workload: "fake", Started: launched}, o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); h.Run(ctx) }()
	<-h.Updates()
	return h, func() { ticks <- time.Time{}; <-h.Updates() }, func() { cancel(); <-ended }
}

func numbers(records []megakernel.LogRecord) []uint64 {
	var out []uint64
	for _, r := range records {
		out = append(out, r.Number)
	}
	return out
}

func TestHubKeepsTheNewestSnapshot(t *testing.T) {
	f := &fakeSession{}
	h, tick, stop := start(t, f, Options{})
	if h.Target().Workload != "fake" {
		t.Errorf("target is %+v", h.Target())
	}
	tick()
	if got := h.Snapshot().Seq; got != 2 {
		t.Errorf("snapshot %d, want 2", got)
	}
	stop()
	if got := h.Snapshot().Seq; got != 3 {
		t.Errorf("after the end snapshot %d, want the last one, 3", got)
	}
}

func TestHubRetainsABoundedTailOfTheLog(t *testing.T) {
	f := &fakeSession{}
	h, tick, stop := start(t, f, Options{LogRecords: 4})
	defer stop()
	f.log(10, 3)
	tick()
	if diff := cmp.Diff([]uint64{11, 12}, numbers(h.Log(11, 10))); diff != "" {
		t.Errorf("records from 11 on (-want +got):\n%s", diff)
	}
	f.log(20, 3) // 13..19 were lost on the device; 10 and 11 are pushed out
	tick()
	for _, tt := range []struct {
		after uint64
		limit int
		want  []uint64
	}{{0, 10, []uint64{12, 20, 21, 22}}, {0, 2, []uint64{12, 20}}, {13, 10, []uint64{20, 21, 22}}, {22, 1, []uint64{22}}, {23, 9, nil}, {0, 0, nil}} {
		if diff := cmp.Diff(tt.want, numbers(h.Log(tt.after, tt.limit))); diff != "" {
			t.Errorf("Log(%d, %d) (-want +got):\n%s", tt.after, tt.limit, diff)
		}
	}
}

func texts(events []megakernel.HostEvent) []string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprintf("%v %s: %s", e.At, e.Kind, e.Text))
	}
	return out
}

func TestHubTurnsChangesIntoEvents(t *testing.T) {
	f := &fakeSession{phase: megakernel.PhaseResident}
	h, tick, stop := start(t, f, Options{Events: 3})
	defer stop()
	for _, p := range []megakernel.Phase{megakernel.PhaseResident, megakernel.PhaseParked, megakernel.PhaseResident} {
		f.mu.Lock()
		f.phase = p
		f.mu.Unlock()
		tick()
	}
	want := []string{"2s phase: the target is resident", "2s phase: the target is parked", "2s phase: the target is resident"}
	if diff := cmp.Diff(want, texts(h.Events(0, 10))); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	h.Event("note", "one more")
	if diff := cmp.Diff([]string{"2s note: one more"}, texts(h.Events(3, 10))); diff != "" {
		t.Errorf("events from 3 on, after one was pushed out (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[1:2], texts(h.Events(0, 1))); diff != "" {
		t.Errorf("the oldest retained event (-want +got):\n%s", diff)
	}
}

func TestHubPassesCommandsOnAndNotesTheAnswers(t *testing.T) {
	f := &fakeSession{}
	h, _, stop := start(t, f, Options{})
	defer stop()
	ctx := context.Background()
	if ack, err := h.Do(ctx, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: 1}); err != nil || ack.Result != megakernel.AckApplied {
		t.Errorf("answer %+v, %v", ack, err)
	}
	if err := h.Retune(ctx, megakernel.Shape{Workers: 4, Lanes: 16}); err != nil {
		t.Error(err)
	}
	f.err = errors.New("device lost")
	if _, err := h.Do(ctx, megakernel.Command{Op: megakernel.OpResumeTask, Task: 7}); !errors.Is(err, f.err) {
		t.Errorf("error is %v", err)
	}
	if err := h.Retune(ctx, megakernel.Shape{}); !errors.Is(err, f.err) {
		t.Errorf("error is %v", err)
	}
	if _, err := h.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll}); !errors.Is(err, f.err) {
		t.Errorf("error is %v", err)
	}
	want := []string{
		"2s phase: the target is starting", "2s ack: pause worker 1: applied",
		"2s error: resume task 7: device lost", "2s error: retune to 0 workers of 0 lanes: device lost", "2s error: pause all: device lost",
	}
	if diff := cmp.Diff(want, texts(h.Events(0, 10))); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestHubPassesSettingsOnAndNotesRefusals(t *testing.T) {
	f := &fakeSession{}
	h, _, stop := start(t, f, Options{})
	defer stop()
	ctx, want := context.Background(), megakernel.Setting{ID: megakernel.WorkersSetting, Value: 4}
	if now := h.Settings(); now.Workers != 2 {
		t.Errorf("settings %+v", now)
	}
	if changes, err := h.Apply(ctx, want); err != nil || len(changes) != 1 || changes[0].Setting != want {
		t.Errorf("changes %v, %v", changes, err)
	}
	f.err = errors.New("the megakernel has stopped")
	if _, err := h.Apply(ctx, want, megakernel.Setting{ID: megakernel.TenantMaskSetting, Index: 3}); !errors.Is(err, f.err) {
		t.Errorf("error is %v", err)
	}
	if _, err := h.Undo(ctx); !errors.Is(err, f.err) {
		t.Errorf("error is %v", err)
	}
	lines := []string{
		"2s phase: the target is starting", "2s error: set workers=4 tenant-mask.3=off: the megakernel has stopped",
		"2s error: the megakernel has stopped",
	}
	if diff := cmp.Diff(lines, texts(h.Events(0, 10))); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// journal is a recorder that writes down what it was given.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

func (j *journal) Snapshot(s *megakernel.Snapshot)               { j.add("snapshot %d", s.Seq) }
func (j *journal) LogBlocks(l megakernel.LogBlocks)              { j.add("log %v", numbers(l.Decode())) }
func (j *journal) Submitted(at time.Duration, list []tasks.Task) { j.add("%v tasks %d", at, len(list)) }
func (j *journal) Command(at time.Duration, c megakernel.Command) {
	j.add("%v %s", at, describe(c, nil))
}
func (j *journal) Reloaded(r megakernel.Reload) { j.add("reloaded text %d", r.Text) }

func (j *journal) Event(e megakernel.HostEvent) { j.add("%v %s %s", e.At, e.Kind, e.Text) }

func TestHubRecordsEverythingInOrder(t *testing.T) {
	f, j := &fakeSession{}, &journal{}
	h, tick, stop := start(t, f, Options{Recorder: j})
	f.log(0, 2)
	tick()
	h.Submitted(make([]tasks.Task, 3))
	if _, err := h.Do(context.Background(), megakernel.Command{Op: megakernel.OpPauseTask, Task: 9}); err != nil {
		t.Error(err)
	}
	stop()
	want := []string{
		"2s phase the target is starting", "snapshot 1", "log [0 1]", "snapshot 2", "2s tasks 3", "2s pause task 9",
		"2s ack pause task 9: applied", "snapshot 3", "snapshot 4",
	}
	if diff := cmp.Diff(want, j.lines); diff != "" {
		t.Errorf("recording (-want +got):\n%s", diff)
	}
}

// TestTheNewestSnapshotShowsWhatACommandDid: a client that looked right after an answered command saw the target as it was
// before.
func TestTheNewestSnapshotShowsWhatACommandDid(t *testing.T) {
	h, tick, stop := start(t, &fakeSession{}, Options{})
	defer stop()
	tick()
	ctx := context.Background()
	for name, command := range map[string]func() error{
		"do":     func() error { _, err := h.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll}); return err },
		"retune": func() error { return h.Retune(ctx, megakernel.Shape{Workers: 1, Lanes: 1}) },
		"apply":  func() error { _, err := h.Apply(ctx, megakernel.Setting{}); return err },
		"undo":   func() error { _, err := h.Undo(ctx); return err },
	} {
		before := h.Snapshot().Seq
		if err := command(); err != nil {
			t.Error(err)
		}
		if after := h.Snapshot().Seq; after <= before {
			t.Errorf("%s: the newest snapshot is %d, as before", name, after)
		}
	}
}

// TestHubReadsOnATimerOfItsOwn: without a tick channel the hub reads by itself.
func TestHubReadsOnATimerOfItsOwn(t *testing.T) {
	h := New(&fakeSession{}, megakernel.Target{}, Options{Interval: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); h.Run(ctx) }()
	for h.Snapshot() == nil || h.Snapshot().Seq < 3 {
		<-h.Updates()
	}
	cancel()
	<-ended
}
