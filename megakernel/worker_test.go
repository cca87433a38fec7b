package megakernel

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/tasks"
)

// numberedWorkers is a table of two workers; every word of worker 1 has a value of its own.
func numberedWorkers() []uint32 {
	words := make([]uint32, 2*WorkerWords)
	for i := range WorkerWords {
		words[WorkerWords+i] = uint32(1000 + i)
	}
	return words
}

func TestWorkerRecordDecodesEveryWord(t *testing.T) {
	got := (&Snapshot{WorkerTable: numberedWorkers()}).WorkerRecords()
	step := &Step{Slot: 1000 + WkStepSlot - 1}
	for i := range tasks.SlotWords {
		step.Before[i], step.After[i] = uint32(1000+WkStepBefore+i), uint32(1000+WkStepAfter+i)
	}
	count := func(c int) uint32 { return uint32(1000 + WkCounts + c) }
	want := Worker{
		ID: 1, State: 1000, Slot: 1001, Heartbeat: 1005, Lanes: 1006, Slices: 1007,
		StepsLeft: 1008, LaneSum: 1009, Activations: count(CountActivations), Done: count(CountDone), Faulted: count(CountFaulted),
		Yields: count(CountYields), Requeues: count(CountRequeues), Pauses: count(CountPauses), Claims: count(CountClaims),
		IdlePasses: count(CountEmpty), Step: step, Unit: 1012, Ticks: 1013, Handlers: 1014, Idle: 1015,
	}
	if diff := cmp.Diff([]Worker{{}, want}, got); diff != "" {
		t.Errorf("workers (-want +got):\n%s", diff)
	}
}

func TestWorkerTableOfPartialRecords(t *testing.T) {
	words := numberedWorkers()
	s := Snapshot{WorkerTable: words[:len(words)-1]}
	if got := s.WorkerRecords(); len(got) != 1 {
		t.Errorf("a snapshot shows %d workers of one and a half records", len(got))
	}
}

func TestWorkerWordsDoNotOverlap(t *testing.T) {
	singles := []int{
		WkState, WkSlot, WkHeartbeat, WkLanes, WkSlices, WkStepsLeft, WkLaneSum, WkIterations, WkStepSlot,
	}
	spans := []span{
		{"cursors", WkCursor0, tasks.NumPriorities + 1}, {"counts", WkCounts, NumCounters},
		{"before", WkStepBefore, tasks.SlotWords}, {"after", WkStepAfter, tasks.SlotWords}, {"end", WorkerWords, 0},
	}
	if !slices.IsSorted(singles) || len(slices.Compact(slices.Clone(singles))) != len(singles) {
		t.Errorf("words of a record overlap: %v", singles)
	}
	end := singles[len(singles)-1] + 1
	for _, s := range spans {
		if s.from < end {
			t.Errorf("%s start at word %d, before %d", s.name, s.from, end)
		}
		end = s.from + s.size
	}
}

func TestAWorkerThatNamesASlotRuns(t *testing.T) {
	s := Snapshot{WorkerTable: make([]uint32, 4*WorkerWords), Slots: make([]uint32, 3*tasks.SlotWords)}
	task := s.Slot(2)
	task[tasks.WordTaskID], task[tasks.WordOpcode], task[tasks.WordContinuationPC] = 77, 16, 5
	for i, r := range []struct {
		state WorkerState
		slot  uint32
	}{{WorkerIdle, 2}, {WorkerIdle, NoSlot}, {WorkerPaused, 2}, {WorkerIdle, 3}} {
		s.WorkerTable[i*WorkerWords+WkState], s.WorkerTable[i*WorkerWords+WkSlot] = uint32(r.state), r.slot
	}
	want := []Worker{
		{ID: 0, State: WorkerRunning, Slot: 2, TaskID: 77, Opcode: 16, PC: 5},
		{ID: 1, State: WorkerIdle, Slot: NoSlot},
		{ID: 2, State: WorkerPaused, Slot: 2, TaskID: 77, Opcode: 16, PC: 5},
		{ID: 3, State: WorkerRunning, Slot: 3}, // outside the ring
	}
	if diff := cmp.Diff(want, s.WorkerRecords()); diff != "" {
		t.Errorf("workers (-want +got):\n%s", diff)
	}
}

func TestStatesOfAWorkerHaveNames(t *testing.T) {
	for s, want := range []string{"absent", "idle", "running", "paused", "worker-state(4)"} {
		if got := WorkerState(s).String(); got != want {
			t.Errorf("state %d is called %q, want %q", s, got, want)
		}
	}
}
