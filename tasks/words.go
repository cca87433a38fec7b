package tasks

// SlotWords is the size of a slot in words; SlotBytes in bytes.
const (
	SlotWords = 16
	SlotBytes = 4 * SlotWords
)

// Indices of the words of a slot.
const (
	WordState = iota
	WordOpcode
	WordTenant
	WordPriority
	WordInputHandle
	WordOutputHandle
	WordParam
	WordContinuationPC
	WordContinuationData
	WordResumeEpoch
	WordTaskID
	WordParentTaskID
	WordAgeTicks
	WordRequeueCount
	WordYieldCount
	WordFlags
)

// WordArg0 is the first argument word of a plain operation; there are ArgWords of them.
const (
	WordArg0 = 4
	ArgWords = SlotWords - WordArg0
)

// WordNames are the names of the words of a slot, in order, as tools print them.
var WordNames = [SlotWords]string{
	"state", "opcode", "tenant", "priority",
	"input_handle", "output_handle", "param", "continuation_pc",
	"continuation_data", "resume_epoch", "task_id", "parent_task_id",
	"age_ticks", "requeue_count", "yield_count", "flags",
}

// Flags of word 15.
const (
	FlagPaused           uint32 = 1
	FlagYielded          uint32 = 2
	FlagRequeueRequested uint32 = 4
	FlagResumeReady      uint32 = 8
	// FlagNotify is ours: the host wants a completion record when the task ends.
	FlagNotify uint32 = 0x100
	// FlagHalted is ours: a breakpoint has held the activation that comes next back, so no breakpoint looks
	// at it again.
	FlagHalted uint32 = 0x200
	// FlagEnded is ours: with FlagHalted, the breakpoint holds the task behind the activation in which it was hit, whose
	// beginning is kept.
	FlagEnded uint32 = 0x400
	// FlagStop is ours: a breakpoint was hit in the last activation, which pauses until an epoch, and holds the task
	// before the next one. Its number is in StopMask.
	FlagStop uint32 = 0x800
)

// StopMask are the bits of word 15, from StopShift on, with the number of a breakpoint (FlagStop).
const (
	StopShift        = 24
	StopMask  uint32 = 0x1F << StopShift
)

// Bits ReasonShift and above of word 15 are ours: while a task is paused, what it waits for. With FlagHalted
// that is the number of the breakpoint that holds it, otherwise a Reason.
const (
	ReasonShift        = 16
	ReasonMask  uint32 = 0xFF << ReasonShift
)

// Reason says what a paused task waits for.
type Reason uint32

// The reasons.
const (
	ReasonNone    Reason = iota // the handler did not say
	ReasonIO                    // the host is to answer an IO request
	ReasonOutput                // the host is to drain a buffer that is full
	ReasonInput                 // the host is to provide data
	ReasonCommand               // a command has paused it, and another is to resume it
)

// Reason is what a paused task waits for, by its flags.
func (t *Task) Reason() Reason {
	if t.Flags&FlagHalted != 0 {
		return ReasonNone
	}
	return Reason(t.Flags & ReasonMask >> ReasonShift)
}

// Breakpoint is the number of the breakpoint that holds a paused task back, or 0.
func (t *Task) Breakpoint() uint32 {
	if t.State != Paused || t.Flags&FlagHalted == 0 {
		return 0
	}
	return t.Flags & ReasonMask >> ReasonShift
}

// Task is a slot with names. Its fields are in word order.
type Task struct {
	State            State
	Opcode           uint32
	Tenant           uint32
	Priority         Priority
	InputHandle      uint32
	OutputHandle     uint32
	Param            uint32
	ContinuationPC   uint32
	ContinuationData uint32
	ResumeEpoch      uint32
	TaskID           uint32
	ParentTaskID     uint32
	AgeTicks         uint32
	RequeueCount     uint32
	YieldCount       uint32
	Flags            uint32
}

// Words returns the sixteen words of t.
func (t *Task) Words() [SlotWords]uint32 {
	return [SlotWords]uint32{
		uint32(t.State), t.Opcode, t.Tenant, uint32(t.Priority),
		t.InputHandle, t.OutputHandle, t.Param, t.ContinuationPC,
		t.ContinuationData, t.ResumeEpoch, t.TaskID, t.ParentTaskID,
		t.AgeTicks, t.RequeueCount, t.YieldCount, t.Flags,
	}
}

// FromWords gives the sixteen words their names. It accepts any values: an inspector must be able
// to show a slot that a broken kernel wrote. Use Validate before trusting one.
func FromWords(w *[SlotWords]uint32) Task {
	return Task{
		State: State(w[WordState]), Opcode: w[WordOpcode],
		Tenant: w[WordTenant], Priority: Priority(w[WordPriority]),
		InputHandle: w[WordInputHandle], OutputHandle: w[WordOutputHandle], Param: w[WordParam],
		ContinuationPC: w[WordContinuationPC], ContinuationData: w[WordContinuationData],
		ResumeEpoch: w[WordResumeEpoch], TaskID: w[WordTaskID], ParentTaskID: w[WordParentTaskID],
		AgeTicks: w[WordAgeTicks], RequeueCount: w[WordRequeueCount], YieldCount: w[WordYieldCount],
		Flags: w[WordFlags],
	}
}

// Validate checks what every backend relies on: a known state and a known priority.
func (t *Task) Validate() error {
	if _, err := StateFromWord(uint32(t.State)); err != nil {
		return err
	}
	_, err := PriorityFromWord(uint32(t.Priority))
	return err
}
