package recommend

import (
	"slices"
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
		{"nothing changes", heldTarget(megakernel.PhaseResident, ready), stallWindow, "stalled: 501 tasks that no worker claims"},
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

// TestARefusedShapeIsNotRecommendedAgain: two seconds after a trial had found 4×8 to be 0.72 times as fast as 1×8 and taken it
// back, the header recommended 4×8 again, with the same gain.
func TestARefusedShapeIsNotRecommendedAgain(t *testing.T) {
	target := megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8, Device: llvmpipe}
	s := heldTarget(megakernel.PhaseResident, tasks.Task{TaskID: 4, State: tasks.Ready})
	now := megakernel.Shape{Workers: 1, Lanes: 1}
	var o Observer
	o.Add(s)
	first := o.Advise(&target, s, nil)
	if !first.Worthwhile(now) {
		t.Fatalf("%+v", first)
	}
	o.Refused(now, first.Shapes()...)
	for range 4 {
		a := o.Advise(&target, s, nil)
		if slices.Contains(first.Shapes(), a.Shape) {
			t.Fatalf("recommended again: %+v", a)
		}
		if !a.Worthwhile(now) {
			break
		}
		o.Refused(now, a.Shapes()...)
	}
	if a := o.Advise(&target, s, nil); a.Worthwhile(now) || !strings.Contains(a.Reason, "was tried, and was not") {
		t.Errorf("%+v", a)
	}
	other := *s
	other.Workers = 2
	if a := o.Advise(&target, &other, nil); !a.Worthwhile(megakernel.Shape{Workers: 2, Lanes: 1}) {
		t.Errorf("in place of another shape: %+v", a)
	}
	s.Taken += trialMemory + time.Second
	if a := o.Advise(&target, s, nil); a.Shape != first.Shape {
		t.Errorf("forgotten after %v: %+v", trialMemory, a)
	}
}

// TestTheInterpreterSaysNothingAboutItsDevice: what it does while the device compiles is as slow in any shape.
func TestTheInterpreterSaysNothingAboutItsDevice(t *testing.T) {
	target := megakernel.Target{MaxWorkers: 8, WorkgroupSize: 8, Device: llvmpipe}
	s := *heldTarget(megakernel.PhaseResident, tasks.Task{TaskID: 4, State: tasks.Ready})
	s.Compiling = megakernel.Compiling{Workgroup: 8, Elapsed: time.Second, Interim: true}
	var o Observer
	for range 4 {
		next := s
		o.Add(&next)
		s.Taken += window
		s.Counters[megakernel.CountActivations] += 1000
	}
	if a := o.Advise(&target, &s, nil); !a.Held || !strings.HasPrefix(a.Reason, "the interpreter does the work") {
		t.Errorf("%+v", a)
	}
	if s.Compiling = (megakernel.Compiling{}); len(o.Inputs(&target, &s, nil).Seen) != 0 {
		t.Errorf("rates of the interpreter are kept: %+v", o.seen)
	}
}
