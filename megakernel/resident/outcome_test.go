package resident_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

const outcomes = `
void requeuer(inout Task t) {
    if (t.requeue_count < 3u) { task_requeue(t, t.requeue_count, 5u, 6u); return; }
    task_done(t);
}
void waiter(inout Task t) {
    if (t.continuation_pc == 0u) { task_pause(t, vt_epoch() + t.param, 1u, 0u); return; }
    t.output_handle = vt_epoch();
    task_done(t);
}
void failing(inout Task t) { task_fault(t, 0x123u); }
void parent(inout Task t) {
    if (t.continuation_pc < t.param) {
        if (task_spawn(t, t.opcode + 1u, PRIORITY_HIGH, 0u, 0u, 0u)) { t.output_handle++; }
        task_yield(t, t.continuation_pc + 1u, 0u);
        return;
    }
    task_done(t);
}
void child(inout Task t) { task_done(t); }
void runaway(inout Task t) {
    for (;;) { t.output_handle++; }
}
void wrapper(inout Task t) {
    uint i = 0u;
    while (true) { i++; if (i == 0u) break; t.output_handle = i; }
    task_done(t);
}
void talker(inout Task t) { debugf("task %u says %d and %f", t.task_id, -3, 0.5); task_done(t); }
`

const (
	opRequeuer = opWork + 2 + iota // those of endless are before
	opWaiter
	opFailing
	opParent
	opChild
	opRunaway
	opWrapper
	opTalker
)

func one(op uint32, edit func(t *tasks.Task)) []tasks.Task {
	t := tasks.Task{Opcode: op, Priority: tasks.Normal}
	if edit != nil {
		edit(&t)
	}
	return []tasks.Task{t}
}

func TestOutcomes(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := shared(t, b)
		s := start(t, b, k, resident.Options{Workers: 1})
		for _, c := range []struct {
			name  string
			task  []tasks.Task
			state tasks.State
			code  uint32
		}{
			{"requeue", one(opRequeuer, nil), tasks.Done, 6},
			{"fault", one(opFailing, nil), tasks.Faulted, 0x123},
			{"runaway loop", one(opRunaway, nil), tasks.Faulted, uint32(megakernel.FaultBudget)},
			{"loop until the counter wraps around", one(opWrapper, nil), tasks.Faulted, uint32(megakernel.FaultBudget)},
			{"unknown opcode", one(999, nil), tasks.Faulted, uint32(megakernel.FaultUnknownOpcode)},
			{"tenant 29", one(opChild, func(t *tasks.Task) { t.Tenant = 29 }), tasks.Faulted, uint32(megakernel.FaultTenantRange)},
			{"nop", one(megakernel.OpcodeNop, nil), tasks.Done, 0},
		} {
			publish(t, s, c.task)
			got := collect(t, s, 1)[0]
			if got.State != c.state || got.Code != c.code {
				t.Errorf("%s: %v code %#x, want %v code %#x", c.name, got.State, got.Code, c.state, c.code)
			}
		}
	})
}

func TestPauseUntilEpoch(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		const n = 40
		for i := range uint32(n) {
			publish(t, s, one(opWaiter, func(t *tasks.Task) { t.Param = 1 + i%2 }))
		}
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if got := s.Poll(nil); len(got) != 0 {
			t.Fatalf("%d tasks went on before their epoch", len(got))
		}
		for epoch := uint32(1); epoch <= 2; epoch++ {
			if err := s.AdvanceEpoch(deadline(t)); err != nil {
				t.Fatal(err)
			}
			for _, c := range collect(t, s, n/2) {
				if c.Output != epoch {
					t.Fatalf("a task that waited for epoch %d went on at %d", epoch, c.Output)
				}
			}
		}
	})
}

func TestSpawnCountsAddUp(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		const parents, children = 30, 20
		for range parents {
			publish(t, s, one(opParent, func(t *tasks.Task) { t.Param = children }))
		}
		spawned := uint64(0)
		for _, c := range collect(t, s, parents) {
			spawned += uint64(c.Output)
		}
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		c := s.Summary().Counters
		if c[megakernel.CountSpawned] != spawned || c[megakernel.CountDone] != parents+spawned || spawned == 0 {
			t.Fatalf("handlers spawned %d; counters %v", spawned, c)
		}
	})
}

// stubborn waits until there is a slot for its child, the child of outcomes.
const stubborn = `
void stubborn(inout Task t) {
    if (!task_spawn(t, 22u, PRIORITY_NORMAL, 0u, 0u, 0u)) { task_yield(t, 0u, 0u); return; }
    task_done(t);
}
`

// Tasks of the host must not take every slot: a parent that waits for a slot for its child would
// wait for ever.
func TestParentsFindSlotsForChildren(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		const n = 600 // more than there are slots
		go func() {
			if err := s.Publish(deadline(t), of(opStubborn, work(n, nil))); err != nil {
				t.Error(err)
			}
		}()
		collect(t, s, n)
	})
}

// A worker that had left its slice when all were told to pause never answered, and with nothing to
// run no further slice began.
func TestPauseAllIsAnsweredWithNothingToRun(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 4, Idle: 4})
		for range 20 {
			applied(t, s, megakernel.Command{Op: megakernel.OpPauseAll})
			applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
		}
	})
}

// llvmpipe runs whole vectors: the lanes that a narrow workgroup does not have must not use up the
// loop iterations of those that it has.
func TestNarrowWorkgroupsAreNotCutShort(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for _, lanes := range []int{1, 12} {
			if backendtest.CompilesSlowly(b) && lanes < 8 {
				continue
			}
			s := start(t, b, assemble(t, b, countdown, lanes, "work"), resident.Options{Workers: 1})
			const n = 3000
			go func() {
				if err := s.Publish(deadline(t), work(n, nil)); err != nil {
					t.Error(err)
				}
			}()
			collect(t, s, n)
		}
	})
}
