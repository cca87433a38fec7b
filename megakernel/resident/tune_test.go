package resident_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// settings reads a list such as "workers=2 aging=1".
func settings(t testing.TB, text string) (list []megakernel.Setting) {
	for _, word := range strings.Fields(text) {
		s, err := megakernel.ParseSetting(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

func apply(t testing.TB, s *resident.Session, text string) []megakernel.Change {
	t.Helper()
	changes, err := s.Apply(deadline(t), settings(t, text)...)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func changesText(changes []megakernel.Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, c.String())
	}
	return strings.Join(out, "; ")
}

// notes collects what a session tells of itself.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) add(kind, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, kind+" "+text)
}

func (n *notes) all() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines, "; ")
}

func TestEverySettingIsAppliedReportedAndUndone(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		var told notes
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Events: told.add})
		publish(t, s, work(20, nil))
		first := s.Settings()
		var report []string
		for _, step := range []struct{ set, want string }{
			{"workers=2", "workers=2, was 1"},
			{"lanes=3 workers=1", "lanes=3, was 8; workers=1, was 2"},
			{"slice=2ms", "slice=2ms, was 250ms"},
			{"priority-offset.low=-1 priority-offset.idle=-4", "priority-offset.low=-1, was 0; priority-offset.idle=-4, was 0"},
			{"aging=5", "aging=5, was 0"},
			{"starvation=7", "starvation=7, was 1024"},
			{"tenant-mask.1=off", "tenant-mask.1=off, was on"},
			{"tenant-quota.28=12", "tenant-quota.28=12, was 1000000"},
			{"lanes=3", ""},
			{"lanes=4 lanes=5", "lanes=5, was 3"},
		} {
			if got := changesText(apply(t, s, step.set)); got != step.want {
				t.Errorf("%s: %q, want %q", step.set, got, step.want)
			}
			if step.want != "" {
				report = append(report, "retune "+strings.ReplaceAll(step.want, "; ", "; retune "))
			}
		}
		if got, want := told.all(), strings.Join(report, "; "); got != want {
			t.Errorf("told\n%s, want\n%s", got, want)
		}
		for range report {
			if _, err := s.Undo(deadline(t)); err != nil {
				t.Fatal(err)
			}
		}
		if now := s.Settings(); now != first {
			t.Errorf("after undoing everything\n%+v, want\n%+v", now, first)
		}
		if _, err := s.Undo(deadline(t)); !errors.Is(err, resident.ErrUndo) {
			t.Errorf("one undo too many: %v", err)
		}
	})
}

func TestUndoOnlyWhatStillHolds(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		apply(t, s, "workers=2 tenant-quota.3=5")
		s.Buffer("control").Store(megakernel.CtrlTenantQuota0+3, 6)
		if _, err := s.Undo(deadline(t)); !errors.Is(err, resident.ErrUndo) || !strings.Contains(err.Error(), "now tenant-quota.3=6") {
			t.Fatalf("undo of what was overwritten: %v", err)
		}
		if s.Shape().Workers != 2 {
			t.Fatal("a part was undone")
		}
		s.Buffer("control").Store(megakernel.CtrlTenantQuota0+3, 5)
		if _, err := s.Undo(deadline(t)); err != nil || s.Shape().Workers != 1 {
			t.Fatalf("shape %v, %v", s.Shape(), err)
		}
	})
}

func TestImpossibleSettingsChangeNothing(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		first := s.Settings()
		if _, err := s.Apply(deadline(t), settings(t, "aging=4 lanes=9 workgroup=8")...); !errors.Is(err, resident.ErrOption) {
			t.Errorf("9 lanes of a workgroup of 8: %v", err)
		}
		if _, err := s.Apply(deadline(t), megakernel.Setting{ID: megakernel.AgingSetting, Value: 4}, megakernel.Setting{ID: megakernel.TenantMaskSetting, Index: 29}); !errors.Is(err, megakernel.ErrSetting) {
			t.Errorf("tenant 29: %v", err)
		}
		if now := s.Settings(); now != first {
			t.Errorf("settings %+v, were %+v", now, first)
		}
	})
}

