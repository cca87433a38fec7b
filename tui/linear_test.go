package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/tasks"
)

var target = megakernel.Target{Workload: "scan", Backend: "gl", Renderer: "llvmpipe", Opcodes: map[uint32]string{256: "find"}}

func scene(at time.Duration, change func(s *megakernel.Snapshot)) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, Phase: megakernel.PhaseResident, Workers: 2, Lanes: 8, WorkerTable: make([]uint32, 2*megakernel.WorkerWords)}
	s.Control, _ = megakernel.EncodeControl(1, 0)
	for i := range 8 {
		words := (&tasks.Task{State: tasks.Ready, TaskID: uint32(i + 1), Opcode: 256}).Words()
		s.Slots = append(s.Slots, words[:]...)
	}
	for w := range 2 {
		s.WorkerTable[w*megakernel.WorkerWords+megakernel.WkState] = uint32(megakernel.WorkerIdle)
		s.WorkerTable[w*megakernel.WorkerWords+megakernel.WkSlot] = megakernel.NoSlot
	}
	if change != nil {
		change(s)
	}
	return s
}

func task(s *megakernel.Snapshot, slot int, t tasks.Task) {
	t.TaskID, t.Opcode = uint32(slot+1), 256
	words := t.Words()
	copy(s.Slots[slot*tasks.SlotWords:], words[:])
}

// checkLines tells one snapshot after the other and compares what is said of the last.
func checkLines(t *testing.T, want []string, list ...*megakernel.Snapshot) {
	t.Helper()
	teller := NewTeller(&target, LinearOptions{})
	var got []string
	for _, s := range list {
		got = teller.Tell(s, nil)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestTheFirstSnapshotIntroducesTheTarget(t *testing.T) {
	checkLines(t, []string{
		"scan on gl, llvmpipe: resident, 2 workers of 8 lanes, 8 slots, epoch 0",
		"after 1s: 8 tasks queued, 0 done",
	}, scene(time.Second, nil))
	checkLines(t, nil, scene(time.Second, nil), scene(2*time.Second, nil))
}

func TestChangesAreTold(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*megakernel.Snapshot)
		want   []string
	}{
		"a pause": {func(s *megakernel.Snapshot) {
			s.WorkerTable[megakernel.WorkerWords+megakernel.WkState] = uint32(megakernel.WorkerPaused)
		}, []string{"worker 1 paused"}},
		"other shape": {func(s *megakernel.Snapshot) { s.Workers, s.Lanes = 3, 4 }, []string{"3 workers of 4 lanes, was 2 of 8"}},
		"an epoch, and lost records": {func(s *megakernel.Snapshot) {
			s.Control[megakernel.CtrlEpoch], s.LogLost = 3, 7
		}, []string{"epoch 3", "7 log records lost"}},
		"tasks": {func(s *megakernel.Snapshot) {
			task(s, 0, tasks.Task{State: tasks.Faulted, ContinuationData: 3})
			task(s, 1, tasks.Task{State: tasks.Paused, ResumeEpoch: 4})
			task(s, 2, tasks.Task{State: tasks.Paused, ResumeEpoch: megakernel.HeldEpoch})
			task(s, 3, tasks.Task{State: 99})
			task(s, 4, tasks.Task{State: tasks.Running})
		}, []string{
			"task 1 faulted, find: its handler ran past the iteration budget", "task 2 paused, find, until epoch 4",
			"task 3 paused, find, until a command", "task 4 is in unknown state 99",
		}},
		"many alike": {func(s *megakernel.Snapshot) {
			for i := range 8 {
				task(s, i, tasks.Task{State: tasks.Paused, ResumeEpoch: 1})
			}
		}, []string{
			"task 1 paused, find, until epoch 1", "task 2 paused, find, until epoch 1", "task 3 paused, find, until epoch 1",
			"task 4 paused, find, until epoch 1", "task 5 paused, find, until epoch 1", "and 3 more tasks paused",
		}},
	} {
		t.Run(name, func(t *testing.T) { checkLines(t, tt.want, scene(time.Second, nil), scene(2*time.Second, tt.change)) })
	}
	paused := func(s *megakernel.Snapshot) {
		s.WorkerTable[megakernel.WkState] = uint32(megakernel.WorkerPaused)
		task(s, 0, tasks.Task{State: tasks.Paused, ResumeEpoch: 4})
	}
	checkLines(t, []string{"worker 0 resumes", "task 1 resumes, find, ready"}, scene(time.Second, paused), scene(2*time.Second, nil))
}

func TestSummariesComeNowAndThen(t *testing.T) {
	done := func(n uint64) func(*megakernel.Snapshot) {
		return func(s *megakernel.Snapshot) { s.Counters[megakernel.CountDone] = n }
	}
	first := scene(0, nil)
	checkLines(t, nil, first, scene(2*time.Second, done(10)))
	checkLines(t, []string{"after 5s: 8 tasks queued, 50 done, 10 per second"}, first, scene(2*time.Second, done(10)), scene(5*time.Second, done(50)))
	parked := scene(time.Second, done(4))
	parked.Phase = megakernel.PhaseParked
	checkLines(t, []string{"after 1s: 8 tasks queued, 4 done, 4 per second"}, first, parked)
}

// preparedSource is a preparedSource of prepared snapshots.
type preparedSource struct {
	list    []*megakernel.Snapshot
	updates chan struct{}
}

func (s *preparedSource) Target() megakernel.Target { return target }
func (s *preparedSource) Updates() <-chan struct{}  { return s.updates }

func (s *preparedSource) Snapshot() *megakernel.Snapshot {
	next := s.list[0]
	if len(s.list) > 1 {
		s.list = s.list[1:]
	}
	return next
}

func (s *preparedSource) Events(after, _ int) []megakernel.HostEvent {
	return []megakernel.HostEvent{{Kind: "phase", Text: "the target is resident"}}[min(after, 1):]
}

func TestRunTellsUntilTheSourceEnds(t *testing.T) {
	w, err := alert.New([]alert.Rule{{Name: "waiting", When: "ready>7"}})
	if err != nil {
		t.Fatal(err)
	}
	s := &preparedSource{list: []*megakernel.Snapshot{nil, scene(time.Second, nil)}, updates: make(chan struct{})}
	close(s.updates)
	var b strings.Builder
	if err := RunLinear(context.Background(), &b, s, LinearOptions{Alerts: w}); err != nil {
		t.Fatal(err)
	}
	want := "phase: the target is resident\nscan on gl, llvmpipe: resident, 2 workers of 8 lanes, 8 slots, epoch 0\n" +
		"warning waiting: ready>7\nafter 1s: 8 tasks queued, 0 done\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := RunLinear(ctx, &b, &preparedSource{list: []*megakernel.Snapshot{nil}, updates: make(chan struct{})}, LinearOptions{}); err != nil {
		t.Errorf("an end of the context: %v", err)
	}
}
