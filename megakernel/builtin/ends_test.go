package builtin_test

import (
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// ends are slots whose end is not that of the model, because they take several activations or need a handler
// that does what the model does not know.
var ends = []struct {
	name string
	task tasks.Task
	code megakernel.FaultCode // 0: done
}{
	{"a packed handler fails", packed(opFails, 0), 0x123},
	{"a packed handler waits", packed(opWaits, 0), megakernel.FaultOutcome},
	{"a packed handler never ends", packed(opBack, math.MaxUint32), megakernel.FaultBudget},
}

// packed is a packed slot of an operation with an argument, and one that adds 1 to observable 0 behind it.
func packed(opcode uint8, arg uint32) tasks.Task {
	task, err := packOperations([]peer.PackedOperation{{Opcode: opcode, Args: []uint32{arg}}, {Opcode: uint8(megakernel.OpcodeAtomicAdd), Args: []uint32{1, megakernel.CtrlObservable0}}})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return task
}

func TestEndsOfPackedSlots(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, 1)
		for _, tt := range ends {
			if got := one(t, s, tt.task); got.State != tasks.Faulted || got.Code != uint32(tt.code) {
				t.Errorf("%s: %s with %s", tt.name, got.State, megakernel.FaultCode(got.Code))
			}
		}
		if n := control(t, s)[megakernel.CtrlObservable0]; n != 0 {
			t.Errorf("%d operations ran behind one that faulted", n)
		}
	})
}

// TestLongCopiesGoOnLater: a copy that takes more than the budget of an activation is done in several.
func TestLongCopiesGoOnLater(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := startWith(t, b, resident.Options{Workers: 1, Activation: 32, Observables: 1000})
		one(t, s, operation(megakernel.OpcodeStore, 7, megakernel.CtrlObservable0))
		if got := one(t, s, operation(megakernel.OpcodeMemcpy, megakernel.CtrlObservable0, megakernel.CtrlObservable0+1, math.MaxUint32)); got.State != tasks.Done {
			t.Fatal(got)
		}
		words := control(t, s)
		for i, w := range words[megakernel.CtrlObservable0:] {
			if w != 7 {
				t.Fatalf("observable %d is %d", i, w)
			}
		}
		if s.Summary().Counters[megakernel.CountYields] < 1000/16 {
			t.Error("it was copied at once")
		}
	})
}

// operation is a task with an operation.
func operation(opcode uint32, args ...uint32) tasks.Task {
	w := [tasks.SlotWords]uint32{tasks.WordOpcode: opcode, tasks.WordPriority: uint32(tasks.Normal)}
	copy(w[tasks.WordArg0:], args)
	return tasks.FromWords(&w)
}

// TestAdditionsAreAtomic: many lanes add to one word, alone and in packed slots, and none is lost.
func TestAdditionsAreAtomic(t *testing.T) {
	const n = 3000
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, 3)
		several, err := packOperations(slices.Repeat([]peer.PackedOperation{{Opcode: uint8(megakernel.OpcodeNop)}}, 9))
		if err != nil {
			t.Fatal(err)
		}
		var published sync.WaitGroup
		published.Go(func() {
			for range n / 3 {
				ts := []tasks.Task{operation(megakernel.OpcodeAtomicAdd, 1, megakernel.CtrlObservable0), packed(uint8(megakernel.OpcodeNop), 0), several}
				if err := s.Publish(deadline(t), ts); err != nil {
					t.Error(err)
				}
			}
		})
		collect(t, s, n)
		published.Wait()
		words := control(t, s)
		if words[megakernel.CtrlObservable0] != 2*n/3 || words[megakernel.CtrlMetrics0] != 10*n/3 || words[megakernel.CtrlMetrics0+megakernel.OpcodeAtomicAdd] != 2*n/3 {
			t.Errorf("sum %d, counted %v", words[megakernel.CtrlObservable0], words[megakernel.CtrlMetrics0:][:3])
		}
	})
}

// TestFenceResumes: a task that waits for the epoch continues when a fence on the device begins it.
func TestFenceResumes(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, 1)
		waits := operation(opUntil, 5)
		if err := s.Publish(deadline(t), []tasks.Task{waits}); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			one(t, s, operation(megakernel.OpcodeBatchFence, 0, 9))
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
			if got := s.Poll(nil); len(got) != 0 {
				t.Fatalf("it did not wait: %+v", got)
			}
		}
		if err := s.Publish(deadline(t), []tasks.Task{operation(megakernel.OpcodeBatchFence, 0, 9)}); err != nil {
			t.Fatal(err)
		}
		collect(t, s, 2)
	})
}

// TestShutdown: the operation ends the session in order; what was queued stays so.
func TestShutdown(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, 2)
		if got := one(t, s, operation(megakernel.OpcodeShutdown)); got.State != tasks.Done {
			t.Error(got)
		}
		if _, err := s.Collect(deadline(t), nil); !errors.Is(err, resident.ErrStopped) {
			t.Errorf("%v, want that the kernel has stopped", err)
		}
		if err := s.Publish(deadline(t), []tasks.Task{operation(megakernel.OpcodeNop)}); !errors.Is(err, resident.ErrStopped) {
			t.Errorf("%v, want that the kernel has stopped", err)
		}
		if s.Err() != nil || s.Phase() != megakernel.PhaseStopped {
			t.Errorf("phase %s, %v", s.Phase(), s.Err())
		}
	})
}

// packOperations makes the task that runs several operations in one slot of a resident kernel, ready and of priority
// normal. Operations that do not fit are an error that matches peer.ErrPublish.
func packOperations(ops []peer.PackedOperation) (tasks.Task, error) {
	args, err := peer.Pack(ops)
	if err != nil {
		return tasks.Task{}, err
	}
	if len(args) > megakernel.TaskArgWords {
		return tasks.Task{}, &fault.Error{Kind: peer.ErrPublish, Detail: "too long", Fix: "use several packed slots"}
	}
	w := [tasks.SlotWords]uint32{tasks.WordState: uint32(tasks.Ready), tasks.WordOpcode: megakernel.OpcodePackedSlot, tasks.WordPriority: uint32(tasks.Normal)}
	copy(w[tasks.WordArg0:], args)
	return tasks.FromWords(&w), nil
}
