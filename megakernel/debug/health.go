package debug

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Kind is the verdict on a target in one word.
type Kind string

// The kinds of Health, in the order in which they are looked for once nothing moves.
const (
	Working     Kind = "working"    // something changed within the window
	Unknown     Kind = "unknown"    // tasks may run; one snapshot does not tell whether they do
	Finished    Kind = "finished"   // it has ended its tasks, and no more will come
	Idle        Kind = "idle"       // it has no task
	Stopped     Kind = "stopped"    // it has ended, and tasks are left
	Lost        Kind = "lost"       // its device was lost
	AtBreak     Kind = "breakpoint" // a breakpoint holds tasks
	Held        Kind = "held"       // a command has paused tasks
	AllPaused   Kind = "paused"     // every worker is paused
	RingFull    Kind = "ring-full"  // tasks spawn, and no slot is free
	AwaitsIO    Kind = "io"         // the host has not answered a request
	OutFull     Kind = "output"     // the host has not drained a buffer that is full
	InHandler   Kind = "handler"    // a worker is inside one activation
	Spins       Kind = "spinning"   // activations change nothing
	OverQuota   Kind = "quota"      // a tenant waits for its next quota
	Masked      Kind = "tenant"     // a tenant may not run
	NoInput     Kind = "input"      // the host has not provided data
	AwaitsEpoch Kind = "epoch"      // nobody advances the epoch
	AwaitsOrder Kind = "command"    // tasks wait for a command, and none has paused them
	Unclaimed   Kind = "unclaimed"  // tasks may run, and no worker claims them
)

// Kinds are all verdicts.
var Kinds = []Kind{
	Working, Unknown, Finished, Idle, Stopped, Lost, AtBreak, Held, AllPaused, RingFull, AwaitsIO, OutFull, InHandler, Spins,
	OverQuota, Masked, NoInput, AwaitsEpoch, AwaitsOrder, Unclaimed,
}

// Health is what is true of a target as a whole.
type Health struct {
	Kind Kind
	// Stalled: there is work, nothing of it moved within the window, and nobody asked for that.
	Stalled bool
	Window  time.Duration // between the snapshots; 0 where there is one only
	Depth   int           // tasks in the ring that have not ended
	Tasks   int           // of them, those that the verdict is about
	Queued  uint64        // published tasks that no slot has yet
	Faulted int           // slots that faulted tasks hold

	Done        uint64 // tasks that ended in order within the window
	Activations uint64 // within the window
	Worker      int    // of InHandler
	Task        uint32 // of InHandler: the task, of others the first one
	Breaks      uint32 // of AtBreak: bit n-1 is set for breakpoint n
	Tenants     uint32 // of OverQuota and Masked: bit t is set for tenant t
	Epoch       uint32
	Needs       uint32 // of AwaitsEpoch: the nearest epoch that a task waits for
	Progress    megakernel.Progress
}

// Judge says what is true of a target, from the newer of two snapshots and an earlier one, which may be nil.
// Everything that calls a target stalled goes by it.
func Judge(now, before *megakernel.Snapshot) Health {
	h := Health{Epoch: now.Epoch(), Progress: now.Progress}
	if before != nil {
		h.Window = max(now.Taken-before.Taken, 0)
		h.Done = growth(doneCount(now), doneCount(before))
		h.Activations = growth(now.Counters[megakernel.CountActivations], before.Counters[megakernel.CountActivations])
	}
	h.Queued = uint64(max(int32(uint32(now.Submitted)-now.Taken32), 0))
	c := count(now)
	h.Depth, h.Faulted = c.depth, c.state[tasks.Faulted]
	switch {
	case now.Phase == megakernel.PhaseLost:
		h.Kind = Lost
	case now.Phase == megakernel.PhaseStopped && (c.depth > 0 || h.Queued > 0):
		h.Kind, h.Tasks = Stopped, c.depth
	case c.depth == 0 && h.Queued == 0:
		h.Kind = Idle
		if now.Phase == megakernel.PhaseStopped || now.Progress.Total > 0 && now.Progress.Done >= now.Progress.Total {
			h.Kind = Finished
		}
	case before != nil && moved(now, before):
		h.Kind = Working
	default:
		h.blame(now, before, &c)
	}
	return h
}

