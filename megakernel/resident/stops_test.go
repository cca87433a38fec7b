package resident_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// stopped is a handler with each kind of outcome: t.param 0 ends at once, 1 yields once, 2 requeues once, 3 faults, 4 spawns a
// task that ends, 5 goes out of range of four.
const stopped = `shared uint unused;
uint twice(uint x) {
    return 2u * x;
}
void work(inout Task t) {
    uint four[4] = uint[4](1u, 2u, 3u, 4u);
    for (uint i = 0u; i < 3u; i++) {
        t.output_handle += i;
    }
    if (t.param == 3u)
        task_fault(t, 77u);
    else if (t.param == 0u || t.continuation_pc != 0u)
        task_done(t);
    else if (t.param == 1u) {
        task_yield(t, 1u, twice(t.input_handle));
    } else if (t.param == 2u) {
        control[150] = control[150] + 1u;
        task_requeue(t, t.priority, 1u, 9u);
    } else if (t.param == 4u) {
        task_spawn(t, t.opcode + 1u, t.priority, 0u, 0u, 0u);
        task_done(t);
    } else {
        t.continuation_data = four[t.param];
        task_done(t);
    }
}
void other(inout Task t) {
    breakpoint(t.parent_task_id != 0u);
    task_done(t);
}
`

// heldAt lists the slots of the tasks that breakpoints hold.
func heldAt(s *resident.Session) (slots []int) {
	snap := s.Snapshot()
	for i := range snap.NumSlots() {
		if w := snap.Slot(i); tasks.State(w[tasks.WordState]) == tasks.Paused && w[tasks.WordFlags]&tasks.FlagHalted != 0 {
			slots = append(slots, i)
		}
	}
	return slots
}

func awaitHeld(t *testing.T, s *resident.Session, n int) []int {
	t.Helper()
	for ctx := deadline(t); ; backendtest.Breathe() {
		if slots := heldAt(s); len(slots) == n {
			return slots
		}
		if ctx.Err() != nil {
			t.Fatalf("%d tasks are held, want %d\n%s", len(heldAt(s)), n, describe(s))
		}
	}
}

// beginningOf is how the activation began that a breakpoint held in a slot.
func beginningOf(t *testing.T, s *resident.Session, k *kernel.Kernel, slot int, task uint32) kernel.Beginning {
	t.Helper()
	words := make([]uint32, megakernel.KeptWords)
	if err := s.ReadBuffer(deadline(t), "outbox", k.KeptAt()+slot%k.Kept()*megakernel.KeptWords, words); err != nil {
		t.Fatal(err)
	}
	b, ok := kernel.ReadBeginning(words, task)
	if !ok {
		t.Fatalf("the beginning of task %d is not kept: %v", task, words)
	}
	return b
}

// stopCases are breakpoints inside of handlers, and which of a task of each kind hits them, and how often.
var stopCases = []struct {
	name string
	at   breakpoint.Place
	line int       // where the breakpoint is
	hits [6]uint64 // by param, with all tasks that it spawns
}{
	{"line", breakpoint.Place{File: "handlers.glsl", Line: 8}, 8, [6]uint64{1, 2, 2, 1, 1, 1}},
	{"condition", breakpoint.Place{Line: 8, If: "i == 2u && t.continuation_pc == 1u"}, 8, [6]uint64{1: 1, 2: 1}},
	{"line without a statement moves", breakpoint.Place{Line: 4, If: "t.param == 1u"}, 6, [6]uint64{1: 2}},
	{"single statement of an if", breakpoint.Place{Line: 11}, 11, [6]uint64{3: 1}},
	{"single statement of an else", breakpoint.Place{Line: 13}, 13, [6]uint64{0: 1, 1: 1, 2: 1}},
	{"called function", breakpoint.Place{Line: 3, If: "x == 21u"}, 3, [6]uint64{1: 1}},
	{"statement of the text", breakpoint.Place{Line: 28}, 28, [6]uint64{4: 1}},
	{"all statements of the text", breakpoint.Place{Event: megakernel.StopStatement}, 0, [6]uint64{4: 1}},
	{"fault", breakpoint.Place{Event: megakernel.StopFault}, 0, [6]uint64{3: 1}},
	{"spawn", breakpoint.Place{Event: megakernel.StopSpawn, Opcode: opStopped + 1}, 0, [6]uint64{4: 1}},
	{"spawn of another opcode", breakpoint.Place{Event: megakernel.StopSpawn, Opcode: opStopped + 2}, 0, [6]uint64{}},
	{"undefined access", breakpoint.Place{Event: megakernel.StopUndefined}, 0, [6]uint64{5: 1}},
	{"watched value", breakpoint.Place{Watch: "control[150]"}, 0, [6]uint64{2: 1}},
	{"watched value that does not become", breakpoint.Place{Watch: "control[150]", If: "value > 1000u"}, 0, [6]uint64{}},
}

