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
//
// # Stops
//
// Breakpoints inside handlers are compiled into the kernel (kernel.Config.Stops), as stops with numbers below
// MaxBreaks. The bits of those that are armed are in the upper half of SettingBreaks. The words of the end of stop n, as
// those of BreakEnd, are StopWords words that end StopWords*n words before the end of the program's place in the inbox, where
// the program of the others does not reach. A hit of a stop is an activation that has reached it at least once.
//
// When an activation that a stop is to hold has ended, KeptWords words of the outbox keep how it began; where they are says
// kernel.KeptAt.
const (
	MaxBreaks      = 16 // places for breakpoints
	BreakSteps     = 16 // steps of a condition, the two of its end included
	BreakStepWords = 2
	BreakWords     = MaxBreaks * BreakSteps * BreakStepWords // in the inbox
	BreakHitWords  = MaxBreaks*MaxWorkers + MaxBreaks        // in the outbox
)

// The events of an activation that a stop can be about, by the names under which commands know them.
const (
	StopFault     = "fault"     // it ends with a fault
	StopSpawn     = "spawn"     // it spawned a task of an opcode
	StopUndefined = "undefined" // it used an index out of range
	StopStatement = "statement" // it came to a breakpoint(CONDITION) statement whose condition holds

	// StopVerification is of the run rather than of an activation: its result failed the verification. No kernel looks for it.
	StopVerification = "verification"
)

// StopEvents lists the events.
var StopEvents = []string{StopFault, StopSpawn, StopStatement, StopUndefined, StopVerification}

// StopWords is the size of the end of a stop.
const StopWords = 4

// Words of an activation's beginning.
const (
	KeptBreak  = 0 // number of the breakpoint that holds the task; 0: none is kept
	KeptWorker = 1 // worker in the low 16 bits, lane in the high 16
	KeptHit    = 2 // number of the hit
	KeptText   = 3 // one more than the number of the text that the activation ran, which the host writes when it is replaced; 0: the one that runs
	KeptOld    = 4 // of a watched value: before
	KeptNew    = 5 // and after
	KeptEpoch  = 6 // when the activation had ended
	KeptSlot   = 8 // the words of the slot
	KeptWords  = 24
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
	BreakEpoch  uint32 = 18 // the epoch
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
		{"BREAK_EPOCH", BreakEpoch}, {"STOP_WORDS", StopWords}, {"KEPT_WORDS", KeptWords},
		{"BREAK_STOP", BreakStop}, {"BREAK_LOG", BreakLog},
	}
}
