package remote

import (
	"testing"

	"vyretop/megakernel"
)

// TestTheAuditSaysWhatACommandUses: a command for all workers had the numbers of a task, a slot and a worker.
func TestTheAuditSaysWhatACommandUses(t *testing.T) {
	for want, k := range map[string]command{
		"pause all":                                              {Op: megakernel.OpPauseAll, Slot: megakernel.NoSlot},
		"pause worker worker=0":                                  {Op: megakernel.OpPauseWorker, Slot: megakernel.NoSlot},
		"pause task task=7":                                      {Op: megakernel.OpPauseTask, Task: 7, Slot: 3},
		"step worker worker=1 steps=2":                           {Op: megakernel.OpStepWorker, Worker: 1, Arg: 2},
		"edit task task=7 word=4 expected=1 desired=2":           {Op: megakernel.OpEditTask, Task: 7, Arg: 4, Expected: 1, Desired: 2},
		"edit buffer word binding=5 word=4 expected=1 desired=2": {Op: megakernel.OpEditBuffer, Slot: 5, Arg: 4, Expected: 1, Desired: 2},
	} {
		if got := (&request{Command: &k}).text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTheAuditSaysThatTheRunRefused: a command that the run answered with busy was said to be done.
func TestTheAuditSaysThatTheRunRefused(t *testing.T) {
	if err := refusal(nil, &ack{Result: megakernel.AckBusy}); err == nil || err.Error() != "busy" {
		t.Errorf("busy: %v", err)
	}
	for _, a := range []*ack{nil, {Result: megakernel.AckApplied}} {
		if err := refusal(nil, a); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
	}
}
