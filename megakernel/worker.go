package megakernel

import (
	"fmt"

	"vyretop/tasks"
)

// WorkerWords is the size of a record of the worker table. The record of worker w starts at word
// w*WorkerWords; only worker w writes it, and between two slices the host.
const WorkerWords = 96

// Words of a worker record.
const (
	WkState      = 0  // WorkerState; the device does not write WorkerRunning: WkSlot says that
	WkSlot       = 1  // slot of the task that lane 0 is on, or NoSlot
	WkHeartbeat  = 5  // passes of its loop since launch
	WkLanes      = 6  // lanes filled by the last claim before the last serving
	WkSlices     = 7  // slices it took part in
	WkStepsLeft  = 8  // activations it may still run although paused
	WkLaneSum    = 9  // lanes filled by all claims
	WkIterations = 10 // loop iterations used in this slice
	WkStepSlot   = 11 // slot of the last stepped activation plus one, 0 none
	WkUnit       = 12 // number of the device's unit that it is on, plus one; 0 unknown
	WkTicks      = 13 // time in slices: Target.Clock says what it counts
	WkHandler    = 14 // of that in handlers, and waiting for other lanes of the workgroup to leave theirs
	WkIdle       = 15 // of that looking for something to do
	WkCursor0    = 16 // where its search continues, by priority: 16..20; free slots: 21
	WkCounts     = 32 // its own share of the counters (Count…), brought up to date at each serving
	WkStepBefore = 48 // 16 words of the slot before the last stepped activation
	WkStepAfter  = 64 // and after it
)

// NoSlot marks a worker without a task.
const NoSlot = ^uint32(0)

// WorkerState is word WkState.
type WorkerState uint32

// The states of a worker.
const (
	WorkerAbsent    WorkerState = 0 // has not started yet, or has left a slice after which it is in none
	WorkerIdle      WorkerState = 1 // looks for work
	WorkerRunning   WorkerState = 2 // has a task
	WorkerPaused    WorkerState = 3 // does not claim
	NumWorkerStates             = 4
)

var workerStateNames = [NumWorkerStates]string{"absent", "idle", "running", "paused"}

// String names the state; an unknown word is shown as its number.
func (s WorkerState) String() string {
	if s < NumWorkerStates {
		return workerStateNames[s]
	}
	return fmt.Sprintf("worker-state(%d)", uint32(s))
}

// WorkerStateOf is the state that a record of the worker table tells. A worker says that it runs by
// naming a slot: one store an activation instead of two.
func WorkerStateOf(record []uint32) WorkerState {
	state := WorkerState(record[WkState])
	if state == WorkerIdle && record[WkSlot] != NoSlot {
		return WorkerRunning
	}
	return state
}

// Worker is a decoded record of the worker table.
type Worker struct {
	ID          int
	State       WorkerState
	Slot        uint32 // NoSlot when it has no task
	TaskID      uint32 // these three as the slot has them: only a Snapshot knows them
	Opcode      uint32
	PC          uint32
	Heartbeat   uint32
	Activations uint32
	Done        uint32
	Faulted     uint32
	Yields      uint32
	Requeues    uint32
	Pauses      uint32
	Claims      uint32
	IdlePasses  uint32
	Lanes       uint32
	Slices      uint32
	StepsLeft   uint32
	LaneSum     uint32
	Unit        uint32 // number of the device's unit that it is on, plus one; 0 unknown
	Ticks       uint32 // in slices, as Target.Clock counts; 0 where they are not counted. They wrap.
	Handlers    uint32 // of them in handlers
	Idle        uint32 // of them without work
	Step        *Step  // last stepped activation, or nil
}

// Step is what one stepped activation did to its slot.
type Step struct {
	Slot          uint32
	Before, After [tasks.SlotWords]uint32
}

func decodeWorker(id int, w []uint32) Worker {
	count := func(c int) uint32 { return w[WkCounts+c] }
	r := Worker{
		ID: id, State: WorkerStateOf(w), Slot: w[WkSlot], Heartbeat: w[WkHeartbeat],
		Activations: count(CountActivations), Done: count(CountDone), Faulted: count(CountFaulted),
		Yields: count(CountYields), Requeues: count(CountRequeues), Pauses: count(CountPauses),
		Claims: count(CountClaims), IdlePasses: count(CountEmpty), Lanes: w[WkLanes],
		Slices: w[WkSlices], StepsLeft: w[WkStepsLeft], LaneSum: w[WkLaneSum],
		Unit: w[WkUnit], Ticks: w[WkTicks], Handlers: w[WkHandler], Idle: w[WkIdle],
	}
	if s := w[WkStepSlot]; s != 0 {
		r.Step = &Step{Slot: s - 1}
		copy(r.Step.Before[:], w[WkStepBefore:])
		copy(r.Step.After[:], w[WkStepAfter:])
	}
	return r
}
