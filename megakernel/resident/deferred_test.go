package resident_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// cooperative is a handler for all lanes: it sums what the lanes make of the task's input, in rounds with
// barriers, and ends in the way that param says: lane 0 decides, but for a fault of any lane. The handler beside it is for single lanes.
const cooperative = `
shared uint parts[VT_LANES];
void together(inout Task t) {
    uint lane = gl_LocalInvocationIndex;
    parts[lane] = t.input_handle * (lane + 1u);
    barrier();
    for (uint n = 1u; n < VT_LANES; n *= 2u) {
        uint other = lane + n < VT_LANES ? parts[lane + n] : 0u;
        barrier();
        parts[lane] += other;
        barrier();
    }
    uint sum = parts[0];
    barrier();
    if (lane + 1u == VT_LANES && t.param == 1u && t.continuation_pc == 2u) { task_fault(t, 1000u); return; }
    if (lane != 0u) { task_pause(t, 0xFFFFFFFFu, 7u, 7u); return; }
    t.output_handle += sum;
    if (t.continuation_pc < 2u) { task_yield(t, t.continuation_pc + 1u, 0u); return; }
    if (t.param == 2u && t.continuation_pc == 2u) { task_pause(t, vt_epoch() + 1u, 3u, 0u); return; }
    task_done(t);
}
void alone(inout Task t) {
    t.output_handle += t.input_handle;
    if (t.continuation_pc < 5u) { task_requeue(t, (t.priority + 1u) % 5u, t.continuation_pc + 1u, 0u); return; }
    task_done(t);
}
void forever(inout Task t) {
    for (uint i = 0u; i < 0x7FFFFFFFu; ++i) {
        parts[gl_LocalInvocationIndex] = i;
        barrier();
    }
}
`

func TestCooperativeHandlers(t *testing.T) {
	for _, tt := range []struct {
		lanes int
		core  resident.CoreMode
		each  func(*testing.T, func(*testing.T, engine.Backend))
	}{
		{8, resident.CoreOff, backendtest.OnEach},
		{13, resident.CoreOff, backendtest.OnEachVariant},
		{8, resident.CoreHeld, backendtest.OnEachVariant}, // until the epoch advances
		{13, resident.CoreHeld, backendtest.OnEachVariant},
	} {
		t.Run(fmt.Sprint(tt.lanes, tt.core), func(t *testing.T) {
			tt.each(t, func(t *testing.T, b engine.Backend) {
				checkCooperativeHandlers(t, b, tt.lanes, tt.core)
			})
		})
	}
}

func checkCooperativeHandlers(t *testing.T, b engine.Backend, lanes int, core resident.CoreMode) {
	var replaced atomic.Int32
	s := start(t, b, steered(t, b, lanes), resident.Options{Workers: 2, Core: core, Events: func(string, string) { replaced.Add(1) }})
	const n = 120
	publish(t, s, work(n, func(i int, x *tasks.Task) {
		x.Opcode, x.InputHandle, x.Param, x.Flags = opTogether+uint32(i%2), uint32(i), uint32(i/2%3), tasks.FlagNotify
	}))
	pausing := 0
	for i := range n {
		if i%2 == 0 && i/2%3 == 2 {
			pausing++
		}
	}
	done := collect(t, s, n-pausing)
	if err := s.AwaitRest(deadline(t)); err != nil { // one that pauses after the epoch has come waits for the next
		t.Fatal(err)
	}
	if n := replaced.Load(); n != 0 {
		t.Errorf("%d events before anything needs the full kernel", n)
	}
	if err := s.AdvanceEpoch(deadline(t)); err != nil {
		t.Fatal(err)
	}
	checkCooperative(t, append(done, collect(t, s, pausing)...), lanes)
	if took := replaced.Load() == 1; took != (core == resident.CoreHeld) {
		t.Errorf("the full kernel replaced another one %d times", replaced.Load())
	}
}

func checkCooperative(t *testing.T, done []megakernel.Completion, lanes int) {
	for _, c := range done {
		i := c.Task - 1
		sum := i * uint32(lanes*(lanes+1)/2)
		want := megakernel.Completion{Task: c.Task, State: tasks.Done, Output: 3 * sum, Param: i / 2 % 3, Worker: c.Worker}
		switch {
		case i%2 == 1:
			want.Output = 6 * i
		case want.Param == 1:
			want.State, want.Code = tasks.Faulted, 1000
		case want.Param == 2:
			want.Output = 4 * sum
		}
		if c != want {
			t.Errorf("got %+v\nwant %+v", c, want)
		}
	}
}