// moved reports whether anything changed that brings the target forward: tasks came, ended or changed the words
// that their handlers work on, or the workload itself says so.
func moved(now, before *megakernel.Snapshot) bool {
	for _, i := range [...]int{megakernel.CountImported, megakernel.CountSpawned, megakernel.CountDone, megakernel.CountFaulted, megakernel.CountReaped} {
		if now.Counters[i] > before.Counters[i] {
			return true
		}
	}
	if doneCount(now) > doneCount(before) || now.Progress.Done != before.Progress.Done || now.NumSlots() != before.NumSlots() {
		return true
	}
	for i := range now.NumSlots() {
		if n, b := now.Slot(i), before.Slot(i); n != b && worked(n) != worked(b) {
			return true
		}
	}
	return false
}

// worked are the words of a task that its handler works on, and which task it is; nothing for one that has ended.
func worked(w *[tasks.SlotWords]uint32) (out [7]uint32) {
	if s := tasks.State(w[tasks.WordState]); s == tasks.Empty || s.Terminal() {
		return out
	}
	copy(out[:], w[tasks.WordInputHandle:tasks.WordContinuationData+1])
	out[5], out[6] = w[tasks.WordTaskID], w[tasks.WordOpcode]
	return out
}

// tally is the tasks of a snapshot by what they wait for.
type tally struct {
	state    [tasks.NumStates]int
	depth    int
	runnable int // those that a worker may claim
	first    uint32
	byBreak  int
	breaks   uint32
	byHand   int
	order    int // those that only a command resumes, although none has paused them
	io       int
	output   int
	input    int
	epoch    int
	needs    uint32 // the nearest epoch
	masked   int
	quota    int
	tenants  [2]uint32 // masked ones, and those that wait for their quota
}

func count(s *megakernel.Snapshot) (c tally) {
	for i := range s.NumSlots() {
		w := s.Slot(i)
		state := tasks.State(w[tasks.WordState])
		if state >= tasks.NumStates {
			continue
		}
		c.state[state]++
		switch {
		case state == tasks.Empty || state.Terminal():
			continue
		case state == tasks.Paused:
			c.paused(s, w)
		case state.Schedulable():
			c.waiting(s, w)
		}
		if c.depth == 0 {
			c.first = w[tasks.WordTaskID]
		}
		c.depth++
	}
	return c
}

func (c *tally) paused(s *megakernel.Snapshot, w *[tasks.SlotWords]uint32) {
	t := tasks.FromWords(w)
	switch {
	case t.ResumeEpoch == megakernel.HeldEpoch && t.Flags&tasks.FlagHalted != 0:
		c.byBreak++
		if n := t.Breakpoint(); n >= 1 && n <= megakernel.MaxBreaks {
			c.breaks |= 1 << (n - 1)
		}
	case t.ResumeEpoch == megakernel.HeldEpoch && t.Reason() == tasks.ReasonCommand:
		c.byHand++
	case t.ResumeEpoch == megakernel.HeldEpoch:
		c.order++
	case t.Reason() == tasks.ReasonIO:
		c.io++
	case t.Reason() == tasks.ReasonOutput:
		c.output++
	case t.Reason() == tasks.ReasonInput:
		c.input++
	case reached(s.Epoch(), t.ResumeEpoch):
		c.runnable++
	default:
		if c.epoch == 0 || int32(t.ResumeEpoch-c.needs) < 0 {
			c.needs = t.ResumeEpoch
		}
		c.epoch++
	}
}

func (c *tally) waiting(s *megakernel.Snapshot, w *[tasks.SlotWords]uint32) {
	tenant := w[tasks.WordTenant]
	switch {
	case isMasked(s, tenant):
		c.masked++
		c.tenants[0] |= 1 << tenant
	case waitsForQuota(s, tenant):
		c.quota++
		c.tenants[1] |= 1 << tenant
	default:
		c.runnable++
	}
}

