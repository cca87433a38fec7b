package resident_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// An edit changes a word only if it still holds what was seen, and says what it held.
func TestEditTask(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		ts := work(10, func(i int, t *tasks.Task) { t.Param = uint32(100 + i) })
		publish(t, s, ts)
		id := ts[3].TaskID
		held := applied(t, s, megakernel.Command{Op: megakernel.OpPauseTask, Task: id, Slot: resident.AnySlot})
		edit := func(word int, expected, desired uint32) megakernel.Ack {
			t.Helper()
			return do(t, s, megakernel.Command{Op: megakernel.OpEditTask, Task: id, Slot: held.Slot, Arg: uint32(word), Expected: expected, Desired: desired})
		}
		before := taskState(s, held.Slot)
		words := before.Words()
		for word := range tasks.SlotWords {
			want := megakernel.AckBadArgument
			if word >= tasks.WordInputHandle && word <= tasks.WordContinuationData {
				want = megakernel.AckApplied
			}
			if ack := edit(word, words[word], words[word]+7); ack.Result != want || want == megakernel.AckApplied && ack.Detail != words[word] {
				t.Errorf("edit of %s: %s, it held %d, want %d", tasks.WordNames[word], ack.Result, ack.Detail, words[word])
			}
		}
		if ack := edit(tasks.WordParam, 103, 9); ack.Result != megakernel.AckChanged || ack.Detail != 110 {
			t.Errorf("edit of a word that has changed: %s, it held %d", ack.Result, ack.Detail)
		}
		want := before
		want.InputHandle, want.OutputHandle, want.Param = before.InputHandle+7, before.OutputHandle+7, 110
		want.ContinuationPC, want.ContinuationData = before.ContinuationPC+7, before.ContinuationData+7
		if got := taskState(s, held.Slot); got != want {
			t.Errorf("the task is\n%+v, want\n%+v", got, want)
		}
		applied(t, s, megakernel.Command{Op: megakernel.OpResumeTask, Task: id, Slot: held.Slot})
	})
}

// A running task is edited at the end of an activation.
func TestEditRunningTask(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		ts := work(1, func(_ int, t *tasks.Task) { t.Param = 5 })
		publish(t, s, ts)
		c := megakernel.Command{Op: megakernel.OpEditTask, Task: ts[0].TaskID, Slot: resident.AnySlot, Arg: tasks.WordParam, Expected: 5, Desired: 6}
		applied(t, s, c)
		if ack := do(t, s, c); ack.Result != megakernel.AckChanged || ack.Detail != 6 {
			t.Errorf("the same edit again: %s, it held %d", ack.Result, ack.Detail)
		}
	})
}

// TestEditControl: an edit of the epoch was said to be applied, and the epoch stayed as it was.
func TestEditControl(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1})
		c := megakernel.Command{Op: megakernel.OpEditControl, Arg: megakernel.CtrlReserved0, Desired: 77}
		if ack := applied(t, s, c); ack.Detail != 0 {
			t.Errorf("the word held %d, want 0", ack.Detail)
		}
		if ack := do(t, s, c); ack.Result != megakernel.AckChanged || ack.Detail != 77 {
			t.Errorf("the same edit again: %s, it held %d", ack.Result, ack.Detail)
		}
		if got := s.Snapshot().Control[megakernel.CtrlReserved0]; got != 77 {
			t.Errorf("the word holds %d", got)
		}
		for _, kept := range []uint32{megakernel.CtrlEpoch, megakernel.CtrlShutdown, megakernel.CtrlDoneCount, megakernel.CtrlTenantMask0} {
			c := megakernel.Command{Op: megakernel.OpEditControl, Arg: kept, Expected: s.Buffer("control").Load(int(kept)), Desired: 3}
			if ack := do(t, s, c); ack.Result != megakernel.AckKept {
				t.Errorf("edit of %s: %s", megakernel.ControlWordName(int(kept)), ack.Result)
			}
		}
		for _, e := range []struct {
			by, to, want uint32
			result       megakernel.AckResultCode
		}{{1, 0, 1, megakernel.AckApplied}, {3, 0, 4, megakernel.AckApplied}, {0, 9, 9, megakernel.AckApplied}, {0, 8, 9, megakernel.AckBadArgument}, {0, 9, 9, megakernel.AckApplied}} {
			ack := do(t, s, megakernel.Command{Op: megakernel.OpAdvanceEpoch, Arg: e.by, Desired: e.to})
			if ack.Result != e.result || ack.Detail != e.want || s.Epoch() != e.want {
				t.Errorf("epoch +%d or %d: %s, %d, and it is %d, want %d", e.by, e.to, ack.Result, ack.Detail, s.Epoch(), e.want)
			}
		}
		for _, beyond := range []uint32{uint32(len(s.Buffer("control"))), 1 << 20} {
			c.Arg = beyond
			if ack := do(t, s, c); ack.Result != megakernel.AckBadArgument {
				t.Errorf("edit of word %d, which is not there: %s", beyond, ack.Result)
			}
		}
	})
}