// All lanes leave a loop with a barrier in the same round, though the budget is what ends it: if one went
// on to the next barrier of the kernel while another waited in the loop, everything would come apart.
func TestCooperativeHandlerBeyondItsBudget(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		publish(t, s, work(20, func(i int, x *tasks.Task) {
			x.Opcode, x.InputHandle, x.Flags = opTogether+uint32(i%3), 1, tasks.FlagNotify
		}))
		for _, c := range collect(t, s, 20) {
			if overrun := (c.Task-1)%3 == 2; overrun != (c.State == tasks.Faulted) || overrun && c.Code != uint32(megakernel.FaultBudget) {
				t.Errorf("%+v", c)
			}
		}
	})
}

func TestCooperativeHandlerIsStepped(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 1})
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseWorker})
		publish(t, s, work(1, func(_ int, x *tasks.Task) { x.Opcode, x.InputHandle, x.Flags = opTogether, 2, tasks.FlagNotify }))
		for pc := range uint32(3) {
			applied(t, s, megakernel.Command{Op: megakernel.OpStepWorker, Arg: 1})
			step := s.Snapshot().WorkerRecords()[0].Step
			if step == nil || step.Before[tasks.WordContinuationPC] != pc || step.After[tasks.WordOutputHandle] != 72*(pc+1) {
				t.Fatalf("step %d: %+v", pc, step)
			}
		}
		collect(t, s, 1)
	})
}

// several writes handlers of different lengths; each task goes from one to another.
func several(n int) (text string, names []string) {
	var b strings.Builder
	for i := range n {
		name := fmt.Sprintf("h%d", i)
		names = append(names, name)
		fmt.Fprintf(&b, `
void %s(inout Task t) {
    uint x = t.continuation_data * %du + %du;
    for (uint i = 0u; i < %du; ++i) { x ^= x << 13u; x ^= x >> 17u; x ^= x << 5u; }
    t.output_handle = t.output_handle * 31u + x;
    if (t.continuation_pc >= t.param) { task_done(t); return; }
    if (t.continuation_pc %% 3u == 2u) { task_requeue(t, x %% 5u, t.continuation_pc + 1u, x); return; }
    task_yield(t, t.continuation_pc + 1u, x);
}
`, name, 2*i+3, i+1, 1+i%4)
	}
	return b.String(), names
}

// endings runs the same tasks and returns how each ended; beside is called while they run.
func endings(t *testing.T, b engine.Backend, k *kernel.Kernel, n int, beside func(s *resident.Session)) map[uint32]megakernel.Completion {
	s := start(t, b, k, resident.Options{Workers: 2})
	publish(t, s, work(n, func(i int, x *tasks.Task) {
		x.Opcode, x.Param, x.Flags = opWork+uint32(i%4), uint32(20+i%30), tasks.FlagNotify
		if i%50 == 49 {
			x.Opcode = 15 // of no handler
		}
	}))
	beside(s)
	ended := map[uint32]megakernel.Completion{}
	for _, c := range collect(t, s, n) {
		c.Worker = 0
		ended[c.Task] = c
	}
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	sum := s.Summary()
	if sum.Counters[megakernel.CountDone]+sum.Counters[megakernel.CountFaulted] != uint64(n) || len(ended) != n {
		t.Errorf("of %d tasks %d ended, and the counters say %v", n, len(ended), sum.Counters)
	}
	return ended
}

func TestSpecialisedKernelsGiveEqualResults(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		const n = 200
		text, names := several(4)
		k := assembleWith(t, b, kernel.Config{WorkgroupSize: 8}, text, names...)
		want := endings(t, b, k, n, func(*resident.Session) {})
		got := endings(t, b, k, n, func(s *resident.Session) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 2 {
				hot := []uint32{opWork + uint32(r.IntN(2)), opWork + 2 + uint32(r.IntN(2))}
				if err := s.Specialize(t.Context(), hot...); err != nil { // compiling takes as long as it takes
					t.Fatal(err)
				}
				if now := s.Hot(); fmt.Sprint(now) != fmt.Sprint(hot) {
					t.Fatalf("specialized for %v, want %v", now, hot)
				}
			}
			if err := s.Specialize(t.Context()); err != nil || len(s.Hot()) != 0 {
				t.Fatalf("for all opcodes again: %v, %v", s.Hot(), err)
			}
		})
		for id, c := range want {
			if got[id] != c {
				t.Errorf("specialized %+v\ngeneric     %+v", got[id], c)
			}
		}
	})
}

func TestSpecialiseRefuses(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 1})
		for _, hot := range [][]uint32{{9}, {opTogether}, {opAlone, opForever}} {
			if err := s.Specialize(deadline(t), hot...); !errors.Is(err, kernel.ErrConfig) {
				t.Errorf("specialized for %v: %v", hot, err)
			}
		}
		if err := s.Stop(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if err := s.Specialize(deadline(t), opAlone); !errors.Is(err, resident.ErrStopped) {
			t.Errorf("specialized after the end: %v", err)
		}
	})
}
