package megakernel

import (
	"slices"
	"time"

	"vyretop/engine/vitals"
	"vyretop/tasks"
)

// Phase says what a target is doing as a whole.
type Phase uint8

// The phases of a target.
const (
	PhaseStarting Phase = iota
	PhaseResident       // a slice is running
	PhaseParked         // no slice is running because there is nothing to do; a publish starts one
	PhaseDraining       // runs what is queued and takes nothing new
	PhaseStopped        // ended in order
	PhaseLost           // the device was lost
	numPhases
)

var phaseNames = [numPhases]string{"starting", "resident", "parked", "draining", "stopped", "lost"}

// String names the phase.
func (p Phase) String() string {
	if p < numPhases {
		return phaseNames[p]
	}
	return "unknown"
}

// Snapshot is what the host read of a target at one time. It is immutable once published:
// readers share it. Word slices are copies of device memory and may hold anything a broken kernel
// wrote.
type Snapshot struct {
	Seq      uint64        // number of this snapshot, from 1
	Taken    time.Duration // since the target was launched, by the host's monotonic clock
	CopyTime time.Duration // how long reading took
	// Consistent is true when the words are of one point in time: no activation ended while they were read, of
	// which TornBy counts those that did, and the device had brought its mirror of the slots up to date.
	Consistent bool
	TornBy     uint32

	Phase     Phase
	Slice     uint32 // number of the newest slice
	Workers   int    // workers of that slice
	Lanes     int    // lanes each may fill
	Workgroup int    // lanes each is compiled for; 0 where it is not known
	Submitted uint64 // tasks given to the target so far, including those it has not taken yet

	Control     []uint32 // words of the control buffer
	Slots       []uint32 // words of the ring, SlotWords a slot
	WorkerTable []uint32 // words of the worker table, WorkerWords a worker
	Counters    [NumCounters]uint64
	InboxTaken  uint32 // inbox entries the device has taken
	Completions uint32 // completions reserved so far
	LogCursor   uint32 // records reserved so far
	Logging     Logging
	LogLost     uint64 // records the reader lost so far,
	// LogLostKinds is those by kind; while the kernel runs, what was lost lately may not be in it yet.
	LogLostKinds [NumEvents]uint64
	InFlight     uint64 // log records reserved and not yet written
	Served       [tasks.NumPriorities]uint64
	Progress     Progress // the zero value where it is not known
	// Compiling is the kernel variant that is being compiled beside the run for another workgroup size, or for breakpoints
	// that wait for it; the zero value where none is, or the work is done.
	Compiling Compiling
	// Vitals are what the devices of the host reported last, at most a second or so before; nil where nothing did.
	Vitals *vitals.Reading
	// Shares are what each device has done, in the order of Target.Devices; nil for a target with one device.
	Shares []Share
}

// Compiling is a kernel variant that is being compiled while another one runs.
type Compiling struct {
	Workgroup int           `json:"workgroup_size"`    // that it is for
	Elapsed   time.Duration `json:"elapsed_ns"`        // since the compilation began
	Interim   bool          `json:"interim,omitempty"` // the interpreter does the work until it ends
}

// Epoch is the target's epoch, or 0 when the control words are missing.
func (s *Snapshot) Epoch() uint32 {
	if len(s.Control) <= CtrlEpoch {
		return 0
	}
	return s.Control[CtrlEpoch]
}

// Still reports whether nothing but time has passed since another snapshot of the same target.
func (s *Snapshot) Still(before *Snapshot) bool {
	return s.Vitals == before.Vitals && s.Unchanged(before)
}

// Unchanged is Still for the target alone: what the devices report may have changed.
func (s *Snapshot) Unchanged(before *Snapshot) bool {
	return s.Phase == before.Phase && s.Slice == before.Slice && s.Workers == before.Workers && s.Lanes == before.Lanes && s.Workgroup == before.Workgroup && s.Compiling == before.Compiling &&
		s.Consistent == before.Consistent && s.TornBy == before.TornBy && s.Submitted == before.Submitted &&
		s.Counters == before.Counters && s.InboxTaken == before.InboxTaken && s.Completions == before.Completions &&
		s.LogCursor == before.LogCursor && s.Logging == before.Logging && s.LogLost == before.LogLost && s.InFlight == before.InFlight && s.Served == before.Served && s.Progress.same(before.Progress) && slices.Equal(s.Shares, before.Shares) &&
		sameWords(s.Control, before.Control) && sameWords(s.WorkerTable, before.WorkerTable) && sameWords(s.Slots, before.Slots)
}