func isMasked(s *megakernel.Snapshot, tenant uint32) bool {
	mask := megakernel.CtrlTenantMask0 + int(tenant)
	return tenant < megakernel.Tenants && mask < len(s.Control) && s.Control[mask] == 0
}

func waitsForQuota(s *megakernel.Snapshot, tenant uint32) bool {
	return tenant < megakernel.Tenants && len(s.Control) > megakernel.CtrlQuotaWaits && s.Control[megakernel.CtrlQuotaWaits]>>tenant&1 != 0
}

// blame finds what keeps a target from moving that has work. What somebody asked for comes first, then what only
// the host can change, then what workers do.
func (h *Health) blame(now, before *megakernel.Snapshot, c *tally) {
	h.Task, h.Breaks = c.first, c.breaks
	one := before == nil
	paused, at := workers(now, before)
	because := func(k Kind, n int) { h.Kind, h.Tasks, h.Stalled = k, n, k.Bad() }
	switch {
	case c.byBreak > 0:
		because(AtBreak, c.byBreak)
	case paused:
		because(AllPaused, c.depth)
	case c.byHand > 0:
		because(Held, c.byHand)
	case one && (c.runnable > 0 || c.state[tasks.Running] > 0 || c.depth == 0):
		because(Unknown, c.depth)
	case !one && refused(now, before) && c.state[tasks.Empty]+c.state[tasks.Done] == 0:
		because(RingFull, c.runnable+c.state[tasks.Running])
	case c.io > 0:
		because(AwaitsIO, c.io)
	case c.output > 0:
		because(OutFull, c.output)
	case at != nil:
		because(InHandler, 1)
		h.Worker, h.Task = at.ID, at.TaskID
	case h.Activations > 0:
		because(Spins, c.runnable+c.state[tasks.Running])
	case c.quota > 0:
		because(OverQuota, c.quota)
		h.Tenants = c.tenants[1]
	case c.masked > 0:
		because(Masked, c.masked)
		h.Tenants = c.tenants[0]
	case c.input > 0:
		because(NoInput, c.input)
	case c.epoch > 0 && c.runnable == 0:
		because(AwaitsEpoch, c.epoch)
		h.Needs = c.needs
	case c.order > 0 && c.runnable == 0:
		because(AwaitsOrder, c.order)
	default:
		because(Unclaimed, c.depth+int(h.Queued))
	}
}

// Bad reports whether a target of that verdict does not move although nobody asked for that.
func (k Kind) Bad() bool {
	switch k {
	case Working, Unknown, Finished, Idle, Stopped, AtBreak, Held, AllPaused:
		return false
	}
	return true
}

// refused reports whether a handler was refused a slot for a task that it wanted to spawn.
func refused(now, before *megakernel.Snapshot) bool {
	return now.Counters[megakernel.CountSpawnFull] > before.Counters[megakernel.CountSpawnFull]
}

// workers reports whether every worker is paused, and finds one that was inside one activation all the time.
func workers(now, before *megakernel.Snapshot) (paused bool, inside *megakernel.Worker) {
	all := current(now)
	n := 0
	var earlier []megakernel.Worker
	if before != nil {
		earlier = current(before)
	}
	for i := range all {
		w := &all[i]
		if w.State == megakernel.WorkerPaused {
			n++
		}
		if i < len(earlier) && inside == nil && w.State == megakernel.WorkerRunning && sameActivation(w, &earlier[i]) {
			inside = w
		}
	}
	return n > 0 && n == len(all), inside
}

// sameActivation reports whether a worker was at the same task all the time.
func sameActivation(w, earlier *megakernel.Worker) bool {
	return earlier.State == megakernel.WorkerRunning && w.Slot == earlier.Slot && w.Heartbeat == earlier.Heartbeat && w.Activations == earlier.Activations
}

