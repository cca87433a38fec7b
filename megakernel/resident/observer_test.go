package resident_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// TestObserverMissesNoChange has observers that read at different times while tasks of all outcomes run
// and commands come, with slots that the host sees and with a mirror of them. Whenever all workers are
// paused, each must see what is there.
func TestObserverMissesNoChange(t *testing.T) {
	for name, c := range map[string]kernel.Config{
		"seen":         {WorkgroupSize: 8},
		"seen, narrow": {WorkgroupSize: 3},
		"mirrored":     {WorkgroupSize: 8, Slots: 1500, Mirror: true},
	} {
		t.Run(name, func(t *testing.T) {
			each := backendtest.OnEachVariant
			if name == "seen" {
				each = backendtest.OnEach
			}
			each(t, func(t *testing.T, b engine.Backend) {
				rng := rand.New(rand.NewPCG(uint64(c.WorkgroupSize), 3))
				k := sharedWith(t, b, c)
				watch(t, start(t, b, k, resident.Options{Workers: 1 + rng.IntN(3)}), rng)
			})
		})
	}
}

func watch(t *testing.T, s *resident.Session, rng *rand.Rand) {
	const n = 500
	var others sync.WaitGroup
	others.Go(func() {
		ts := work(n, func(i int, t *tasks.Task) { t.Opcode, t.Param = opMixed, uint32(i)*2654435761>>1&^0xFF|uint32(1+i%12) })
		if err := s.Publish(deadline(t), ts); err != nil {
			t.Error(err)
		}
	})
	ctx, stop := context.WithCancel(deadline(t))
	others.Go(func() {
		for s.AdvanceEpoch(ctx) == nil && ctx.Err() == nil {
			if _, err := s.Do(ctx, megakernel.Command{Op: megakernel.OpRequeueTask, Task: uint32(1 + n/2), Slot: resident.AnySlot}); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	observers := []*resident.Observer{s.Observer(), s.Observer()}
	for range 8 {
		for range rng.IntN(3) {
			observers[0].Read()
		}
		if _, err := s.Do(deadline(t), megakernel.Command{Op: megakernel.OpPauseAll}); err != nil {
			t.Fatalf("%v\n%s", err, describe(s))
		}
		compareObservers(t, s, observers)
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
	}
	collect(t, s, n)
	stop()
	others.Wait()
	applied(t, s, megakernel.Command{Op: megakernel.OpResumeAll})
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	compareObservers(t, s, observers)
	if !observers[1].Read().Consistent {
		t.Error("the target is at rest, and a snapshot of it is not consistent")
	}
}

// compareObservers has all observers read, between two looks at the slots themselves: paused workers go
// on importing, and only slots that did not change in the meantime are compared.
func compareObservers(t *testing.T, s *resident.Session, observers []*resident.Observer) {
	t.Helper()
	before := slotsOf(s)
	var seen []*megakernel.Snapshot
	for _, o := range observers {
		seen = append(seen, o.Read())
	}
	after := slotsOf(s)
	for i, got := range seen {
		if !got.Consistent { // the mirror is late on a machine that is busy
			continue
		}
		for at := 0; at < len(after); at += tasks.SlotWords {
			want := after[at : at+tasks.SlotWords]
			if slices.Equal(before[at:at+tasks.SlotWords], want) && !slices.Equal(got.Slots[at:at+tasks.SlotWords], want) {
				t.Fatalf("observer %d sees slot %d as %v, it is %v", i, at/tasks.SlotWords, got.Slots[at:at+tasks.SlotWords], want)
			}
		}
	}
}

// slotsOf is all words of the slots, from the ring where the host sees that.
func slotsOf(s *resident.Session) []uint32 {
	ring := s.Buffer("ring")
	if ring == nil {
		return s.Snapshot().Slots
	}
	words := make([]uint32, len(ring))
	ring.CopyTo(words, 0)
	return words
}

// A task that an activation works on for long was taken before the observer last looked: it is seen as
// running all the same, and its words when it has ended.
func TestObserverSeesALongActivationEnd(t *testing.T) {
	const slow = `
layout(std430, binding = 8) coherent volatile buffer Gate { uint gate[]; };
void work(inout Task t) {
    gate[0] = 1u;
    while (gate[1] == 0u) {}
    t.output_handle = 77u;
    task_done(t);
}
`
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := assembleWith(t, b, kernel.Config{WorkgroupSize: 1}, slow, "work")
		if k.Config.LoopLimit != 0 {
			t.Skipf("the device ends all loops after %d iterations, so it has no activation that lasts while an observer reads", k.Config.LoopLimit)
		}
		s := start(t, b, k, resident.Options{Workers: 1, Activation: 1 << 30, Buffers: []resident.BufferInit{{Name: "gate", Binding: 8, Words: 2}}})
		o := s.Observer()
		o.Read()
		publish(t, s, work(1, nil))
		gate := s.Buffer("gate")
		for ctx := deadline(t); gate.Load(0) == 0; {
			if ctx.Err() != nil {
				t.Fatal(describe(s))
			}
		}
		for range 3 {
			snap := o.Read()
			if k.Config.Mirror { // the worker that would copy the slot runs the task
				if snap.Consistent {
					t.Fatal("slots that could not be copied are called consistent")
				}
				continue
			}
			if state := tasks.State(snap.Slot(0)[tasks.WordState]); state != tasks.Running {
				t.Fatalf("the slot is %s, and its task runs", state)
			}
		}
		gate.Store(1, 1)
		collect(t, s, 1)
		if task := tasks.FromWords(o.Read().Slot(0)); task.State != tasks.Done || task.OutputHandle != 77 {
			t.Fatalf("the task that has ended is seen as %+v", task)
		}
	})
}
