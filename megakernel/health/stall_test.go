package health

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// scene makes a snapshot: tasks in slots 0.., workers of a slice.
func scene(at time.Duration, epoch, done uint32, workers [][]uint32, list ...tasks.Task) *megakernel.Snapshot {
	s := &megakernel.Snapshot{Taken: at, Phase: megakernel.PhaseResident, Workers: len(workers)}
	s.Control, _ = megakernel.EncodeControl(2, 0)
	s.Control[megakernel.CtrlEpoch], s.Control[megakernel.CtrlDoneCount] = epoch, done
	for _, t := range list {
		words := t.Words()
		s.Slots = append(s.Slots, words[:]...)
	}
	for _, w := range workers {
		s.WorkerTable = append(s.WorkerTable, w...)
	}
	return s
}

// worker makes a record: words by index behind the state.
func worker(state megakernel.WorkerState, words ...int) []uint32 {
	w := make([]uint32, megakernel.WorkerWords)
	w[megakernel.WkState], w[megakernel.WkSlot] = uint32(state), megakernel.NoSlot
	if state == megakernel.WorkerRunning {
		w[megakernel.WkState], w[megakernel.WkSlot] = uint32(megakernel.WorkerIdle), 0
	}
	for i := 0; i+1 < len(words); i += 2 {
		w[words[i]] = uint32(words[i+1])
	}
	return w
}

func counter(c int) int { return megakernel.WkCounts + c }

func TestVerdictsOnWorkers(t *testing.T) {
	ready := tasks.Task{State: tasks.Ready, TaskID: 1}
	held := tasks.Task{State: tasks.Paused, TaskID: 1, ResumeEpoch: megakernel.HeldEpoch}
	idle, running := megakernel.WorkerIdle, megakernel.WorkerRunning
	for name, tt := range map[string]struct {
		before, now []uint32
		task        tasks.Task
		want        Verdict
	}{
		"ended a task":         {worker(idle), worker(idle, counter(megakernel.CountDone), 1), ready, Progressing},
		"parked a task":        {worker(idle), worker(idle, counter(megakernel.CountPauses), 1), ready, Progressing},
		"a fault":              {worker(idle), worker(idle, counter(megakernel.CountFaulted), 1, counter(megakernel.CountDone), 9), ready, Faulted},
		"round and round":      {worker(running), worker(running, counter(megakernel.CountYields), 5, counter(megakernel.CountActivations), 5), ready, Spinning},
		"in one activation":    {worker(running), worker(running), ready, Spinning},
		"finished one":         {worker(running), worker(running, counter(megakernel.CountActivations), 1), ready, Progressing},
		"paused":               {worker(megakernel.WorkerPaused), worker(megakernel.WorkerPaused), ready, Parked},
		"in no slice":          {worker(megakernel.WorkerAbsent), worker(megakernel.WorkerAbsent), ready, Parked},
		"nothing to do":        {worker(idle), worker(idle, counter(megakernel.CountEmpty), 9), held, Parked},
		"misses what is there": {worker(idle), worker(idle, counter(megakernel.CountEmpty), 9, megakernel.WkHeartbeat, 9), ready, Spinning},
		"stands":               {worker(idle), worker(idle), ready, Spinning},
		"running, seen once":   {nil, worker(running), ready, UnknownVerdict},
		"idle, seen once":      {nil, worker(idle), ready, UnknownVerdict},
		"paused, seen once":    {nil, worker(megakernel.WorkerPaused), ready, Parked},
		"took a task":          {worker(running), worker(running, megakernel.WkSlot, 7), ready, Progressing},
		"began an activation":  {worker(running), worker(running, megakernel.WkHeartbeat, 1), ready, Progressing},
	} {
		var before *megakernel.Snapshot
		if tt.before != nil {
			before = scene(0, 0, 0, [][]uint32{tt.before}, tt.task)
		}
		r := Explain(scene(time.Second, 0, 0, [][]uint32{tt.now}, tt.task), before)
		if got := r.Workers[0]; got.Verdict != tt.want || got.Why == "" {
			t.Errorf("%s: %s, because %q; want %s", name, got.Verdict, got.Why, tt.want)
		}
	}
}