// sameWords is slices.Equal, at once for snapshots that share what has not changed.
func sameWords(a, b []uint32) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// NumSlots is the number of slots read.
func (s *Snapshot) NumSlots() int { return len(s.Slots) / tasks.SlotWords }

// Slot returns the words of slot i.
func (s *Snapshot) Slot(i int) *[tasks.SlotWords]uint32 {
	return (*[tasks.SlotWords]uint32)(s.Slots[i*tasks.SlotWords:][:tasks.SlotWords])
}

// WorkerRecords decodes the worker table, and says from the slots what each worker is at. A table of
// the wrong length gives what whole records it has.
func (s *Snapshot) WorkerRecords() []Worker {
	return s.AppendWorkers(make([]Worker, 0, len(s.WorkerTable)/WorkerWords))
}

// AppendWorkers is WorkerRecords behind dst.
func (s *Snapshot) AppendWorkers(dst []Worker) []Worker {
	for i := range len(s.WorkerTable) / WorkerWords {
		w := decodeWorker(i, s.WorkerTable[i*WorkerWords:][:WorkerWords])
		if slot := w.Slot; slot < uint32(s.NumSlots()) {
			task := s.Slot(int(slot))
			w.TaskID, w.Opcode, w.PC = task[tasks.WordTaskID], task[tasks.WordOpcode], task[tasks.WordContinuationPC]
		}
		dst = append(dst, w)
	}
	return dst
}

// StateCounts counts the slots by state and, for tasks that have not ended, by priority. Index
// NumStates counts unknown state words, index NumPriorities unknown priorities.
func (s *Snapshot) StateCounts() (byState [tasks.NumStates + 1]int, byPriority [tasks.NumPriorities + 1]int) {
	for i := 0; i+tasks.SlotWords <= len(s.Slots); i += tasks.SlotWords {
		state := tasks.State(min(s.Slots[i+tasks.WordState], tasks.NumStates))
		byState[state]++
		if state != tasks.Empty && !state.Terminal() {
			byPriority[min(s.Slots[i+tasks.WordPriority], tasks.NumPriorities)]++
		}
	}
	return byState, byPriority
}

// Target is what does not change while a target lives.
type Target struct {
	Workload      string            `json:"workload"`
	Label         string            `json:"label,omitempty"` // the user's name for the run
	Backend       string            `json:"backend"`
	Renderer      string            `json:"renderer"`
	Driver        string            `json:"driver"`
	MaxWorkers    int               `json:"max_workers"`
	WorkgroupSize int               `json:"workgroup_size"`      // at launch; Snapshot.Workgroup is the one in force
	MaxLanes      int               `json:"max_lanes,omitempty"` // of the largest workgroup that it can switch to; 0: it cannot switch
	Slots         int               `json:"slots"`
	Formats       []string          `json:"formats"` // debugf formats by id
	Opcodes       map[uint32]string `json:"opcodes"` // handler names
	Protocol      int               `json:"protocol"`
	Clock         string            `json:"clock,omitempty"` // what the workers' ticks are; "" where they are not counted
	Started       time.Time         `json:"started"`
	// Buffers are those that no snapshot holds: the workload's own, and others of the protocol. Nil where they are
	// not known, as of recordings of earlier versions.
	Buffers []BufferInfo `json:"buffers,omitempty"`

	Device DeviceFacts `json:"device,omitzero"`
	// Devices are the names of the devices of a target that has several; nil for one. Numbering says which worker, slot and
	// task is of which.
	Devices []string `json:"devices,omitempty"`

	Tuned   *Shape   `json:"tuned,omitempty"`   // that a search has kept for this device and workload; nil: none
	Reloads []Reload `json:"reloads,omitempty"` // of handlers, in their order
	Kernel  []byte   `json:"kernel,omitempty"`  // what the kernel was assembled from, as package kernel packs its Text; nil where it is not known
}

