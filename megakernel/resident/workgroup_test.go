package resident_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// load keeps a session busy: tasks are published until end is called, and each is checked when it ends.
type load struct {
	s         *resident.Session
	stop      context.CancelFunc
	both      sync.WaitGroup
	published chan int // what there was of it, once
	held      int      // tasks besides; set before end
}

// startLoad starts a load of the handler of counting.
func startLoad(t *testing.T, s *resident.Session) *load {
	ctx, cancel := context.WithCancel(deadline(t))
	l := &load{s: s, stop: cancel, published: make(chan int, 1)}
	l.both.Go(func() {
		n := 0
		for ctx.Err() == nil {
			batch := work(128, func(i int, t *tasks.Task) { t.TaskID, t.Param = uint32(n+i+1), uint32(n+i)%6 })
			if err := s.Publish(deadline(t), batch); err != nil {
				t.Error(err)
				break
			}
			n += len(batch)
		}
		l.published <- n
	})
	l.both.Go(func() { l.check(t) })
	return l
}

// check takes completions until there is one of each task: with the right result, and only one.
func (l *load) check(t *testing.T) {
	seen := map[uint32]bool{}
	total := -1
	var out []megakernel.Completion
	for total != len(seen) {
		select {
		case total = <-l.published:
			total += l.held
			continue
		default:
		}
		var err error
		if out, err = l.s.Collect(deadline(t), out[:0]); err != nil {
			t.Errorf("after %d completions: %v\n%s", len(seen), err, describe(l.s))
			return
		}
		for _, c := range out {
			if seen[c.Task] || c.State != tasks.Done || c.Output != (c.Task-1)%6+1 {
				t.Errorf("completion %+v, seen before: %t", c, seen[c.Task])
			}
			seen[c.Task] = true
		}
	}
}

// progress waits until more tasks have ended.
func (l *load) progress(t *testing.T) {
	done := func() uint64 { return l.s.Summary().Counters[megakernel.CountDone] }
	for ctx, before := deadline(t), done(); done() < before+200; backendtest.Breathe() {
		if ctx.Err() != nil {
			t.Fatalf("no task ends\n%s", describe(l.s))
		}
	}
}

// end ends the load, of which at least some tasks must have been done.
func (l *load) end(t *testing.T, atLeast uint64) {
	l.stop()
	l.both.Wait()
	if err := l.s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	c := l.s.Summary().Counters
	if c[megakernel.CountDone] != c[megakernel.CountImported] || c[megakernel.CountDone] < atLeast || c[megakernel.CountFaulted] != 0 || c[megakernel.CountViolations] != 0 {
		t.Errorf("counts do not add up: %v", c)
	}
}

func checkWorkgroup(t *testing.T, s *resident.Session, lanes, workgroup int) {
	t.Helper()
	now, snap := s.Settings(), s.Snapshot()
	if now.Lanes != lanes || now.Workgroup != workgroup || snap.Lanes != lanes || snap.Workgroup != workgroup {
		t.Errorf("settings %d of %d lanes, snapshot %d of %d, want %d of %d", now.Lanes, now.Workgroup, snap.Lanes, snap.Workgroup, lanes, workgroup)
	}
}

const heldTask = 1 << 30 // the first of three; beyond the tasks of a load, on fast devices too

// resumeToTheEnd resumes the three held tasks, which no breakpoint holds after that.
func resumeToTheEnd(t *testing.T, s *resident.Session) {
	for i := range uint32(3) {
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: heldTask + i, Slot: resident.AnySlot})
	}
}

