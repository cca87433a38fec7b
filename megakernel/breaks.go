package megakernel

// Breakpoints are looked at before each activation, by a kernel that is compiled for that. Their conditions
// are one program for all, which the host writes between two slices from word InboxBreaks of the inbox on,
// and which each worker reads when a slice starts.
//
// The program is SettingBreaks steps of BreakStepWords words: what it does in word 0, a value in word 1. It
// works on a stack of bits. BreakTest compares a word of the task, or something else that BreakWorker and
// above name, with the value and pushes whether the outcome is one of those it accepts; BreakAnd, BreakOr and
// BreakNot do what they say. BreakEnd is the end of a condition: the top of the stack says whether the
// breakpoint is hit, and the stack is empty again. Its value is the hits of its place before it was armed;
// the two words of the step behind it are Every and After of package breakpoint.
//
// Word 0: bits 0..3 the kind, 4..6 the outcomes that a test accepts, or what an end does; 8..12 the word that
// a test looks at, or the place of an end.
//
// Hits are counted in the outbox: MaxWorkers words for each place, by worker, brought up to date at each
// serving of the worker and exact between two slices; and behind these one word for each place, the id of a
// task that hit it lately.
const (
	MaxBreaks      = 16 // places for breakpoints
	BreakSteps     = 16 // steps of a condition, the two of its end included
	BreakStepWords = 2
	BreakWords     = MaxBreaks * BreakSteps * BreakStepWords // in the inbox
	BreakHitWords  = MaxBreaks*MaxWorkers + MaxBreaks        // in the outbox
)

// Kinds of steps.
const (
	BreakTest uint32 = iota
	BreakAnd
	BreakOr
	BreakNot
	BreakEnd
)

// What a test may look at besides the words of the task.
const (
	BreakWorker uint32 = 16 // number of the worker
	BreakSlot   uint32 = 17 // number of the slot
)

// Where the fields of word 0 of a step begin.
const (
	BreakAcceptBit = 4
	BreakFieldBit  = 8
)

// What an end does, from bit BreakAcceptBit on.
const (
	BreakStop uint32 = 1 // hold the task
	BreakLog  uint32 = 2 // write a record of the debug log
)

func breakConstants() []Constant {
	return []Constant{
		{"INBOX_BREAKS", InboxBreaks}, {"SETTING_BREAKS", SettingBreaks}, {"SCHED_BREAKS", SchedBreaks},
		{"MAX_BREAKS", MaxBreaks}, {"BREAK_WORDS", BreakWords},
		{"BREAK_TEST", BreakTest}, {"BREAK_AND", BreakAnd}, {"BREAK_OR", BreakOr}, {"BREAK_NOT", BreakNot}, {"BREAK_END", BreakEnd},
		{"BREAK_WORKER", BreakWorker}, {"BREAK_SLOT", BreakSlot},
		{"BREAK_ACCEPT_BIT", BreakAcceptBit}, {"BREAK_FIELD_BIT", BreakFieldBit},
		{"BREAK_STOP", BreakStop}, {"BREAK_LOG", BreakLog},
	}
}
