package megakernel

import "vyretop/tasks"

// The outbox is what the device tells the host.
//
//	word 0        task entries consumed from the inbox
//	word 1        commands taken from the inbox (an acknowledgement may come later), at the last publication
//	word 2        completions reserved so far, at the last publication
//	word 3        number of the newest slice that every worker has left
//	word 4        why its last worker left (End…)
//	word 5        non-zero: tasks were ready to run when it ended
//	word 6        epoch requests taken
//	word 8..      counters (Count…), published by the poller and exact at the end of a slice
//	word 64..     CommandRing acknowledgements of AckWords words
//	then          hits of breakpoints (MaxBreaks)
//	then          where there is a mirror of the slots, one word per 32 of them that has another value each
//	              time some of them were copied
//	then          completions of CompletionWords words (a power of two of them)
//	then          the mirror, where slots are in memory that the host does not see (OpMirror)
//	then          how activations began that stops hold (breaks.go)
//	then          where the kernel checks indexes, CheckWords words for each access that it checks
//
// An acknowledgement or completion is valid once its sequence word holds its number + 1; the
// sequence word is written last.
const (
	OutTasksTaken    = 0
	OutCommandsTaken = 1
	OutCompletions   = 2
	OutEndedSlice    = 3
	OutEndReason     = 4
	OutRunnable      = 5
	OutEpochsTaken   = 6
	OutCounters      = 8
	OutboxRing       = 64
	AckWords         = 4
	CompletionWords  = 8
	OutHits          = OutboxRing + CommandRing*AckWords // of breakpoints: MaxBreaks times MaxWorkers counters, then MaxBreaks ids of the tasks of the last ones
	OutStamps        = OutHits + BreakHitWords           // of the mirror
)

// Counters, from OutCounters on. They are totals since launch; at the end of a slice they are exact.
const (
	CountImported    = iota // tasks taken from the inbox
	CountSpawned            // tasks spawned by handlers
	CountDone               // tasks that ended in Done
	CountFaulted            // tasks that ended in Faulted
	CountYields             //
	CountRequeues           //
	CountPauses             //
	CountActivations        //
	CountClaims             // successful batch claims
	CountEmpty              // passes that found nothing
	CountStarved            // claims that served a starved priority
	CountViolations         // slots found in a state they must not have
	CountSpawnFull          // spawns refused for want of a free slot
	CountParked             // tasks put into the parked set
	CountReaped             // slots of faulted tasks freed
	NumCounters
)

// CounterNames are the names of the counters, in order, as tools print them.
var CounterNames = [NumCounters]string{
	"imported", "spawned", "done", "faulted", "yields", "requeues", "pauses", "activations", "claims",
	"empty_passes", "starved", "violations", "spawn_full", "parked", "reaped",
}

// Words of an acknowledgement.
const (
	AckSeq = iota
	AckResult
	AckSlot   // slot the command acted on, or worker
	AckDetail // state of the task before the command; of a step: its last slot plus 1; of an edit: the word before
)

// AckResultCode says how a command ended.
type AckResultCode uint32

// The results of a command.
const (
	AckApplied     AckResultCode = 1 // done
	AckNotFound    AckResultCode = 2 // no live task with that id in that slot
	AckFinished    AckResultCode = 3 // the task ended before the command could act
	AckBusy        AckResultCode = 4 // another command on the same task is under way
	AckIllegal     AckResultCode = 5 // not legal in the task's state
	AckBadArgument AckResultCode = 6 // unknown command, worker, priority or word
	AckChanged     AckResultCode = 7 // the word holds something else than expected
	// AckOverwritten: the word was written, and held something else when the host read it back.
	AckOverwritten AckResultCode = 8
	AckKept        AckResultCode = 9 // the kernel keeps the word itself, an edit would have no effect
)

// String says the result in words.
func (r AckResultCode) String() string {
	names := [...]string{"none", "applied", "not found", "already finished", "busy", "illegal in its state", "bad argument", "changed in between", "overwritten", "kept by the kernel"}
	if int(r) < len(names) {
		return names[r]
	}
	return "unknown result"
}

// CheckWords is the size of what the kernel tells of an access out of range.
const CheckWords = 8

// Words of an access out of range. Those behind CheckTimes are of the first time, and valid once CheckValid is not 0.
const (
	CheckTimes  = iota // at least: the lanes of a worker tell each access once in a slice, or little more often
	CheckIndex         // that was used
	CheckLength        // elements in all
	CheckTask
	CheckOpcode
	CheckWorker // worker in the low 16 bits, lane in the high 16
	CheckValid
)

// Words of a completion.
const (
	CompletionSeq    = iota
	CompletionTask   // task id
	CompletionState  // tasks.Done or tasks.Faulted
	CompletionCode   // continuation_data: the fault code, or what the handler left there
	CompletionOutput // output_handle
	CompletionParam
	CompletionWorker
)

// Reasons for a worker to leave a slice.
const (
	EndAsked      uint32 = 1 // the host asked, or shut the kernel down
	EndIterations uint32 = 2 // the slice's iterations are used up
	EndIdle       uint32 = 3 // no work for SettingIdle passes
	EndService    uint32 = 4 // something is due that only the full kernel does
)

// CompletionsAt is the word of an outbox where the completions begin. stamps is how many words the mirror's
// stamps take, 0 where there is no mirror.
func CompletionsAt(stamps int) int {
	return (OutStamps + stamps + LineWords - 1) / LineWords * LineWords
}

// Completion is a decoded completion record: a published task has ended.
type Completion struct {
	Task   uint32
	State  tasks.State // Done or Faulted
	Code   uint32      // continuation_data: the fault code, or what the handler left there
	Output uint32      // output_handle
	Param  uint32
	Worker uint32
}
