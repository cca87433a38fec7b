package recommend

import (
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// heldTarget is a target of one worker of one lane that a wider shape would make faster, with tasks in these states; a task
// that a breakpoint holds is paused for good and halted.
func heldTarget(phase megakernel.Phase, list ...tasks.Task) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Phase: phase, Workers: 1, Lanes: 1, Taken: time.Second, Submitted: 500}
	for _, task := range list {
		w := task.Words()
		s.Slots = append(s.Slots, w[:]...)
	}
	return s
}

// TestNothingIsRecommendedWhileAllIsHeld: with every task held by a breakpoint and more of them waiting for a slot the header
// recommended another shape.
func TestNothingIsRecommendedWhileAllIsHeld(t *testing.T) {
	target := megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8, Device: llvmpipe}
	halted := tasks.Task{TaskID: 1, State: tasks.Paused, ResumeEpoch: megakernel.HeldEpoch, Flags: tasks.FlagHalted}
	byHand := tasks.Task{TaskID: 2, State: tasks.Paused, ResumeEpoch: megakernel.HeldEpoch, Flags: uint32(tasks.ReasonCommand) << tasks.ReasonShift}
	running, ready := tasks.Task{TaskID: 3, State: tasks.Running}, tasks.Task{TaskID: 4, State: tasks.Ready}
	for _, tt := range []struct {
		name string
		s    *megakernel.Snapshot
		rest time.Duration // since the last activation
		why  string        // "": a shape is recommended
	}{
		{"nothing is held", heldTarget(megakernel.PhaseResident, ready), 0, ""},
		{"breakpoint, parked", heldTarget(megakernel.PhaseParked, halted), 0, "held by a breakpoint: 1 task"},
		{"breakpoint, others run", heldTarget(megakernel.PhaseResident, halted, running), time.Second, ""},
		{"breakpoint, others were run", heldTarget(megakernel.PhaseResident, halted, ready), 0, ""},
		{"breakpoint, nothing ran", heldTarget(megakernel.PhaseResident, halted), time.Second, "held by a breakpoint: 1 task"},
		{"command, parked", heldTarget(megakernel.PhaseParked, byHand), 0, "a command has paused 1 task"},
	} {
		var o Observer
		o.Add(tt.s)
		later := *tt.s
		later.Taken += tt.rest
		o.Add(&later)
		a := o.Advise(&target, &later, nil)
		if a.Held != (tt.why != "") || a.Worthwhile(megakernel.Shape{Workers: 1, Lanes: 1}) == a.Held || !strings.Contains(a.Reason, tt.why) {
			t.Errorf("%s: %+v", tt.name, a)
		}
	}
}
