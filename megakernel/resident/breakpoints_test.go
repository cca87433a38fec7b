package resident_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// counting runs a task param times more than once; output_handle counts its activations. What it does to the
// words of a task is what activationsOf says.
const counting = `
void work(inout Task t) {
    t.output_handle++;
    if (t.continuation_pc >= t.param) { task_done(t); return; }
    if (t.continuation_pc % 3u == 2u) { task_requeue(t, t.priority, t.continuation_pc + 1u, 7u); return; }
    task_yield(t, t.continuation_pc + 1u, t.continuation_data + t.input_handle);
}
void other(inout Task t) { work(t); }
`

// activationsOf lists the words of a task before each of its activations.
func activationsOf(t tasks.Task) (out [][tasks.SlotWords]uint32) {
	t.State, t.Flags = tasks.Ready, t.Flags|tasks.FlagNotify
	for {
		out = append(out, t.Words())
		t.OutputHandle++
		switch pc := t.ContinuationPC; {
		case pc >= t.Param:
			return out
		case pc%3 == 2:
			t.ContinuationData, t.RequeueCount, t.AgeTicks = 7, t.RequeueCount+1, t.AgeTicks+1
		default:
			t.ContinuationData, t.YieldCount = t.ContinuationData+t.InputHandle, t.YieldCount+1
		}
		t.ContinuationPC++
	}
}

// assorted are tasks of two opcodes, several tenants and priorities, and different lengths.
func assorted(n int, rng *rand.Rand) []tasks.Task {
	return work(n, func(_ int, t *tasks.Task) {
		t.Opcode, t.Tenant, t.Priority = opWork+rng.Uint32N(2), rng.Uint32N(4), tasks.Priority(rng.Uint32N(tasks.NumPriorities))
		t.InputHandle, t.Param = rng.Uint32N(5), rng.Uint32N(9)
	})
}

// fields are what conditions of the test look at, and the values that these have.
var fields = []struct{ word, most uint32 }{
	{tasks.WordOpcode, opWork + 2}, {tasks.WordTenant, 4}, {tasks.WordPriority, 5}, {tasks.WordInputHandle, 5},
	{tasks.WordOutputHandle, 9}, {tasks.WordParam, 9}, {tasks.WordContinuationPC, 9}, {tasks.WordContinuationData, 30},
	{tasks.WordTaskID, 200}, {tasks.WordAgeTicks, 3}, {tasks.WordRequeueCount, 3}, {tasks.WordYieldCount, 6},
}

// condition makes a program at random.
func condition(rng *rand.Rand, steps int) (p breakpoint.Program) {
	for depth := 0; len(p)+depth < steps || depth != 1; {
		switch room := len(p)+depth < steps; {
		case depth > 0 && rng.IntN(4) == 0 && room:
			p = append(p, breakpoint.Step{Kind: breakpoint.Not})
		case depth > 1 && (!room || rng.IntN(2) == 0):
			p = append(p, breakpoint.Step{Kind: breakpoint.And + breakpoint.Kind(rng.IntN(2))})
			depth--
		default:
			f := fields[rng.IntN(len(fields))]
			p = append(p, breakpoint.Step{Kind: breakpoint.Test, Field: breakpoint.Field(f.word), Accept: breakpoint.Accept(1 + rng.IntN(7)), Value: rng.Uint32N(f.most)})
			depth++
		}
	}
	return p
}

func opIs(opcode uint32) breakpoint.Program {
	return breakpoint.Program{{Field: tasks.WordOpcode, Accept: breakpoint.Equal, Value: opcode}}
}

