package resident_test

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// mixed does everything a handler can do, driven by the bits of param. output_handle counts the
// activations; a task needs as many as param says in its low byte, and faults in the end when its top bit is set.
const mixed = `
void mixed(inout Task t) {
    t.output_handle++;
    uint left = (t.param & 0xFFu) - t.output_handle;
    if (left == 0u) {
        if ((t.param >> 31u) != 0u) { task_fault(t, 0x123u); } else { task_done(t); }
        return;
    }
    switch ((t.param >> (8u + (left & 7u) * 2u)) & 3u) {
    case 0u: task_yield(t, left, 0u); break;
    case 1u: task_requeue(t, (t.param >> 9u) % NUM_PRIORITIES, left, 0u); break;
    case 2u: task_pause(t, vt_epoch() + 1u, left, 0u); break;
    default: // no slot free: no child
        if (task_spawn(t, t.opcode + 1u, left % NUM_PRIORITIES, 0u, 0u, 0u)) { t.input_handle++; }
        task_yield(t, left, 0u);
    }
}
void mixed_child(inout Task t) {
    for (uint i = 0u; i < (t.task_id & 15u); ++i) { t.output_handle += i; }
    debugf("child %u", t.task_id);
    task_done(t);
}
`

// TestNothingLostOrDoubled runs thousands of tasks of all outcomes while commands, epochs and
// retunes come at random, and then counts.
func TestNothingLostOrDoubled(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for seed := range backendtest.Seeds(3, 8) {
			rng := rand.New(rand.NewPCG(seed, 99))
			checkRandomRun(t, b, rng, 1500, resident.CoreAuto, false)
		}
	})
}

// TestOneLoopLosesNothing: the same with slices in one loop, as on devices that do not count loops.
func TestOneLoopLosesNothing(t *testing.T) {
	for _, core := range []resident.CoreMode{resident.CoreOff, resident.CoreHeld} {
		for seed := range backendtest.Seeds(2, 4) {
			checkRandomRun(t, backendtest.Reference(t, reference.Options{}), rand.New(rand.NewPCG(seed, 98)), 1500, core, true)
		}
	}
}

func checkRandomRun(t *testing.T, b engine.Backend, rng *rand.Rand, n int, core resident.CoreMode, oneLoop bool) {
	lanes := []int{8, 3, 64, 33}[rng.IntN(4)]
	if backendtest.CompilesSlowly(b) {
		lanes = 8
	}
	s := start(t, b, sharedWith(t, b, kernel.Config{WorkgroupSize: lanes, OneLoop: oneLoop}), resident.Options{Workers: 1 + rng.IntN(3), Starvation: uint32(1 + rng.IntN(200)), Core: core})
	ts := work(n, func(_ int, t *tasks.Task) {
		t.Opcode = opMixed
		t.Param = rng.Uint32()>>1&^0xFF | uint32(1+rng.IntN(12))
		t.Priority = tasks.Priority(rng.IntN(tasks.NumPriorities))
		t.Tenant = uint32(rng.IntN(megakernel.Tenants))
	})
	ctx, stop := context.WithCancel(t.Context()) // collect watches for progress
	var others sync.WaitGroup
	seed := rng.Uint64()
	others.Go(func() {
		ids := func(rng *rand.Rand) uint32 { return uint32(1 + rng.IntN(n)) }
		disturb(ctx, t, s, ids, lanes, rand.New(rand.NewPCG(seed, 1)))
	})
	others.Go(func() {
		if err := s.Publish(ctx, ts); err != nil {
			t.Error(err)
		}
	})
	done := map[uint32]megakernel.Completion{}
	for _, c := range collect(t, s, n) {
		if _, twice := done[c.Task]; twice {
			t.Fatalf("task %d ended twice", c.Task)
		}
		done[c.Task] = c
	}
	stop()
	others.Wait()
	applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	checkCounts(t, s, ts, done)
}