// TestAStoppedTargetDoesNotSpin: each worker of a run that was ended in the middle was said to spin, because the target was no
// longer at work.
func TestAStoppedTargetDoesNotSpin(t *testing.T) {
	idle, ready := megakernel.WorkerIdle, tasks.Task{State: tasks.Ready, TaskID: 1}
	before := scene(0, 0, 0, [][]uint32{worker(idle)}, ready)
	now := scene(time.Second, 0, 0, [][]uint32{worker(megakernel.WorkerAbsent, counter(megakernel.CountYields), 5, counter(megakernel.CountActivations), 5)}, ready)
	now.Phase = megakernel.PhaseStopped
	if got := Explain(now, before).Workers[0]; got.Verdict != Progressing {
		t.Errorf("%s, because %q; want %s", got.Verdict, got.Why, Progressing)
	}
}

// TestAnAbsentWorkerSaysWhy: "it is in no slice" did not say whether the kernel has ended, waits for tasks, or only this worker
// has left.
func TestAnAbsentWorkerSaysWhy(t *testing.T) {
	ready := tasks.Task{State: tasks.Ready, TaskID: 1}
	done := tasks.Task{State: tasks.Done, TaskID: 1}
	for _, tt := range []struct {
		phase megakernel.Phase
		task  tasks.Task
		want  string
	}{
		{megakernel.PhaseStopped, ready, "the kernel has ended"},
		{megakernel.PhaseLost, ready, "the kernel has ended"},
		{megakernel.PhaseParked, done, "no task is ready, so no slice runs"},
		{megakernel.PhaseParked, ready, "no slice runs now"},
		{megakernel.PhaseResident, ready, "it left the slice: it found nothing to do"},
	} {
		absent := [][]uint32{worker(megakernel.WorkerAbsent)}
		before, now := scene(0, 0, 0, absent, tt.task), scene(time.Second, 0, 0, absent, tt.task)
		now.Phase = tt.phase
		if got := Explain(now, before).Workers[0]; got.Verdict != Parked || got.Why != tt.want {
			t.Errorf("%v, task %v: %s, because %q; want %q", tt.phase, tt.task.State, got.Verdict, got.Why, tt.want)
		}
	}
}