func arm(t *testing.T, s *resident.Session, b breakpoint.Breakpoint) breakpoint.Status {
	t.Helper()
	// compiling takes as long as it takes
	st, err := s.Arm(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	if st.Pending || !st.Enabled || st.Latency <= 0 || st.Hits != 0 {
		t.Fatalf("armed as %+v", st)
	}
	return st
}

func breakOf(t *testing.T, s *resident.Session, id int) breakpoint.Status {
	t.Helper()
	for _, st := range s.Breakpoints() {
		if st.ID == id {
			return st
		}
	}
	t.Fatalf("there is no breakpoint %d in %+v", id, s.Breakpoints())
	return breakpoint.Status{}
}

// TestHitsAreThoseOfTheReference: for conditions at random, hits are exactly the activations that fulfil
// them, however many workers there are; a condition is changed without another kernel.
func TestHitsAreThoseOfTheReference(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 3})
		rng := rand.New(rand.NewPCG(11, 7))
		for round := range 6 {
			var list []breakpoint.Breakpoint
			var ids []int
			for i := range 1 + rng.IntN(megakernel.MaxBreaks) {
				list = append(list, breakpoint.Breakpoint{Condition: "at random", Program: condition(rng, 1+rng.IntN(breakpoint.MaxSteps-2)), Action: breakpoint.Count})
				ids = append(ids, arm(t, s, list[i]).ID)
			}
			ts := assorted(120, rng)
			publish(t, s, ts)
			collect(t, s, len(ts))
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
			for i := range list {
				want := uint64(0)
				for _, task := range ts {
					for _, words := range activationsOf(task) {
						if list[i].Program.Match(&words, breakpoint.At{}) {
							want++
						}
					}
				}
				got, byWorker := breakOf(t, s, ids[i]), uint64(0)
				for _, w := range got.Workers {
					byWorker += w.Hits
				}
				if got.Hits != want || byWorker != want || (got.Task != 0) != (want > 0) {
					t.Fatalf("round %d: %v was hit %d times, %d by workers, last by task %d; the reference says %d", round, list[i].Program, got.Hits, byWorker, got.Task, want)
				}
			}
			if err := s.Disarm(deadline(t), 0); err != nil || len(s.Breakpoints()) != 0 {
				t.Fatalf("%v, still there: %v", err, s.Breakpoints())
			}
		}
	})
}

// TestBreakpointsHoldOneTaskAndLetTheOthersGo: the tasks that hit are paused with the words that they had,
// all others end; resumed, they continue at once and hit again at their next activation; and in the end each
// task has run as often as without breakpoints.
func TestBreakpointsHoldOneTaskAndLetTheOthersGo(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		rng := rand.New(rand.NewPCG(3, 4))
		is := breakpoint.Breakpoint{Program: breakpoint.Program{
			{Field: tasks.WordOpcode, Accept: breakpoint.Equal, Value: opWork},
			{Field: tasks.WordContinuationPC, Accept: breakpoint.Less | breakpoint.Equal, Value: 3},
			{Kind: breakpoint.And},
		}}
		id := arm(t, s, is).ID
		ts := assorted(100, rng)
		publish(t, s, ts)
		left := map[uint32][][tasks.SlotWords]uint32{} // by task: activations that will be held
		total, ended := uint64(0), 0
		for _, task := range ts {
			for _, words := range activationsOf(task) {
				if is.Program.Match(&words, breakpoint.At{}) {
					left[task.TaskID] = append(left[task.TaskID], words)
					total++
				}
			}
			if len(left[task.TaskID]) == 0 {
				ended++
			}
		}
		for done := []megakernel.Completion(nil); ; {
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
			if done = s.Poll(done); len(done) != ended {
				t.Fatalf("%d tasks have ended, want the %d that hit no breakpoint any longer\n%s", len(done), ended, describe(s))
			}
			if ended == len(ts) {
				break
			}
			for id, words := range left {
				// A command that pauses what is held does not change what holds it.
				applied(t, s, megakernel.Command{Op: megakernel.OpPauseTask, Task: id, Slot: resident.AnySlot})
				checkHeld(t, s, id, words[0])
				if left[id] = words[1:]; len(words) == 1 {
					delete(left, id)
					ended++
				}
				applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: id, Slot: resident.AnySlot})
			}
		}
		if got := breakOf(t, s, id).Hits; got != total {
			t.Errorf("%d hits, want %d", got, total)
		}
		all := uint64(0)
		for _, task := range ts {
			all += uint64(len(activationsOf(task)))
		}
		if got := s.Summary().Counters[megakernel.CountActivations]; got != all {
			t.Errorf("%d activations, want %d", got, all)
		}
	})
}

