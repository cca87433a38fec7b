package megakernel

// The inbox is what the host writes: a bell line that one worker polls with one 16-byte read, the
// settings of the slice, a ring of commands, and a ring of new tasks.
//
//	word 0..3     bell: tasks published, commands published, epochs requested, slice to end
//	word 32..63   settings of the next slice (InboxSetting…)
//	word 64..     CommandRing commands of CommandWords words
//	then          the program of the breakpoints (MaxBreaks)
//	then          entries of 16 words (a power of two of them)
//
// The host writes entries first and then, with one store, the counter: that is the release.
const (
	InboxTasks      = 0 // task entries published so far
	InboxCommands   = 1 // commands published so far
	InboxEpochs     = 2 // epoch advances requested so far
	InboxEndSlice   = 3 // number of the newest slice that must end at its next boundary
	InboxSettings   = 32
	InboxRing       = 64
	InboxEntryWords = 16
)

// Words of the settings, from InboxSettings on. They are read once, when a slice starts.
const (
	SettingVersion      = iota // ProtocolVersion
	SettingSlice               // number of this slice, from 1
	SettingWorkers             // workers of this slice
	SettingLanes               // lanes a worker may fill, 1..workgroup size
	SettingIterations          // loop iterations after which a worker leaves the slice
	SettingIdle                // passes without work after which a worker leaves the slice
	SettingActivation          // loop iterations that one activation of a handler may use
	SettingStarvation          // activations that may overtake a waiting priority
	SettingLog                 // bit k: records of kind k (Event) are written
	SettingPasses              // passes of a plan between two looks at everything else; those that run what was just imported count a sixteenth
	SettingZero                // 0
	SettingPassCost            // what the driver counts for a pass of the resident loop,
	SettingPlanCost            // for a plan,
	SettingWaitCost            // for a wait,
	SettingScheduleCost        // for a scheduling pass with all its activations,
	SettingTickCost            // and for an iteration of a handler's loop
	SettingUrgency             // ready set of each priority, four bits each
	SettingAging               // age ticks that make a task more urgent by one; 0: never
	SettingPollers             // one of every N workers looks at the bell between passes; 1 where host memory is near
	SettingBurst               // activations that a task that yields may have in a scheduling pass
	SettingBurstEnd            // loop iterations of handlers that end it
	SettingBreaks              // steps of the program of the breakpoints
	SettingLogEvery            // one in that many passes, a power of two, is logged; less one
	SettingLogOpcodes          // opcodes that the log is restricted to; 0: all are logged
	SettingLogOpcode0          // + i: opcode i; those beyond repeat the first

	// NumSettings is the number of words of settings.
	NumSettings = SettingLogOpcode0 + LogOpcodes
)

// BurstIterations is how many loop iterations of handlers end a burst, fewer where the device limits loops: the
// activation that brings them to that many is its last one.
const BurstIterations = 64

// Masks of SettingLog: what the kernel notes itself, and the messages of handlers.
const (
	LogEvents uint32 = LogAll &^ LogDebugf
	LogDebugf uint32 = 1 << EventNone
)

// CommandRing is the number of commands in flight; CommandWords the size of one.
const (
	CommandRing  = 256
	CommandWords = 8
	InboxBreaks  = InboxRing + CommandRing*CommandWords // word offset of the program of the breakpoints
	InboxEntries = InboxBreaks + BreakWords             // word offset of the first task entry
)

// Words of a command.
const (
	CmdOp = iota
	CmdTaskID
	CmdSlot // where the host last saw the task
	CmdArg0
	CmdExpected // of an edit: what the word must hold,
	CmdWorker
	CmdDesired // and what it then gets
)

// CommandOp says what a command does.
type CommandOp uint32

// The commands. A task command acts on the task with the given id, never on whatever is in a slot.
const (
	OpNone           CommandOp = iota
	OpPauseTask                // park the task until it is resumed
	OpResumeTask               // make a parked task ready
	OpRequeueTask              // put the task back with priority Arg0, counted as a requeue
	OpReprioritize             // change the priority to Arg0 without counting a requeue
	OpPauseWorker              // the worker stops claiming
	OpResumeWorker             //
	OpStepWorker               // a paused worker runs Arg0 activations of one task each, then pauses again
	OpPauseAll                 // every worker stops claiming; acknowledged when the last one has
	OpResumeAll                // also of single workers
	OpReap                     // free the slot of a faulted task
	OpRefreshTenants           // read the tenant masks and quotas again and retry parked tasks
	OpMirror                   // copy the slots to the mirror in the outbox; answered when all have been
	OpEditTask                 // word Arg0 of the task, an operand or its continuation, becomes Desired if it holds Expected
	OpEditControl              // word Arg0 of the control buffer becomes Desired if it holds Expected
	OpEditBuffer               // word Arg of the workload's buffer with binding Slot, in the same way; the host carries it out

	// OpAdvanceEpoch adds Arg to the epoch or, where Arg is 0, advances it to Desired. The host carries it out.
	OpAdvanceEpoch

	// NumCommandOps is the number of commands.
	NumCommandOps
)

var commandNames = [NumCommandOps]string{
	"none", "pause task", "resume task", "requeue task", "reprioritize task", "pause worker",
	"resume worker", "step worker", "pause all", "resume all", "reap task", "refresh tenants", "mirror the slots",
	"edit task", "edit control word", "edit buffer word", "advance the epoch",
}

// String names the command.
func (op CommandOp) String() string {
	if op < NumCommandOps {
		return commandNames[op]
	}
	return "unknown command"
}

// InboxWords is the size of an inbox with the given number of entries, a power of two.
func InboxWords(entries int) int { return InboxEntries + entries*InboxEntryWords }