// disturb gives random commands until ctx ends, those for tasks to the ids that it is told, and leaves
// no task held as long as tasks are to end. Errors other than the end of ctx fail the test; refusals
// are part of the game. It returns how many commands it gave.
func disturb(ctx context.Context, t *testing.T, s *resident.Session, ids func(*rand.Rand) uint32, lanes int, rng *rand.Rand) (given uint64) {
	ops := []megakernel.CommandOp{megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask, megakernel.OpReprioritize, megakernel.OpReap}
	held := map[uint32]bool{}
	resume := func(ctx context.Context) {
		for id := range held {
			if _, err := s.Do(ctx, megakernel.Command{Op: megakernel.OpResumeTask, Task: id, Slot: resident.AnySlot}); err == nil {
				delete(held, id)
			}
		}
	}
	for ; ctx.Err() == nil; given++ {
		var err error
		switch rng.IntN(12) {
		case 0:
			err = changeSettings(ctx, s, lanes, rng)
		case 1:
			_, err = s.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll})
			if err == nil {
				_, err = s.Do(ctx, megakernel.Command{Op: megakernel.OpResumeAll})
			}
		case 2, 3, 4, 5:
			err = s.AdvanceEpoch(ctx)
		default:
			op := ops[rng.IntN(len(ops))]
			id := ids(rng)
			var ack megakernel.Ack
			ack, err = s.Do(ctx, megakernel.Command{Op: op, Task: id, Slot: resident.AnySlot, Arg: uint32(rng.IntN(tasks.NumPriorities))})
			if op == megakernel.OpPauseTask && ack.Result == megakernel.AckApplied {
				held[id] = true
			}
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("command %d: %v", given, err)
		}
		if given%16 == 15 {
			resume(ctx)
		}
	}
	return given
}

// changeSettings changes up to three settings at random, but those of the log, whose records are counted, or undoes a change. A tenant that is switched off is
// switched on again, also when ctx ends in the meantime: its tasks are to end.
func changeSettings(ctx context.Context, s *resident.Session, lanes int, rng *rand.Rand) error {
	switchOn := func(tenant int) {
		_, _ = s.Apply(context.WithoutCancel(ctx), megakernel.Setting{ID: megakernel.TenantMaskSetting, Index: tenant, Value: 1})
	}
	if rng.IntN(8) == 0 {
		undone, err := s.Undo(ctx)
		for _, c := range undone {
			if c.ID == megakernel.TenantMaskSetting {
				switchOn(c.Index)
			}
		}
		if errors.Is(err, resident.ErrUndo) {
			return nil
		}
		return err
	}
	var list []megakernel.Setting
	for range 1 + rng.IntN(3) {
		k := megakernel.SettingID(rng.IntN(int(megakernel.LogSetting)))
		x := megakernel.Setting{ID: k, Index: rng.IntN(max(1, k.Indexes()))}
		switch k {
		case megakernel.TenantMaskSetting:
			defer switchOn(x.Index)
		case megakernel.PriorityOffsetSetting:
			x.Value = int64(rng.IntN(9) - 4)
		case megakernel.SliceSetting:
			x.Value = int64(200 + rng.IntN(20_000))
		default:
			most := map[megakernel.SettingID]int{megakernel.WorkersSetting: 4, megakernel.LanesSetting: lanes, megakernel.AgingSetting: 3, megakernel.BurstSetting: megakernel.MaxBurst}
			x.Value = int64(1 + rng.IntN(cmp.Or(most[k], 2000)))
		}
		list = append(list, x)
	}
	_, err := s.Apply(ctx, list...)
	return err
}

func checkCounts(t *testing.T, s *resident.Session, ts []tasks.Task, done map[uint32]megakernel.Completion) {
	for i := range ts {
		c := done[ts[i].TaskID]
		if c.State != tasks.Done || c.Output != ts[i].Param&0xFF {
			t.Errorf("task %d: %+v, want %d activations", ts[i].TaskID, c, ts[i].Param&0xFF)
		}
	}
	c := s.Summary().Counters
	if c[megakernel.CountImported] != uint64(len(ts)) {
		t.Errorf("imported %d of %d", c[megakernel.CountImported], len(ts))
	}
	if c[megakernel.CountDone] != c[megakernel.CountImported]+c[megakernel.CountSpawned] || c[megakernel.CountFaulted] != 0 || c[megakernel.CountViolations] != 0 {
		t.Errorf("counts do not add up: %v", c)
	}
	byState, _ := s.Snapshot().StateCounts()
	if live := s.Snapshot().NumSlots() - byState[tasks.Empty] - byState[tasks.Done]; live != 0 {
		t.Errorf("%d slots still hold tasks: %v", live, byState)
	}
}