// TestSettingsInEveryPhase: a target that is parked, paused or draining takes settings and continues with
// what it was doing; one that has stopped does not.
func TestSettingsInEveryPhase(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		apply(t, s, "workers=2 tenant-quota.0=9") // parked
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		apply(t, s, "workers=3 tenant-mask.5=off") // paused
		publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 }))
		if err := s.AwaitRest(deadline(t)); err == nil && len(s.Poll(nil)) > 0 {
			t.Error("a task ran although all are paused")
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
		collect(t, s, 1)
		if err := s.Drain(deadline(t)); err != nil {
			t.Fatal(err)
		}
		apply(t, s, "lanes=2") // draining
		if err := s.Stop(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Apply(deadline(t), settings(t, "workers=1")...); !errors.Is(err, resident.ErrStopped) {
			t.Errorf("stopped: %v", err)
		}
		if _, err := s.Undo(deadline(t)); !errors.Is(err, resident.ErrStopped) {
			t.Errorf("undo when stopped: %v", err)
		}
		if got := s.Shape(); got != (megakernel.Shape{Workers: 3, Lanes: 2}) {
			t.Errorf("shape %v", got)
		}
	})
}

// waitsBehindAFlood publishes more endless normal tasks than there are lanes and one short idle task, and
// returns the latter.
func waitsBehindAFlood(t *testing.T, s *resident.Session) *tasks.Task {
	ts := work(17, nil)
	ts[16].Opcode, ts[16].Priority = opWork+1, tasks.Idle
	publish(t, s, ts)
	awaitImport(t, s)
	return &ts[16]
}

// stillWaits fails if a task ends within some slices.
func stillWaits(t *testing.T, s *resident.Session, when string) {
	t.Helper()
	if err := s.AwaitSlice(deadline(t), s.Snapshot().Slice+3); err != nil {
		t.Fatal(err)
	}
	if done := s.Poll(nil); len(done) > 0 {
		t.Fatalf("%s: %v", when, done)
	}
}

func TestPriorityOffset(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Starvation: 1 << 30, Iterations: 4000})
		idle := waitsBehindAFlood(t, s)
		stillWaits(t, s, "an idle task overtook normal ones")
		apply(t, s, "priority-offset.idle=-2")
		stillWaits(t, s, "a task that waits changed its place")
		applied(t, s, megakernel.Command{Op: megakernel.OpReprioritize, Task: idle.TaskID, Slot: resident.AnySlot, Arg: uint32(tasks.Idle)})
		if c := collect(t, s, 1)[0]; c.Task != idle.TaskID {
			t.Errorf("ended: %+v", c)
		}
		publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode, t.Priority = opWork+1, tasks.Idle }))
		collect(t, s, 1)
	})
}

// TestStarvationInShortSlices: a priority that others have overtaken has its turn although each slice ends after a
// single pass.
func TestStarvationInShortSlices(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Starvation: 1 << 30, Iterations: 1000})
		idle := waitsBehindAFlood(t, s)
		stillWaits(t, s, "an idle task overtook normal ones")
		apply(t, s, "starvation=32")
		if c := collect(t, s, 1)[0]; c.Task != idle.TaskID {
			t.Errorf("ended: %+v", c)
		}
	})
}

func TestAging(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Starvation: 1 << 30, Iterations: 4000})
		idle := waitsBehindAFlood(t, s)
		requeue := func() {
			applied(t, s, megakernel.Command{Op: megakernel.OpRequeueTask, Task: idle.TaskID, Slot: resident.AnySlot, Arg: uint32(tasks.Idle)})
		}
		requeue()
		requeue()
		stillWaits(t, s, "it was aged although nothing ages")
		apply(t, s, "aging=2")
		requeue() // three ticks are worth one priority: low
		stillWaits(t, s, "it was aged by too much")
		requeue()
		if c := collect(t, s, 1)[0]; c.Task != idle.TaskID {
			t.Errorf("ended: %+v", c)
		}
	})
}

// TestCommandsFindTasksOfOtherOffsets: a command for a task that runs must find it in whichever set it
// waits by then.
func TestCommandsFindTasksOfOtherOffsets(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2})
		ts := work(24, func(i int, t *tasks.Task) { t.Priority = tasks.Priority(i % tasks.NumPriorities) })
		publish(t, s, ts)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 40 {
			p := rng.IntN(tasks.NumPriorities)
			_, err := s.Apply(deadline(t), megakernel.Setting{ID: megakernel.PriorityOffsetSetting, Index: p, Value: int64(rng.IntN(9) - 4)},
				megakernel.Setting{ID: megakernel.AgingSetting, Value: int64(rng.IntN(3))})
			if err != nil {
				t.Fatal(err)
			}
			c := megakernel.Command{Task: ts[rng.IntN(len(ts))].TaskID, Slot: resident.AnySlot}
			for _, c.Op = range []megakernel.CommandOp{megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask} {
				c.Arg = uint32(rng.IntN(tasks.NumPriorities))
				applied(t, s, c)
			}
		}
	})
}