// TestBreakpointsInsideHandlersHitWhatTheyName: hits are exactly the activations that come to the line with the
// condition, or bring about the event; all tasks end as they would have.
func TestBreakpointsInsideHandlersHitWhatTheyName(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		for i, c := range stopCases {
			if backendtest.CompilesSlowly(b) && i != 1 {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				at := c.at
				st := armAmong(t, b, s, breakpoint.Breakpoint{Place: &at, Action: breakpoint.Count})
				if c.line != 0 && st.Place.Line != c.line {
					t.Errorf("it is at line %d, want %d", st.Place.Line, c.line)
				}
				for param, want := range c.hits {
					before := breakOf(t, s, st.ID).Hits
					publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode, t.Param, t.InputHandle = opStopped, uint32(param), 21 }))
					if got := collect(t, s, 1)[0]; got.State != endOf(uint32(param)) {
						t.Fatalf("param %d ended as %+v", param, got)
					}
					if err := s.AwaitRest(deadline(t)); err != nil {
						t.Fatal(err)
					}
					if got := breakOf(t, s, st.ID).Hits - before; got != want {
						t.Errorf("param %d: %d hits, want %d", param, got, want)
					}
				}
				if err := s.Disarm(deadline(t), 0); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

// endOf is how a task of a kind ends.
func endOf(param uint32) tasks.State {
	if param == 3 {
		return tasks.Faulted
	}
	return tasks.Done
}

// TestATaskHeldInsideAHandlerEndsOnce: tasks that a line holds have ended their activation, whose beginning is kept; when
// they are resumed nothing is lost and nothing runs twice, whatever the outcome was, also when no breakpoint is
// left by then and the kernel that looks for none runs.
func TestATaskHeldInsideAHandlerEndsOnce(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for _, disarm := range []bool{false, true} {
			t.Run(fmt.Sprintf("disarmed %v", disarm), func(t *testing.T) {
				k := steered(t, b, 8)
				s := start(t, b, k, resident.Options{Workers: 2})
				ts := assorted(60, rand.New(rand.NewPCG(3, 9)))
				want := 0
				for i := range ts {
					ts[i].Param = uint32(i % 6)
					if i%6 >= 2 {
						want++
					}
				}
				st := armAmong(t, b, s, breakpoint.Breakpoint{Place: &inCounting})
				publish(t, s, ts)
				for _, slot := range awaitHeld(t, s, want) {
					w := tasks.FromWords(s.Snapshot().Slot(slot))
					begun := beginningOf(t, s, k, slot, w.TaskID)
					if w.Breakpoint() != uint32(st.ID) || w.Flags&tasks.FlagEnded == 0 || begun.Breakpoint != uint32(st.ID) {
						t.Fatalf("held as %+v, kept %+v", w, begun)
					}
					if model := activationsOf(ts[w.TaskID-ts[0].TaskID]); begun.Words != withFlags(model[2], begun.Words) {
						t.Errorf("task %d began with %v, want %v", w.TaskID, begun.Words, model[2])
					}
				}
				if disarm {
					if err := s.Disarm(deadline(t), 0); err != nil {
						t.Fatal(err)
					}
				}
				applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
				for _, slot := range heldAt(s) {
					applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: s.Snapshot().Slot(slot)[tasks.WordTaskID], Slot: uint32(slot)})
				}
				for _, c := range collect(t, s, len(ts)) {
					of := ts[c.Task-ts[0].TaskID]
					if got, want := c.Output, of.OutputHandle+uint32(len(activationsOf(of))); c.State != tasks.Done || got != want {
						t.Errorf("task %d ended as %+v after %d activations, want %d", c.Task, c, got, want)
					}
				}
			})
		}
	})
}