func TestWhatTasksWaitFor(t *testing.T) {
	idle := [][]uint32{worker(megakernel.WorkerIdle)}
	paused := [][]uint32{worker(megakernel.WorkerPaused)}
	waiting := func(id, epoch uint32) tasks.Task {
		return tasks.Task{State: tasks.Paused, TaskID: id, ResumeEpoch: epoch}
	}
	for name, tt := range map[string]struct {
		workers [][]uint32
		list    []tasks.Task
		want    []Wait
		stuck   bool
		kind    Kind
	}{
		"an epoch that is not advanced": {idle, []tasks.Task{waiting(1, 9), waiting(2, 9), waiting(3, 7)}, []Wait{
			{Kind: ForEpoch, Word: "control.epoch", Value: 5, Needs: "at least 9", Count: 2, Slots: []int{0, 1}, Tasks: []uint32{1, 2}},
			{Kind: ForEpoch, Word: "control.epoch", Value: 5, Needs: "at least 7", Count: 1, Slots: []int{2}, Tasks: []uint32{3}},
		}, true, AwaitsEpoch},
		"an epoch, while something runs": {idle, []tasks.Task{waiting(1, 9), {State: tasks.Ready, TaskID: 2}}, []Wait{
			{Kind: ForEpoch, Word: "control.epoch", Value: 5, Needs: "at least 9", Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, false, Unclaimed},
		"an epoch behind the wrap": {idle, []tasks.Task{waiting(1, ^uint32(0)-1)}, []Wait{
			{Kind: ForMissed, Word: "slot.state", Value: uint32(tasks.Paused), Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, Unclaimed},
		"held": {idle, []tasks.Task{waiting(1, megakernel.HeldEpoch)}, []Wait{
			{Kind: ForCommand, Word: "slot.state", Value: uint32(tasks.Paused), Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, AwaitsOrder},
		"held by a breakpoint": {idle, []tasks.Task{{State: tasks.Paused, TaskID: 1, ResumeEpoch: megakernel.HeldEpoch, Flags: tasks.FlagPaused | tasks.FlagHalted}}, []Wait{
			{Kind: ForBreak, Word: "slot.state", Value: uint32(tasks.Paused), Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, AtBreak},
		"paused by a command": {idle, []tasks.Task{{State: tasks.Paused, TaskID: 1, ResumeEpoch: megakernel.HeldEpoch, Flags: uint32(tasks.ReasonCommand) << tasks.ReasonShift}}, []Wait{
			{Kind: ForCommand, Word: "slot.state", Value: uint32(tasks.Paused), Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, Held},
		"output that the host drains": {idle, []tasks.Task{{State: tasks.Paused, TaskID: 1, ResumeEpoch: 6, Flags: uint32(tasks.ReasonOutput) << tasks.ReasonShift}}, []Wait{
			{Kind: ForOutput, Word: "control.epoch", Value: 5, Needs: "at least 6, when the host has drained the output", Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, OutFull},
		"an unknown reason": {idle, []tasks.Task{{State: tasks.Paused, TaskID: 1, ResumeEpoch: 6, Flags: tasks.ReasonMask}}, []Wait{
			{Kind: ForEpoch, Word: "control.epoch", Value: 5, Needs: "at least 6", Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, AwaitsEpoch},
		"an epoch that has come": {idle, []tasks.Task{waiting(1, 5)}, []Wait{
			{Kind: ForMissed, Word: "slot.state", Value: uint32(tasks.Paused), Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, Unclaimed},
		"a tenant that may not run": {idle, []tasks.Task{{State: tasks.Yielded, TaskID: 1, Tenant: 4}}, []Wait{
			{Kind: ForTenant, Word: "control.tenant_mask[4]", Needs: "nonzero", Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, Masked},
		"workers that are all paused": {paused, []tasks.Task{{State: tasks.Ready, TaskID: 1}}, []Wait{
			{Kind: ForWorkers, Word: "workers.state", Value: uint32(megakernel.WorkerPaused), Count: 1, Slots: []int{0}, Tasks: []uint32{1}},
		}, true, AllPaused},
		"a cycle of parents": {idle, []tasks.Task{
			{State: tasks.Ready, TaskID: 1, ParentTaskID: 2}, {State: tasks.Ready, TaskID: 2, ParentTaskID: 1}, {State: tasks.Ready, TaskID: 3, ParentTaskID: 1},
			{State: tasks.Done, TaskID: 4, ParentTaskID: 4},
		}, []Wait{
			{Kind: ForItself, Word: "slot.parent_task_id", Value: 2, Count: 2, Slots: []int{0, 1}, Tasks: []uint32{1, 2}},
		}, false, Unclaimed},
		"its own turn":    {idle, []tasks.Task{{State: tasks.Ready, TaskID: 1}, {State: tasks.Running, TaskID: 2}}, nil, false, Unclaimed},
		"nothing at all":  {idle, []tasks.Task{{}, {State: tasks.Done, TaskID: 1}, {State: tasks.Faulted, TaskID: 2}}, nil, false, Idle},
		"an unknown word": {idle, []tasks.Task{{State: 77, TaskID: 1}}, nil, false, Idle},
	} {
		r := Explain(scene(time.Second, 5, 3, tt.workers, tt.list...), scene(0, 5, 3, tt.workers, tt.list...))
		ignore := cmpopts.IgnoreFields(Wait{}, "Needs")
		if len(tt.want) > 0 && tt.want[0].Needs != "" {
			ignore = cmp.Options{}
		}
		if diff := cmp.Diff(tt.want, r.Waits, ignore, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: waits (-want +got):\n%s", name, diff)
		}
		if r.Stuck != tt.stuck || r.Kind != tt.kind || r.Stalled != r.Kind.Bad() {
			t.Errorf("%s: stuck %v, stalled %v, %s", name, r.Stuck, r.Stalled, r.Kind)
		}
	}
}

// TestBetweenTwoSlicesNobodyIsGone: a target that was looked at between two slices was said to be stuck, and its tasks to
// wait for workers.
func TestBetweenTwoSlicesNobodyIsGone(t *testing.T) {
	absent, idle := [][]uint32{worker(megakernel.WorkerAbsent)}, [][]uint32{worker(megakernel.WorkerIdle)}
	ready := tasks.Task{State: tasks.Ready, TaskID: 1}
	for name, tt := range map[string]struct {
		phase  megakernel.Phase
		before [][]uint32
		slice  uint32 // since before
		stuck  bool
	}{
		"it has just ended":         {megakernel.PhaseResident, idle, 0, false},
		"others were between":       {megakernel.PhaseResident, absent, 3, false},
		"none has begun all along":  {megakernel.PhaseResident, absent, 0, true},
		"none will begin by itself": {megakernel.PhaseStopped, idle, 3, true},
	} {
		before, now := scene(0, 0, 0, tt.before, ready), scene(time.Second, 0, 0, absent, ready)
		now.Slice, now.Phase = before.Slice+tt.slice, tt.phase
		r := Explain(now, before)
		if waits := len(r.Waits) > 0; r.Stuck != tt.stuck || waits != tt.stuck {
			t.Errorf("%s: stuck %v, waits %+v", name, r.Stuck, r.Waits)
		}
	}
}

func TestAStarvedPriority(t *testing.T) {
	idle := [][]uint32{worker(megakernel.WorkerIdle)}
	list := []tasks.Task{{State: tasks.Ready, TaskID: 1, Priority: tasks.Low}, {State: tasks.Ready, TaskID: 2, Priority: tasks.High}}
	now, before := scene(time.Second, 0, 0, idle, list...), scene(0, 0, 0, idle, list...)
	now.Served[tasks.High] = 4
	r := Explain(now, before)
	if c := r.Culprit(); c == nil || c.Kind != ForTurn || c.Tasks[0] != 1 || c.Word != "control.priority_served[3]" {
		t.Errorf("culprit is %+v", c)
	}
	now.Served[tasks.High] = 0
	if c := Explain(now, before).Culprit(); c != nil {
		t.Errorf("where no priority is served the culprit is %+v", c)
	}
}

func TestProgressIsNoStall(t *testing.T) {
	list := []tasks.Task{{State: tasks.Ready, TaskID: 1}}
	r := Explain(scene(time.Second, 0, 4, nil, list...), scene(0, 0, 3, nil, list...))
	if r.Stalled || r.Stuck || r.Done != 1 || r.Window != time.Second {
		t.Errorf("report is %+v", r)
	}
	if r := Explain(scene(0, 0, 4, nil, list...), nil); r.Stalled || r.Stuck || r.Window != 0 {
		t.Errorf("one snapshot gives %+v", r)
	}
}

// TestAnyWordsAreExplained: a broken kernel may have written anything.
func TestAnyWordsAreExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := func(name string, n int) []uint32 {
			return rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 9), rapid.Uint32()), n, n).Draw(t, name)
		}
		make := func(name string) *megakernel.Snapshot {
			slots := rapid.IntRange(0, 4).Draw(t, name+" slots")
			return &megakernel.Snapshot{
				Workers: rapid.IntRange(-1, 4).Draw(t, name+" workers"), Taken: time.Second,
				Control: words(name+" control", rapid.SampledFrom([]int{0, 160}).Draw(t, "words")),
				Slots:   words(name+" ring", slots*tasks.SlotWords), WorkerTable: words(name+" table", megakernel.WorkerWords),
			}
		}
		r := Explain(make("now"), make("before"))
		if r.Stuck && r.Depth == 0 || r.Stalled && r.Done > 0 {
			t.Errorf("report contradicts itself: %+v", r)
		}
		for _, w := range r.Waits {
			if w.Count < len(w.Slots) || len(w.Slots) != len(w.Tasks) || len(w.Slots) == 0 {
				t.Errorf("wait %+v", w)
			}
		}
	})
}

// TestAnIdleWorkerOfAHealthyTargetDoesNotSpin: of a target at work, a worker that claimed nothing between two snapshots
// was said to spin.
func TestAnIdleWorkerOfAHealthyTargetDoesNotSpin(t *testing.T) {
	idle := worker(megakernel.WorkerIdle)
	busy := worker(megakernel.WorkerIdle, counter(megakernel.CountDone), 1)
	ready := tasks.Task{State: tasks.Ready, TaskID: 1}
	before := scene(0, 0, 0, [][]uint32{idle, idle}, ready)
	r := Explain(scene(time.Second, 0, 1, [][]uint32{idle, busy}, ready), before)
	if r.Kind != Working || r.Workers[0].Verdict != Waiting {
		t.Errorf("%s, worker 0 %s: %s", r.Kind, r.Workers[0].Verdict, r.Workers[0].Why)
	}
}
