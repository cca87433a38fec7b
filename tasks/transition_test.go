package tasks_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vyretop/tasks"
)

// full has a different value in every word, and every flag, so that a transition that touches a
// word it must not touch shows.
func full(s tasks.State) tasks.Task {
	return tasks.Task{
		State: s, Opcode: 101, Tenant: 2, Priority: tasks.Low, InputHandle: 104, OutputHandle: 105,
		Param: 106, ContinuationPC: 107, ContinuationData: 108, ResumeEpoch: 109, TaskID: 110,
		ParentTaskID: 111, AgeTicks: 112, RequeueCount: 113, YieldCount: 114, Flags: 15,
	}
}

// transition is one row of the tables: what is called, from which states it is legal, and what it
// does to a task.
type transition struct {
	name  string
	run   func(*tasks.Task) error
	legal []tasks.State
	after func(*tasks.Task)
}

var live = []tasks.State{tasks.Ready, tasks.Running, tasks.Paused, tasks.Yielded, tasks.Requeued}

var transitions = []transition{
	{"pause", func(t *tasks.Task) error { return t.Pause(1, 2, 3) }, live, func(t *tasks.Task) {
		t.State, t.ContinuationPC, t.ContinuationData, t.ResumeEpoch, t.Flags = tasks.Paused, 1, 2, 3, 7
	}},
	{"resume", (*tasks.Task).Resume, []tasks.State{tasks.Paused}, func(t *tasks.Task) {
		t.State, t.Flags = tasks.Ready, tasks.FlagRequeueRequested|tasks.FlagResumeReady
	}},
	{"yield", func(t *tasks.Task) error { return t.Yield(1, 2) }, live, func(t *tasks.Task) {
		t.State, t.ContinuationPC, t.ContinuationData, t.YieldCount = tasks.Yielded, 1, 2, 115
	}},
	{"requeue", func(t *tasks.Task) error { return t.Requeue(tasks.High, 1, 2) }, live, func(t *tasks.Task) {
		t.State, t.Priority, t.ContinuationPC, t.ContinuationData = tasks.Requeued, tasks.High, 1, 2
		t.RequeueCount, t.AgeTicks = 114, 113
	}},
	{"complete", (*tasks.Task).Complete, live, func(t *tasks.Task) { t.State, t.Flags = tasks.Done, 0 }},
	{"fault", func(t *tasks.Task) error { return t.Fault(0x100) }, live, func(t *tasks.Task) {
		t.State, t.ContinuationData = tasks.Faulted, 0x100
	}},
}

// states are all known ones and some that are not.
var states = []tasks.State{0, 1, 2, 3, 4, 5, 6, 7, 8, 255, math.MaxUint32}

func TestTransitionsFromEveryState(t *testing.T) {
	for _, tr := range transitions {
		for _, from := range states {
			t.Run(fmt.Sprintf("%s from %s", tr.name, from), func(t *testing.T) { checkTransition(t, tr, from) })
		}
	}
}

func checkTransition(t *testing.T, tr transition, from tasks.State) {
	t.Helper()
	got, want := full(from), full(from)
	err := tr.run(&got)
	if contains(tr.legal, from) {
		tr.after(&want)
		if err != nil {
			t.Errorf("refused: %v", err)
		}
	} else {
		checkRefused(t, err, tr.name, from)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("task (-want +got):\n%s", diff)
	}
}

func checkRefused(t *testing.T, err error, name string, from tasks.State) {
	t.Helper()
	if want := fmt.Sprintf("task 110: %s is not legal from state %s. Fix: ", name, from); !errors.Is(err, tasks.ErrTransition) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error is %v, want %s…", err, want)
	}
}

func contains(list []tasks.State, s tasks.State) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func TestCountersAtTheirMaximumLeaveTheTaskAlone(t *testing.T) {
	tests := []struct {
		counter string
		set     func(*tasks.Task)
		run     func(*tasks.Task) error
	}{
		{"yield_count", func(t *tasks.Task) { t.YieldCount = math.MaxUint32 }, func(t *tasks.Task) error { return t.Yield(1, 2) }},
		{"requeue_count", func(t *tasks.Task) { t.RequeueCount = math.MaxUint32 }, func(t *tasks.Task) error { return t.Requeue(0, 1, 2) }},
		{"age_ticks", func(t *tasks.Task) { t.AgeTicks = math.MaxUint32 }, func(t *tasks.Task) error { return t.Requeue(0, 1, 2) }},
	}
	for _, tt := range tests {
		t.Run(tt.counter, func(t *testing.T) {
			got := full(tasks.Running)
			tt.set(&got)
			before := got
			err := tt.run(&got)
			if !errors.Is(err, tasks.ErrCounter) || !strings.HasPrefix(err.Error(), "task 110: "+tt.counter+" is at its maximum") {
				t.Errorf("error is %v, want one about %s", err, tt.counter)
			}
			if !strings.Contains(fmt.Sprint(err), "Fix: ") {
				t.Errorf("error %q has no Fix", err)
			}
			if got != before {
				t.Errorf("the task changed: %s", cmp.Diff(before, got))
			}
		})
	}
}

// TestTransitionsKeepIdentity runs random transitions: whatever happens, a task keeps its identity,
// never leaves a terminal state, and counters never go back.
func TestTransitionsKeepIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		task := full(tasks.Ready)
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			before := task
			tr := rapid.SampledFrom(transitions).Draw(t, "transition")
			if err := tr.run(&task); err != nil {
				if task != before {
					t.Fatalf("%s failed and changed the task: %s", tr.name, cmp.Diff(before, task))
				}
				continue
			}
			checkStep(t, &before, &task)
		}
	})
}

func checkStep(t *rapid.T, before, after *tasks.Task) {
	if before.State.Terminal() || !before.State.Schedulable() && before.State != tasks.Running && before.State != tasks.Paused {
		t.Fatalf("left state %s", before.State)
	}
	if err := after.Validate(); err != nil {
		t.Fatal(err)
	}
	if after.TaskID != before.TaskID || after.ParentTaskID != before.ParentTaskID || after.Opcode != before.Opcode || after.Tenant != before.Tenant {
		t.Fatalf("identity changed: %s", cmp.Diff(before, after))
	}
	if after.YieldCount < before.YieldCount || after.RequeueCount < before.RequeueCount || after.AgeTicks < before.AgeTicks {
		t.Fatalf("a counter went back: %s", cmp.Diff(before, after))
	}
}
