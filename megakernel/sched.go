package megakernel

// The sched buffer is the device's own. Each hot word has a 128-byte line for itself, because
// workers on different compute units would otherwise fight over the line.
//
//	line 0        word 0: lock of the poller; words 1..: what the poller has consumed
//	line 1        what everybody looks at: epoch, call for attention, apex, pending requests, allowed tenants
//	line 2        sweep of the parked set after a new epoch
//	line 3        pause-all and the workers that have paused; those that have started, left; those paused singly
//	line 4..8     activations that overtook a waiting task, one line per priority
//	line 9..12    totals: Count…, activations by opcode below MetricOpcodes, by tenant, by priority
//	line 13       mirroring: 0 or 1 + number of the command, regions begun, regions done, copies of a
//	              region ever, workers that take part
//	line 14       activations that a tenant may have in a round; tenants that the host lets run; whether rounds are kept
//	line 15       records of the debug log reserved so far
//	line 16       activations by tenant when the round began
//	line 17       hits of breakpoints
//	SchedWorker0  WorkerControlWords words per worker
//	then          one request word per slot
//	then          NoteWords words per region, for who copies slots to the host
//	then          the sets
//
// # Sets
//
// A set holds slots: bit b of leaf word i stands for slot 32*i+b. It has a summary of further levels,
// so that finding a member costs four reads for a million slots:
//
//	apex   one word for all sets (SchedApex): bit s = a top word of set s may be non-zero
//	top    MaxRegions/32 words: bit r = mid word r may be non-zero
//	mid    one word per region of 1024 slots: bit j = leaf word j of the region may be non-zero
//	leaf   32 words (one 128-byte line) per region
//
// A setter ORs the leaf; if that was zero it ORs mid; if that was zero it ORs top; likewise apex. A
// taker ANDs the leaf and leaves the summary as it is. Who finds a leaf empty that the summary names
// clears its bit in mid and looks at the leaf again, and sets mid again if the leaf is no longer zero;
// likewise for top and apex. So at rest a non-zero leaf is always found, and in motion a search may
// miss a slot briefly but never waits. A model of this is checked exhaustively at small
// sizes (kernel/model).
//
// Order: for SettingPasses passes at most a worker follows one plan, which is a region of a ready set. Of four
// plans three are for slots of its own (leaves of every region where workers are narrow, whole regions
// where they are wide), the fourth follows a cursor that goes through all slots. So a waiting task of
// the most urgent priority is reached after at most 4*R plans of any one worker that runs, R being the
// regions in use, whatever the others do. While passes are short, a narrow worker goes over from one set to the
// most urgent one that has slots of the leaf it is at, for as long as eight passes from one plan to the next; what
// is more urgent elsewhere waits for these. A starved priority gets its turn at the next serving, so the
// starvation setting is kept to within the passes between two servings. A task that yields keeps its lane for
// SettingBurst activations while these are short, unless somebody calls.
//
// # Notes
//
// Who copies slots for the host copies only leaves with slots that may have changed since he last looked.
// Words of a slot change only while it is in no set. A worker that takes slots out of a set notes their leaf, but
// passes would pay for that: a plan notes its region instead, as long as it lasts and when it has ended. A look
// at a region reads the number of plans, then takes the other two words, and only then reads the sets of
// the leaves that it copies and, last of all, the slots. It copies the leaves that are noted, and if there is or was a plan
// all others that were not asleep when they were last looked at. A leaf is asleep when all its slots are
// in sets from which passes do not take: to get out of these it must be noted. A leaf of which a slot is in
// no set at the look is noted again.
const (
	LineWords = 32

	SchedPollLock      = 0
	SchedTasksTaken    = 1
	SchedCmdsTaken     = 2
	SchedEpochsTaken   = 3
	SchedFreeCursor    = 4
	SchedCompletions   = 5
	SchedSpawnID       = 6 // tasks spawned: the low 31 bits of a spawned task's id
	SchedEndSlice      = 7 // number of the newest slice that must end, forwarded from the bell
	SchedPublishing    = 8 // lock of the worker that publishes the totals
	SchedTasksTold     = 9 // what the host was last told of SchedTasksTaken
	SchedEpoch         = 1 * LineWords
	SchedAttention     = 1*LineWords + 1 // grows with each command and each end of a slice that workers must notice
	SchedApex          = 1*LineWords + 2 // bit s: set s may have slots (ready sets)
	SchedPending       = 1*LineWords + 3 // request words that are not 0
	SchedAllowed       = 1*LineWords + 4 // bit t: tenant t may run
	SchedSweep         = 2 * LineWords   // 0, or 1 + the slot at which the sweep continues
	SchedSwept         = 2*LineWords + 1 // epoch at which the last sweep started
	SchedPauseAll      = 3 * LineWords   // PauseFlag while all are to pause, with the command's low bits and, below 1<<PauseCountBits, the workers that have paused
	SchedExited        = 3*LineWords + 2
	SchedStarted       = 3*LineWords + 4 // workers that have started in this slice
	SchedPauseOwed     = 3*LineWords + 3 // 1 + number of a pause-all that is not answered yet, or 0
	SchedSingled       = 3*LineWords + 5 // 1 + the highest worker that was paused or stepped by itself since all were resumed, or 0
	SchedSkip0         = 4 * LineWords   // + priority*LineWords
	SchedTotals        = 9 * LineWords
	SchedMetrics       = 10 * LineWords
	SchedTenants       = 11 * LineWords
	SchedServed        = 12 * LineWords
	SchedMirror        = 13 * LineWords
	SchedMirrorNext    = 13*LineWords + 1
	SchedMirrorDone    = 13*LineWords + 2
	SchedMirrorStamp   = 13*LineWords + 3
	SchedMirrorHelpers = 13*LineWords + 4
	SchedQuotas        = 14 * LineWords
	SchedPermitted     = 14*LineWords + 29 // bit t: the host lets tenant t run; SchedAllowed leaves out those over their quotas
	SchedMetered       = 14*LineWords + 30 // non-zero: quotas act
	SchedActive        = 14*LineWords + 31 // bit t: tenant t had activations in the last round
	SchedLogCursor     = 15 * LineWords    // log records reserved in the first ring, and behind it in the second
	SchedLogKinds      = 15*LineWords + 8  // + kind: log records reserved; not those of debugf
	SchedRound         = 16 * LineWords
	SchedBreaks        = 17 * LineWords
	SchedWorker0       = 18 * LineWords

	WorkerControlWords = 4
)

