package resident_test

import (
	"errors"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// untilEpoch yields until the first epoch, and counts its activations twice: if a task came out of a
// loss with some of its words older than others, the counts would differ.
const untilEpoch = `
layout(std430, binding = 8) buffer Kept { uint kept[]; };
void work(inout Task t) {
    t.output_handle++;
    if (vt_epoch() == 0u) { kept[1] = kept[0]; task_yield(t, 1u, t.output_handle); return; }
    t.param = kept[1];
    task_done(t);
}
`

func TestRecoverAfterDeviceLoss(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		const n = 280 // some wait in the inbox
		k := assemble(t, b, untilEpoch, 8, "work")
		s, err := resident.Start(deadline(t), b, k, resident.Options{
			Workers: 2, Activation: 256, Buffers: []resident.BufferInit{{Name: "kept", Binding: 8, Words: 2, Data: []uint32{7, 0}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ts := work(n, nil)
		publish(t, s, ts)
		held := ts[3].TaskID
		applied(t, s, megakernel.Command{Op: megakernel.OpPauseTask, Task: held, Slot: resident.AnySlot})
		apply(t, s, "aging=5 burst=3")
		b.(engine.Lifecycle).SimulateLoss()
		if err := s.AwaitRest(deadline(t)); !errors.Is(err, engine.ErrDeviceLost) {
			t.Fatalf("the session ended with %v", err)
		}
		next, report, err := s.Recover(deadline(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := next.Close(); err != nil {
				t.Error(err)
			}
		})
		if now := next.Settings(); now.Aging != 5 || now.Burst != 3 || now.Workers != 2 {
			t.Errorf("the settings were forgotten: %+v", now)
		}
		left := n - len(report.Interrupted) - report.Unreported
		if report.Unreported != 0 && !k.Config.Mirror || report.Queued+report.Inbox != left || next.InFlight() != left || report.Inbox == 0 {
			t.Fatalf("%d tasks in flight, report %+v", next.InFlight(), report)
		}
		if k.Config.Mirror != (report.Queued == 0) {
			t.Fatalf("slots are lost with the device: %v; report %+v", k.Config.Mirror, report)
		}
		if err := next.AdvanceEpoch(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if k.Config.Mirror { // the held task was in a slot
			checkRecovered(t, collect(t, next, left), report.Interrupted, held)
		} else {
			checkRecovered(t, collect(t, next, left-1), report.Interrupted, held)
			applied(t, next, megakernel.Command{Op: megakernel.OpResumeTask, Task: held, Slot: resident.AnySlot})
			collect(t, next, 1)
		}
		if err := next.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
	})
}

// checkRecovered expects tasks to have ended once, with words that fit together, none of them held or
// interrupted.
func checkRecovered(t *testing.T, done []megakernel.Completion, interrupted []tasks.Task, held uint32) {
	seen := map[uint32]bool{held: true}
	for _, x := range interrupted {
		seen[x.TaskID] = true
	}
	for _, c := range done {
		if seen[c.Task] || c.State != tasks.Done || c.Output != c.Code+1 || c.Param != 7 {
			t.Fatalf("completion %+v (interrupted, held or ended before: %v)", c, seen[c.Task])
		}
		seen[c.Task] = true
	}
}

func TestRecoverNeedsALoss(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, assemble(t, b, endless, 8, "work", "once"), resident.Options{Workers: 1})
		if err := s.Stop(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Recover(deadline(t)); !errors.Is(err, resident.ErrStopped) {
			t.Fatalf("recovered from nothing: %v", err)
		}
	})
}

// The slots of a recovered session were taken for empty: with more in the inbox it launched slices for
// ever, because there seemed to be room.
func TestRecoveredSessionWithFullSlotsRests(t *testing.T) {
	const sleeper = `
void work(inout Task t) {
    if (t.continuation_pc == 0u) { task_pause(t, 1u, 1u, 0u); return; }
    task_done(t);
}
`
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		const n = 250 // more than there are slots for tasks of the host
		s, err := resident.Start(deadline(t), b, assemble(t, b, sleeper, 8, "work"), resident.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		publish(t, s, work(n, nil))
		awaitPhase(t, s, megakernel.PhaseParked)
		last := megakernel.Command{Op: megakernel.OpPauseTask, Task: n, Slot: resident.AnySlot} // in the inbox, and no slot for it
		if ack := do(t, s, last); ack.Result != megakernel.AckNotFound {
			t.Errorf("pause of a task that has no slot: %s", ack.Result)
		}
		awaitPhase(t, s, megakernel.PhaseParked)
		b.(engine.Lifecycle).SimulateLoss()
		wakeUp := megakernel.Command{Op: megakernel.OpRefreshTenants} // for the slicer to find the device gone
		if _, err := s.Do(deadline(t), wakeUp); !errors.Is(err, engine.ErrDeviceLost) {
			t.Fatalf("a command to a lost device: %v", err)
		}
		next, report, err := s.Recover(deadline(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := next.Close(); err != nil {
				t.Error(err)
			}
		})
		if report.Inbox == 0 || report.Queued+report.Inbox != n {
			t.Fatalf("recovered %+v", report)
		}
		awaitPhase(t, next, megakernel.PhaseParked)
		if err := next.AdvanceEpoch(deadline(t)); err != nil {
			t.Fatal(err)
		}
		collect(t, next, report.Queued)
	})
}
