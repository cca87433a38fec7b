package command

import (
	"slices"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/tasks"
)

// Verb is a command.
type Verb struct {
	Name  string
	Usage string
	Help  string
	Words []string // that complete what stands behind it
	read  func(v *Verb, args []string) (Order, error)
}

// Verbs are the commands, in the order of help.
var Verbs = []Verb{
	{"pause", "pause all | worker N | task ID | tasks WHERE", "hold it until it is resumed", subjectWords, readSubject},
	{"resume", "resume all | worker N | task ID | tasks WHERE", "resume it; all: workers, and tasks that breakpoints hold", subjectWords, readSubject},
	{"step", "step worker N [ACTIVATIONS]", "run activations on a paused worker", []string{"worker"}, readStep},
	{"requeue", "requeue task ID PRIORITY | tasks WHERE PRIORITY", "put a task back, counted as a requeue", priorityWords(), readPriority},
	{"reprioritize", "reprioritize task ID PRIORITY", "change the priority of a task", priorityWords(), readPriority},
	{"reap", "reap task ID | tasks WHERE", "free the slot of a faulted task", []string{"task", "tasks"}, readSubject},
	{"epoch", "epoch +N | N", "advance the epoch by N, or to N", []string{"+1"}, readEpoch},
	{"edit", "edit control[N] VALUE | control.NAME VALUE | task ID WORD VALUE", "write a word, if it holds what was seen last", []string{"control[", "control.", "task"}, readEdit},
	{"set", "set workers=4 tenant-quota.3=500", "change settings: " + megakernel.SettingNames(), settingWords(), readSet},
	{"log", "log all | off | done,fault | -yield every=64 op=16,17", "choose what the debug log takes: kinds of records, one in N scheduling passes, opcodes; every=1 logs each activation and makes short ones many times slower, every=auto (or 0) lets the run choose", logWords(), readLog},
	{"retune", "retune workers=N lanes=M | NxM", "change the shape at the next slice boundary", []string{"workers=", "lanes="}, readRetune},
	{"apply", "apply | workers=N lanes=M | NxM", "try the recommended shape or another one, and take it back unless it is faster", []string{"workers=", "lanes="}, readApply},
	{"bp", "bp WHEN [hit>N] [hit%N] [ACTION] | [FILE:]LINE [if EXPR] | watch EXPR | delete N | enable N | disable N", "hold or count tasks that meet a condition", breakpointWords(), readBreak},
	{"break", "break [FILE:]LINE [if EXPR] [hit>N] [hit%N] [ACTION] | fault | undefined | statement | spawn OPCODE | verification | WHEN", "hold tasks; same as bp", placeWords(), readBreak},
	{"watch", "watch EXPR [if CONDITION] [hit>N] [hit%N] [ACTION]", "hold tasks whose activation changes a value of a buffer; CONDITION compares old and value", append([]string{"if", "hit>", "hit%"}, breakpoint.Actions()...), readBreak},
	{"undo", "undo", "undo the last change of settings", nil, readNothing(Undo)},
	{"drain", "drain", "take no new tasks, and wait for those that are there", nil, readNothing(Drain)},
	{"stop", "stop", "end the run; what is queued stays undone", nil, readNothing(Stop)},
	{"note", "note TEXT", "add a remark to the events of the run", nil, readNote},
	{"record", "record [FILE | off]", "start a recording of the run from here on, or end the one under way", []string{megakernel.StopRecording}, readRecord},
	{"reload", "reload", "have the run take its handlers as they are on disk; queues, tasks and breakpoints stay", nil, readNothing(Reload)},
	{"spawn", "spawn OPCODE [INPUT OUTPUT PARAM PC DATA] [priority=P] [tenant=N]", "add a task to the run, with these words", []string{"priority=", "tenant="}, readSpawn},
	{"submit", "submit OPCODE [INPUT OUTPUT PARAM PC DATA] [priority=P] [tenant=N]", "same as spawn", []string{"priority=", "tenant="}, readSpawn},
	{"rerun", "rerun", "end the run, and start it again with the same inputs and breakpoints", nil, readNothing(Rerun)},
	{"wait", "wait DURATION | CONDITION", "wait for a time, or until metrics match a filter, as in stalled=1 for 500ms", nil, readWait},
}

// Find is the verb of a name, or nil.
func Find(name string) *Verb {
	if i := slices.IndexFunc(Verbs, func(v Verb) bool { return v.Name == name }); i >= 0 {
		return &Verbs[i]
	}
	return nil
}

// breakpointWords are the beginnings of conditions, and what else may stand behind bp.
func breakpointWords() []string {
	words := []string{"delete", "enable", "disable", "hit>", "hit%"}
	for _, f := range conditionFields {
		words = append(words, f.name+"=")
	}
	return append(words, breakpoint.Actions()...)
}

// placeWords are what may stand behind break.
func placeWords() []string { return append(slices.Clone(megakernel.StopEvents), breakpointWords()...) }

var subjectWords = []string{"all", "worker", "task", "tasks"}

func priorityWords() []string {
	words := []string{"task", "tasks"}
	for p := range tasks.Priority(tasks.NumPriorities) {
		words = append(words, p.String())
	}
	return words
}

// logWords are the kinds of log records, and what else may stand behind log.
func logWords() []string {
	words := []string{"all", "off", "every=", "op="}
	for e := range megakernel.NumEvents {
		words = append(words, e.String())
	}
	return words
}

// settingWords are the beginnings of settings.
func settingWords() []string {
	var words []string
	for k := range megakernel.NumSettingIDs {
		k := megakernel.SettingID(k)
		if k.Indexes() > 0 {
			words = append(words, k.String()+".")
		} else {
			words = append(words, k.String()+"=")
		}
	}
	return words
}

// ops are what a verb is for all workers, one worker and one task; OpNone where there is no such thing.
var ops = map[string][3]megakernel.CommandOp{
	"pause":        {megakernel.OpPauseAll, megakernel.OpPauseWorker, megakernel.OpPauseTask},
	"resume":       {megakernel.OpResumeAll, megakernel.OpResumeWorker, megakernel.OpResumeTask},
	"step":         {1: megakernel.OpStepWorker},
	"requeue":      {2: megakernel.OpRequeueTask},
	"reprioritize": {2: megakernel.OpReprioritize},
	"reap":         {2: megakernel.OpReap},
}
