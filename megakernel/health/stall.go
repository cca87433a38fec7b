package health

import (
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Report explains a target: its health, and what each worker and each task is about.
type Report struct {
	Health
	// Stuck: there is work, and only the host can let any of it continue, by an epoch or a command. A target
	// that works in epochs is so briefly at the end of each. It can be seen in one snapshot.
	Stuck   bool
	Workers []WorkerReport
	Waits   []Wait // what the verdict is about first, then most tasks
}

// WorkerReport is what a worker is about.
type WorkerReport struct {
	ID      int
	Verdict Verdict
	Slot    uint32 // of its task, megakernel.NoSlot for none
	Task    uint32
	Why     string
}

// Verdict is what a worker does.
type Verdict string

// The verdicts; Unknown is that of a single snapshot on a worker that is not parked.
const (
	Waiting        Verdict = "waiting"
	Progressing    Verdict = "progressing"
	Spinning       Verdict = "spinning"
	Parked         Verdict = "parked"
	Faulted        Verdict = "faulted"
	UnknownVerdict Verdict = "unknown"
)

// Explain examines the newer of two snapshots of a target. Without an earlier one, before is nil.
func Explain(now, before *megakernel.Snapshot) *Report {
	r := &Report{Health: Judge(now, before)}
	v := newView(now, before, r.Kind)
	r.Workers = v.explainWorkers()
	r.Waits = v.explainTasks()
	r.Stuck = r.Depth > 0 && !v.alive
	return r
}

// Culprit is the wait that the verdict is about, or else the one that most tasks share; nil where none waits.
func (r *Report) Culprit() *Wait {
	if len(r.Waits) == 0 {
		return nil
	}
	return &r.Waits[0]
}

// culprits are the kinds of wait that verdicts are about.
var culprits = map[Kind]WaitKind{
	AtBreak: ForBreak, Held: ForCommand, RingFull: ForSlot, AwaitsIO: ForIO, OutFull: ForOutput, OverQuota: ForQuota, Masked: ForTenant,
	NoInput: ForInput, AwaitsEpoch: ForEpoch, AwaitsOrder: ForCommand,
}

// view is two snapshots, decoded as far as an explanation needs them.
type view struct {
	now, before *megakernel.Snapshot // before is nil where there is one only
	kind        Kind                 // of the target as a whole
	workers     []megakernel.Worker
	earlier     []megakernel.Worker // nil without before
	runnable    int                 // tasks that a worker may claim
	claimers    int                 // workers that would claim
	alive       bool                // something may happen without the host
}

func newView(now, before *megakernel.Snapshot, kind Kind) *view {
	v := &view{now: now, before: before, kind: kind, workers: currentSlot(now)}
	if before != nil {
		v.earlier = currentSlot(before)
	}
	for i := range v.workers {
		if s := v.workers[i].State; s == megakernel.WorkerIdle || s == megakernel.WorkerRunning || s == megakernel.WorkerAbsent && v.between(i) {
			v.claimers++
		}
	}
	if now.Phase == megakernel.PhaseParked && v.claimers == 0 && !anyPaused(v.workers) {
		v.claimers = now.Workers // a publish or a command starts them again
	}
	for i := range now.NumSlots() {
		if tasks.State(now.Slot(i)[tasks.WordState]).Schedulable() {
			v.runnable++
		}
	}
	return v
}

// between reports whether a worker that is in no slice will be in the next one, which is about to begin: the target was
// parked until now, or goes from slice to slice, and the worker has not been absent all the time.
func (v *view) between(worker int) bool {
	if v.now.Phase != megakernel.PhaseResident {
		return false
	}
	return v.before == nil || v.now.Slice != v.before.Slice || worker >= len(v.earlier) || v.earlier[worker].State != megakernel.WorkerAbsent
}

// currentSlot are the workers of the newest slice. Raw buffers have none.
func currentSlot(s *megakernel.Snapshot) []megakernel.Worker {
	all := s.WorkerRecords()
	return all[:max(0, min(s.Workers, len(all)))]
}

func anyPaused(workers []megakernel.Worker) bool {
	for i := range workers {
		if workers[i].State == megakernel.WorkerPaused {
			return true
		}
	}
	return false
}

func (v *view) explainWorkers() []WorkerReport {
	out := make([]WorkerReport, len(v.workers))
	for i := range v.workers {
		w := &v.workers[i]
		out[i] = WorkerReport{ID: w.ID, Slot: w.Slot, Task: w.TaskID}
		if w.State != megakernel.WorkerRunning {
			out[i].Slot, out[i].Task = megakernel.NoSlot, 0
		}
		var earlier *megakernel.Worker
		if i < len(v.earlier) {
			earlier = &v.earlier[i]
		}
		out[i].Verdict, out[i].Why = v.verdict(w, earlier)
	}
	return out
}