// String says the verdict in a line.
func (h Health) String() string {
	what := h.what()
	if h.Stalled {
		if h.Window > 0 {
			return fmt.Sprintf("stalled: %s; nothing changed within %v", what, h.Window.Round(time.Millisecond))
		}
		return "stalled: " + what
	}
	return what
}

func (h *Health) what() string {
	switch h.Kind {
	case Working:
		return h.working()
	case Unknown:
		return fmt.Sprintf("%s; one snapshot does not tell whether they progress", plural(h.Depth, "task"))
	case Finished:
		return "finished: every task has ended"
	case Idle:
		return "idle: no task waits or runs"
	case Stopped:
		return fmt.Sprintf("stopped: %s left", plural(h.Depth+int(h.Queued), "task"))
	case Lost:
		return "lost: the device was lost"
	case AtBreak:
		return fmt.Sprintf("held by %s: %s", breakpoints(h.Breaks), plural(h.Tasks, "task"))
	case Held:
		return fmt.Sprintf("held: a command has paused %s", plural(h.Tasks, "task"))
	case AllPaused:
		return fmt.Sprintf("paused: all workers are, %s left", plural(h.Tasks, "task"))
	case RingFull:
		return h.ringFull()
	case AwaitsIO:
		return fmt.Sprintf("IO unanswered: %s for the host to answer a read", wait(h.Tasks))
	case OutFull:
		return fmt.Sprintf("output buffer full: %s for the host to drain it", wait(h.Tasks))
	case InHandler:
		return fmt.Sprintf("worker %d is inside one activation of task %d", h.Worker, h.Task)
	case Spins:
		return fmt.Sprintf("spinning: %d activations changed no word of %s", h.Activations, plural(h.Tasks, "task"))
	case OverQuota:
		return fmt.Sprintf("quota: %s for the next quota of %s", wait(h.Tasks), tenants(h.Tenants))
	case Masked:
		return fmt.Sprintf("tenant masked: %s for %s to be allowed", wait(h.Tasks), tenants(h.Tenants))
	case NoInput:
		return fmt.Sprintf("no input: %s for the host to provide data", wait(h.Tasks))
	case AwaitsEpoch:
		return fmt.Sprintf("%s for epoch %d, and the epoch is %d", wait(h.Tasks), h.Needs, h.Epoch)
	case AwaitsOrder:
		return fmt.Sprintf("%s for a command to resume it", wait(h.Tasks))
	}
	return fmt.Sprintf("%s that no worker claims", plural(h.Tasks, "task"))
}

func (h *Health) working() string {
	text := fmt.Sprintf("working: %s, %d ended within %v", plural(h.Depth, "task"), h.Done, h.Window.Round(time.Millisecond))
	if p := h.Progress; p.Total > 0 {
		text += fmt.Sprintf("; %d of %d %s", p.Done, p.Total, p.Unit)
	}
	return text
}

func (h *Health) ringFull() string {
	text := fmt.Sprintf("ring full: %s for a slot", wait(h.Tasks))
	if h.Faulted > 0 {
		text += fmt.Sprintf(", faulted tasks hold %d", h.Faulted)
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// wait says how many tasks wait.
func wait(n int) string {
	if n == 1 {
		return "1 task waits"
	}
	return fmt.Sprintf("%d tasks wait", n)
}

func breakpoints(set uint32) string {
	if set == 0 {
		return "a breakpoint"
	}
	return numbered("breakpoint", set, 1)
}

func tenants(set uint32) string { return numbered("tenant", set, 0) }

// numbered names the members of a set: "tenants 3, 5".
func numbered(what string, set uint32, base int) string {
	if bits.OnesCount32(set) > 1 {
		what += "s"
	}
	sep := " "
	var b strings.Builder
	b.WriteString(what)
	for ; set != 0; set &= set - 1 {
		fmt.Fprintf(&b, "%s%d", sep, bits.TrailingZeros32(set)+base)
		sep = ", "
	}
	return b.String()
}