// withFlags is words of a model with the state and the flags of others.
func withFlags(words, of [tasks.SlotWords]uint32) [tasks.SlotWords]uint32 {
	words[tasks.WordState], words[tasks.WordFlags] = of[tasks.WordState], of[tasks.WordFlags]
	words[tasks.WordTaskID] = of[tasks.WordTaskID]
	return words
}

// TestAWatchedValueIsToldWithOldAndNew.
func TestAWatchedValueIsToldWithOldAndNew(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := steered(t, b, 8)
		s := start(t, b, k, resident.Options{Workers: 1})
		armAmong(t, b, s, breakpoint.Breakpoint{Place: &secondWrite})
		for range 2 {
			publish(t, s, work(1, func(_ int, t *tasks.Task) { t.Opcode, t.Param = opStopped, 2 }))
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
		}
		slot := awaitHeld(t, s, 1)[0]
		w := tasks.FromWords(s.Snapshot().Slot(slot))
		if got := beginningOf(t, s, k, slot, w.TaskID); got.Old != 1 || got.New != 2 || got.Words[tasks.WordContinuationPC] != 0 {
			t.Errorf("told as %+v", got)
		}
	})
}

// TestAWatchedWordOfASlotIsOfItsTask: of tasks that all change the word, the one in the slot hits.
func TestAWatchedWordOfASlotIsOfItsTask(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Seed: 1})
	s := start(t, b, assemble(t, b, stopped, 8, "work", "other"), resident.Options{Workers: 2})
	st := arm(t, s, breakpoint.Breakpoint{Place: &breakpoint.Place{Watch: "slot[2].output_handle", If: "value == old + 3u"}, Action: breakpoint.Count})
	publish(t, s, work(8, nil))
	collect(t, s, 8)
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if got := breakOf(t, s, st.ID).Hits; got != 1 {
		t.Errorf("%d hits, want 1", got)
	}
}

// TestAWatchedValueIsOfTheTaskThatWroteIt: all lanes of a worker write the same buffer at once, and one of them the value.
// Each of them saw it change.
func TestAWatchedValueIsOfTheTaskThatWroteIt(t *testing.T) {
	const text = `void work(inout Task t) {
    control[142u + t.input_handle] = t.param;
    t.output_handle = 7u;
}
void other(inout Task t) { work(t); }
`
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		k := assemble(t, b, text, 8, "work", "other")
		s := start(t, b, k, resident.Options{Workers: 2})
		arm(t, s, breakpoint.Breakpoint{Place: &breakpoint.Place{Watch: "control[146]", If: "value == 77u"}})
		publish(t, s, work(16, func(i int, t *tasks.Task) { t.InputHandle, t.Param = uint32(i), 77 }))
		collect(t, s, 15)
		slot := awaitHeld(t, s, 1)[0]
		w := tasks.FromWords(s.Snapshot().Slot(slot))
		if got := beginningOf(t, s, k, slot, w.TaskID); w.InputHandle != 4 || got.Old != 0 || got.New != 77 {
			t.Errorf("held task %+v, kept %+v", w, got)
		}
	})
}

// TestBreakpointsThatCannotBeInsideAHandler: each is refused with what is wrong, and the target continues.
func TestBreakpointsThatCannotBeInsideAHandler(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{})
		for _, at := range []breakpoint.Place{
			{Line: 400}, {File: "none.glsl", Line: 3}, {Line: 8, If: "i + 1u"}, {Line: 8, If: "i ="}, {Line: 8, If: "i++ == 2u"}, {Line: 8, If: "nothing == 2u"},
			{Line: 8, If: "true) || (true"}, {Watch: "nothing"}, {Watch: "ring[3]"}, {Watch: "slot[3].flags"}, {Watch: "slot[99999].param"}, {Watch: "control[160]"}, {Watch: "control[3]", If: "value"}, {Watch: "control[3]", If: "t.param == 1u"}, {Event: "sunrise"},
			{Line: 8, Watch: "control[3]"}, {}, {Line: 8, If: "true; }"},
		} {
			if _, err := s.Arm(deadline(t), breakpoint.Breakpoint{Place: &at}); !errors.Is(err, breakpoint.ErrCondition) {
				t.Errorf("%+v: %v", at, err)
			}
		}
		if list := s.Breakpoints(); len(list) != 0 {
			t.Errorf("left %+v", list)
		}
		publish(t, s, of(opStopped, work(3, nil)))
		collect(t, s, 3)
	})
}