// LaneLimit is how many lanes a worker of the target can have; 0 where it is not known.
func (t *Target) LaneLimit() int { return max(t.WorkgroupSize, t.MaxLanes) }

// DeviceFacts are what of the device the best shape depends on. A zero member is not known.
type DeviceFacts struct {
	VectorWidth  int    `json:"vector_width,omitempty"`  // lanes that one instruction serves; 1: lanes take turns
	ComputeUnits int    `json:"compute_units,omitempty"` // of a GPU
	AtOnce       int    `json:"at_once,omitempty"`       // workgroups that were measured to run at the same time
	Software     bool   `json:"software,omitempty"`      // the host's processors execute the workgroups
	MemoryBytes  uint64 `json:"memory_bytes,omitempty"`  // of the device's own memory
}

// Command asks a running target for something. Unused fields are zero.
type Command struct {
	Op     CommandOp
	Task   uint32 // task id, for task commands
	Slot   uint32 // where the task was last seen
	Worker uint32 // for worker commands
	Arg    uint32 // priority, number of steps, or the word to edit
	// Of an edit: what the word must hold, and what it then gets.
	Expected, Desired uint32
}

// Ack is the answer to a Command.
type Ack struct {
	Command Command
	Result  AckResultCode
	Slot    uint32
	Detail  uint32
	Latency time.Duration // from publishing the command to seeing the answer
}

// Shape is what can be changed on a running target at a slice boundary.
type Shape struct {
	Workers int `json:"workers"`
	Lanes   int `json:"lanes"`
}

// Kinds of host events that say something about the result of a run, or of what was kept of it.
const (
	EventWork               = "work"      // the work has ended, or was cut short; a verification may follow
	EventResult             = "result"    // the work has ended; Text says how much it was, Digest what came of it
	EventVerified           = "verified"  // the result was checked and is right
	EventVerificationFailed = "refuted"   // it is wrong
	EventFaulted            = "fault"     // a task has faulted
	EventNote               = "note"      // a remark of the client that steers the run
	EventUndefined          = "undefined" // the kernel did what GLSL does not define
	EventRecording          = "recording" // a recording begins
	EventRecorded           = "recorded"  // it ends, or its error has ended it
	EventSlowRecording      = "recorder"  // it waits for its disk
	EventWritten            = "out"       // a buffer was written to a file, as --out asks; Text says which
	EventSaved              = "saved"     // a snapshot was saved; Text is its file, or in that file the reason
)

// StopRecording in place of a file ends the recording under way.
const StopRecording = "off"

// NotWritten begins the text of an event of kind "error" that says why a file that --out names has not been written.
const NotWritten = "--out: "

// NotVerifiable begins the text of an event of kind "error" that says why the result cannot be checked.
const NotVerifiable = "verification: "

// HostEvent is something that happened on the host's side of a run and belongs into a recording:
// a command and its answer, a change of shape, a slice boundary, an error.
type HostEvent struct {
	At   time.Duration `json:"at_ns"`
	Kind string        `json:"kind"` // "command", "ack", "retune", "slice", "submit", "error", "phase", and those above
	Text string        `json:"text"`
	// Latency is the time from a command to its answer, on answers.
	Latency time.Duration `json:"latency_ns,omitempty"`
	// Digest is the SHA-256 of a result in hexadecimal, on EventResult; "" for none.
	Digest string `json:"digest,omitempty"`
	// Place is where in the target it happened, on faults and EventUndefined; nil where that is not known.
	Place *Place `json:"place,omitempty"`
}

// Place is where in a target something happened.
type Place struct {
	Task   uint32 `json:"task,omitempty"` // id; 0 where it is not known
	Worker int    `json:"worker"`
	Lane   int    `json:"lane"`
	Opcode uint32 `json:"op,omitempty"`
	// Handler is the name of the opcode, Source the place in a handler's text, as file:line:column.
	Handler string `json:"handler,omitempty"`
	Source  string `json:"source,omitempty"`
	// Index is an index out of range, of an array of Len elements; both are absent for anything else.
	Index *uint32 `json:"index,omitempty"`
	Len   *uint32 `json:"len,omitempty"`
}
