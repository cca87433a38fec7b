package health

import (
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
	AwaitsEpoch Kind = "epoch"      // the epoch is not advanced
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
	// Stalled: there is work, nothing of it moved within the window, and no client asked for that.
	Stalled bool
	Window  time.Duration // between the snapshots; 0 where there is one only
	Depth   int           // tasks in the ring that have not ended
	Tasks   int           // of them, those that the verdict is about
	Queued  uint64        // published tasks that no slot has yet
	Faulted int           // slots that faulted tasks hold
	Starve  int           // tasks that may run and were not served within the window, because tasks of other priorities were

	Done        uint64 // tasks that ended in order within the window
	Activations uint64 // within the window
	Worker      int    // of InHandler
	Task        uint32 // of InHandler: the task, of others the first one
	Breaks      uint32 // of AtBreak: bit n-1 is set for breakpoint n
	Tenants     uint32 // of OverQuota and Masked: bit t is set for tenant t
	Epoch       uint32
	Needs       uint32 // of AwaitsEpoch: the nearest epoch that a task waits for
	Progress    megakernel.Progress
	Compiling   megakernel.Compiling // what tasks may wait for before any is in the ring
}

// Judge says what is true of a target, from the newer of two snapshots and an earlier one, which may be nil.
// Everything that calls a target stalled goes by it.
func Judge(now, before *megakernel.Snapshot) Health {
	h := Health{Epoch: now.Epoch(), Progress: now.Progress, Compiling: now.Compiling}
	if before != nil {
		h.Window = max(now.Taken-before.Taken, 0)
		h.Done = grown(ended(now), ended(before))
		h.Activations = grown(now.Counters[megakernel.CountActivations], before.Counters[megakernel.CountActivations])
	}
	h.Queued = uint64(max(int32(uint32(now.Submitted)-now.InboxTaken), 0))
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
		h.Kind, h.Starve = Working, Starving(now, before)
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
	if ended(now) > ended(before) || now.Progress.Done != before.Progress.Done || now.NumSlots() != before.NumSlots() {
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

// Bad reports whether a target of that verdict does not move although no client asked for that.
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

// current are the workers of the newest slice. Raw buffers have none.
func current(s *megakernel.Snapshot) []megakernel.Worker {
	all := s.WorkerRecords()
	return all[:max(0, min(s.Workers, len(all)))]
}

func grown(now, before uint64) uint64 { return now - min(now, before) }

// ended is the number of tasks done by the device's counters, or where they are not known by the control
// buffer.
func ended(s *megakernel.Snapshot) uint64 {
	if n := s.Counters[megakernel.CountDone]; n > 0 || len(s.Control) <= megakernel.CtrlDoneCount {
		return n
	}
	return uint64(s.Control[megakernel.CtrlDoneCount])
}