// Words of the notes of a region.
const (
	NoteTaken  = 0 // bit j: slots of leaf j were taken out of a set, by others than passes
	NoteRan    = 1 // non-zero: a plan for the region has ended
	NotePlans  = 2 // plans for the region that workers follow
	NoteAsleep = 3 // bit j: leaf j was asleep when it was last mirrored; of the mirror alone

	NoteWords = 4
)

// Words of a worker's control record in sched.
const (
	WcPause   = 0 // non-zero: do not claim
	WcSteps   = 1 // activations to run although paused
	WcRequest = 2 // 1 + number of the command to acknowledge when the pause takes effect, or the steps are done
	WcArrived = 3 // SchedPauseAll without the count, as it was when the worker paused last
)

// The parts of SchedPauseAll. A worker that pauses adds one, and learns from what was there which pause it has
// counted itself to: by then another one may have begun, or none may be left.
const (
	PauseFlag      = 1 << 31
	PauseCountBits = 12
)

// MaxWorkers bounds the workers of a launch.
const MaxWorkers = 2048

// SpawnedIDBase is set in the id of every task that a handler spawned; ids of published tasks are below it.
const SpawnedIDBase uint32 = 1 << 31

// HeldEpoch as resume epoch marks a paused task that no epoch resumes, only a command.
const HeldEpoch = ^uint32(0)

// RegionSlots is the number of slots in a region of a set; MaxSlots what a set can hold.
const (
	RegionSlots = 1024
	MaxRegions  = 1024
	MaxSlots    = RegionSlots * MaxRegions
)

// The sets.
const (
	SetReady0  = 0 // + priority
	SetParked  = 5 // paused until an epoch, or refused by the tenant mask
	SetResting = 6 // held or faulted: only a command takes it out
	SetFree    = 7
	NumSets    = 8
)

// SchedLayout gives the offsets in words that depend on the number of slots.
type SchedLayout struct {
	Slots   int // rounded up to a multiple of 32
	Regions int
	Request int // first request word
	Notes   int // first word of the notes of region 0
	Sets    int // first word of set 0
	Stride  int // words from one set to the next
	Words   int // size of the whole buffer
}

// Offsets inside a set.
const (
	SetTop = 0
	SetMid = MaxRegions / 32 // 32 words of top
)

// NewSchedLayout computes the layout for a number of slots, 1..MaxSlots (not checked here; Config.Validate does).
func NewSchedLayout(slots int) SchedLayout {
	l := SchedLayout{Slots: (slots + 31) / 32 * 32}
	l.Regions = (l.Slots + RegionSlots - 1) / RegionSlots
	l.Request = SchedWorker0 + MaxWorkers*WorkerControlWords
	l.Notes = roundUp(l.Request+l.Slots, LineWords)
	l.Sets = roundUp(l.Notes+l.Regions*NoteWords, LineWords)
	l.Stride = SetMid + roundUp(l.Regions, LineWords) + l.Regions*LineWords
	l.Words = l.Sets + NumSets*l.Stride
	return l
}

// ImportSlots is the number of slots, from 0 on, that tasks of the host may take. The others, an
// eighth of all, are kept for spawned tasks, unless there are only 32 in all.
func (l SchedLayout) ImportSlots() int {
	leaves := l.Slots / 32
	if leaves == 1 {
		return l.Slots
	}
	return (leaves - max(1, leaves/8)) * 32
}

// LeafOffset is the offset of the first leaf word inside a set.
func (l SchedLayout) LeafOffset() int { return SetMid + roundUp(l.Regions, LineWords) }

// Set is the offset of a set in the buffer.
func (l SchedLayout) Set(set int) int { return l.Sets + set*l.Stride }

func roundUp(n, to int) int { return (n + to - 1) / to * to }