// checkHeld checks that breakpoint 1 holds a task and that its activation has not begun.
func checkHeld(t *testing.T, s *resident.Session, id uint32, want [tasks.SlotWords]uint32) {
	t.Helper()
	snap := s.Snapshot()
	for i := range snap.NumSlots() {
		got := tasks.FromWords(snap.Slot(i))
		if got.TaskID != id || got.State.Terminal() || got.State == tasks.Empty {
			continue
		}
		before := tasks.FromWords(&want)
		if got.State != tasks.Paused || got.ResumeEpoch != megakernel.HeldEpoch || got.Breakpoint() != 1 {
			t.Errorf("task %d is not held by breakpoint 1: %+v", id, got)
		}
		got.State, got.ResumeEpoch, got.Flags, before.Flags = before.State, before.ResumeEpoch, 0, 0
		if got != before {
			t.Errorf("task %d was held with %+v, it had %+v", id, got, before)
		}
		return
	}
	t.Errorf("task %d is in no slot\n%s", id, describe(s))
}

// TestHitsThatAct: of the hits above After the multiples of Every act; each writes a record.
func TestHitsThatAct(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		log, err := s.Log()
		if err != nil {
			t.Fatal(err)
		}
		arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork), Action: breakpoint.Log, Every: 5, After: 12})
		stop := arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork), Action: breakpoint.Stop, After: 27})
		publish(t, s, work(30, nil))
		collect(t, s, 27)
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		hits := map[string]int{}
		records, _ := log.Read(nil, 1000)
		for _, r := range records {
			if r.Format == megakernel.LogEventBase+uint32(megakernel.EventBreak) {
				hits[r.Text(nil)]++
			}
		}
		want := map[string]int{}
		for _, n := range []int{15, 20, 25, 30} {
			want[fmt.Sprintf("breakpoint 1, hit %d at pc 0", n)] = 1
		}
		for n := 28; n <= 30; n++ {
			want[fmt.Sprintf("breakpoint %d, hit %d at pc 0", stop.ID, n)] = 1
		}
		if fmt.Sprint(hits) != fmt.Sprint(want) {
			t.Errorf("the log has %v, want %v", hits, want)
		}
	})
}

// TestBreakpointsAreSwitched: one that is off keeps its hits and counts none; a task that was held runs on
// without another look also where the breakpoint is gone in the meantime; wrong numbers and too many are errors.
func TestBreakpointsAreSwitched(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 1})
		ctx := deadline(t)
		id := arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork)}).ID
		ts := work(3, func(_ int, t *tasks.Task) { t.Param = 1 })
		publish(t, s, ts)
		if err := s.AwaitRest(ctx); err != nil {
			t.Fatal(err)
		}
		if err := s.Enable(ctx, id, false); err != nil || breakOf(t, s, id).Enabled || breakOf(t, s, id).Hits != 3 {
			t.Fatalf("%v %+v", err, breakOf(t, s, id))
		}
		publish(t, s, work(5, nil))
		collect(t, s, 5)
		if err := s.Enable(ctx, id, true); err != nil || breakOf(t, s, id).Hits != 3 {
			t.Fatalf("%v %+v", err, breakOf(t, s, id))
		}
		for _, task := range ts { // the first activation is let go, the second one is held
			applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: task.TaskID, Slot: resident.AnySlot})
		}
		if err := s.AwaitRest(ctx); err != nil || breakOf(t, s, id).Hits != 6 {
			t.Fatalf("%v %+v", err, breakOf(t, s, id))
		}
		if err := s.Disarm(ctx, id); err != nil || len(s.Breakpoints()) != 0 {
			t.Fatalf("%v %v", err, s.Breakpoints())
		}
		for _, task := range ts {
			applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: task.TaskID, Slot: resident.AnySlot})
		}
		collect(t, s, 3)
		for _, id := range []int{id, -1, 17} {
			if err := s.Disarm(ctx, id); !errors.Is(err, resident.ErrOption) {
				t.Errorf("breakpoint %d: %v", id, err)
			}
		}
		if _, err := s.Arm(ctx, breakpoint.Breakpoint{Program: breakpoint.Program{{Kind: breakpoint.And}}}); !errors.Is(err, breakpoint.ErrCondition) {
			t.Errorf("a broken program: %v", err)
		}
		for range megakernel.MaxBreaks {
			arm(t, s, breakpoint.Breakpoint{Program: opIs(opWork)})
		}
		if _, err := s.Arm(ctx, breakpoint.Breakpoint{Program: opIs(opWork)}); !errors.Is(err, resident.ErrOption) || len(s.Breakpoints()) != megakernel.MaxBreaks {
			t.Errorf("one too many: %v", err)
		}
	})
}
