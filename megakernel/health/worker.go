package health

import (
	"fmt"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// verdict says what a worker does, and why that is said; earlier is nil where it is not known.
func (v *view) verdict(w, earlier *megakernel.Worker) (Verdict, string) {
	if earlier != nil {
		switch done, gave := w.Done-earlier.Done, w.Yields-earlier.Yields+w.Requeues-earlier.Requeues; {
		case w.Faulted != earlier.Faulted:
			return Faulted, countVerdict(w.Faulted-earlier.Faulted, "task") + " faulted on it"
		case done > 0:
			return Progressing, countVerdict(done, "task") + " ended on it"
		case w.Pauses != earlier.Pauses:
			return Progressing, countVerdict(w.Pauses-earlier.Pauses, "task") + " parked on it"
		case gave > 0 && v.kind == RingFull:
			return Waiting, countVerdict(gave, "activation") + ", and no slot for what they spawn"
		case gave > 0 && v.kind.Bad():
			return Spinning, countVerdict(gave, "activation") + ", and none changed its task"
		case gave > 0:
			return Progressing, countVerdict(gave, "activation") + ", and none ended its task"
		}
	}
	switch w.State {
	case megakernel.WorkerPaused:
		return Parked, "it is paused"
	case megakernel.WorkerAbsent:
		return Parked, v.absent()
	case megakernel.WorkerRunning:
		return running(w, earlier)
	}
	switch {
	case v.runnable == 0:
		return Parked, "no task is ready"
	case earlier == nil:
		return UnknownVerdict, "one snapshot only"
	case v.kind == Working: // of a target at work, the other workers may claim first
		return Waiting, fmt.Sprintf("it found nothing in %d passes, other workers made progress", w.IdlePasses-earlier.IdlePasses)
	case w.IdlePasses == earlier.IdlePasses && w.Heartbeat == earlier.Heartbeat:
		return Spinning, "its heartbeat stands"
	}
	return Spinning, fmt.Sprintf("it found nothing in %d passes, though %d tasks are ready", w.IdlePasses-earlier.IdlePasses, v.runnable)
}

// absent says why a worker is in no slice.
func (v *view) absent() string {
	switch {
	case v.now.Phase == megakernel.PhaseStopped || v.now.Phase == megakernel.PhaseLost:
		return "the kernel has ended"
	case v.now.Phase == megakernel.PhaseParked && v.runnable == 0:
		return "no task is ready, so no slice runs"
	case v.now.Phase == megakernel.PhaseParked:
		return "no slice runs now"
	}
	return "it left the slice: it found nothing to do"
}

// countVerdict is a number of things that a worker counts; its counters wrap.
func countVerdict[N uint32 | uint64](n N, noun string) string { return units.Plural(int(n), noun) }

// running is the verdict on a worker that has a task and ended none. Only one that was inside the same activation all
// the time is said to spin: its pass counter stands, while that of a worker that began another activation has moved.
func running(w, earlier *megakernel.Worker) (Verdict, string) {
	switch {
	case earlier == nil:
		return UnknownVerdict, "one snapshot only"
	case w.Activations != earlier.Activations:
		return Progressing, countVerdict(w.Activations-earlier.Activations, "activation")
	case w.Slot == earlier.Slot && w.Heartbeat == earlier.Heartbeat:
		return Spinning, "inside one activation all the time"
	}
	return Progressing, "it began an activation"
}