// TestTheWorkgroupSizeChangesWhileTasksRun: the lanes of a worker were bounded by the workgroup of the launch. No task is lost
// or run twice, held tasks stay held, breakpoints stay armed, and other settings stay as they are.
func TestTheWorkgroupSizeChangesWhileTasksRun(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		l := startLoad(t, s)
		apply(t, s, "aging=3 log=done,fault tenant-quota.4=500")
		l.progress(t)
		if got := changesText(apply(t, s, "workgroup=4")); got != "workgroup=4, was 8; lanes=4, was 8" {
			t.Error(got)
		}
		checkWorkgroup(t, s, 4, 4)
		l.progress(t)

		applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
		apply(t, s, "lanes=8") // the compiled workgroup that has them
		checkWorkgroup(t, s, 8, 8)
		before := s.Summary().Counters[megakernel.CountActivations]
		applied(t, s, megakernel.Command{Op: megakernel.OpStepWorker, Worker: 1, Arg: 1})
		for ctx := deadline(t); ; backendtest.Breathe() { // counters may be published after the answer
			n := s.Summary().Counters[megakernel.CountActivations] - before
			if n == 1 {
				break
			}
			if n > 1 || ctx.Err() != nil {
				t.Fatalf("a step in the other variant ran %d activations", n)
			}
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
		l.progress(t)

		id := arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork + 1)}).ID
		publish(t, s, work(3, func(i int, t *tasks.Task) {
			t.Opcode, t.TaskID, t.Param = opWork+1, heldTask+uint32(i), (heldTask+uint32(i)-1)%6
		}))
		for ctx := deadline(t); breakOf(t, s, id).Hits != 3; backendtest.Breathe() {
			if ctx.Err() != nil {
				t.Fatalf("hits %+v", breakOf(t, s, id))
			}
		}
		apply(t, s, "workgroup=4")
		checkWorkgroup(t, s, 4, 4)
		l.progress(t)
		if got := breakOf(t, s, id); got.Hits != 3 || got.Pending {
			t.Errorf("the breakpoint in the other variant: %+v", got)
		}
		if err := s.Disarm(deadline(t), 0); err != nil {
			t.Fatal(err)
		}
		checkWorkgroup(t, s, 4, 4)
		if _, err := s.Undo(deadline(t)); err != nil {
			t.Fatal(err)
		}
		checkWorkgroup(t, s, 8, 8)
		if now := s.Settings(); now.Aging != 3 || now.TenantQuota[4] != 500 || now.Workers != 2 {
			t.Errorf("other settings: %+v", now)
		}
		l.held = 3
		resumeToTheEnd(t, s)
		l.end(t, 1000)
	})
}

// TestAVariantThatFailsLeavesTheOldOneRunning: and while it is compiled, that is shown and tasks end.
func TestAVariantThatFailsLeavesTheOldOneRunning(t *testing.T) {
	refused := errors.New("no registers left. Fix: use fewer")
	b := &slowCompiler{Backend: backendtest.Reference(t, reference.Options{}), may: make(chan struct{}), fail: refused}
	s := start(t, b, assemble(t, b, counting, 8, "work", "other"), resident.Options{Workers: 1})
	l := startLoad(t, s)
	failed := make(chan error, 1)
	go func() {
		_, err := s.Apply(deadline(t), settings(t, "workgroup=16")...)
		failed <- err
	}()
	for ctx := deadline(t); s.Snapshot().Compiling.Workgroup != 16; backendtest.Breathe() {
		if ctx.Err() != nil {
			t.Fatalf("nothing says that it compiles: %+v", s.Snapshot().Compiling)
		}
	}
	l.progress(t)
	apply(t, s, "aging=3") // does not wait for the compiler
	late, cancel := context.WithCancel(t.Context())
	cancel()
	var compiling *resident.CompilingError
	if _, err := s.Apply(late, settings(t, "workgroup=16")...); !errors.As(err, &compiling) || strings.Count(err.Error(), "Fix: ") != 1 {
		t.Errorf("impatient: %v", err)
	}
	close(b.may)
	if err := <-failed; !errors.Is(err, refused) || !errors.Is(err, resident.ErrVariant) || !strings.Contains(err.Error(), "workgroups of 8 lanes keep running") || strings.Count(err.Error(), "Fix: ") != 1 {
		t.Errorf("failed: %v", err)
	}
	if s.Compiling() {
		t.Error("it still compiles")
	}
	checkWorkgroup(t, s, 8, 8)
	l.end(t, 200) // that progress has waited for
	b.fail = nil
	apply(t, s, "lanes=12") // again, and it compiles
	checkWorkgroup(t, s, 12, 12)
}

func TestImpossibleWorkgroups(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 1})
		most := s.Target().MaxLanes
		if most < 8 || most > megakernel.MaxWorkgroup {
			t.Fatalf("up to %d lanes", most)
		}
		for _, list := range [][]megakernel.Setting{
			{{ID: megakernel.WorkgroupSetting, Value: 0}}, {{ID: megakernel.WorkgroupSetting, Value: -8}}, {{ID: megakernel.WorkgroupSetting, Value: 1 << 40}},
			{{ID: megakernel.WorkgroupSetting, Value: int64(most) + 1}}, {{ID: megakernel.LanesSetting, Value: int64(most) + 1}}, settings(t, "lanes=5 workgroup=4"),
		} {
			_, err := s.Apply(deadline(t), list...)
			if !errors.Is(err, resident.ErrOption) && !errors.Is(err, megakernel.ErrSetting) || strings.Count(err.Error(), "Fix: ") != 1 {
				t.Errorf("%v: %v", list, err)
			}
		}
		checkWorkgroup(t, s, 8, 8)
	})
}
