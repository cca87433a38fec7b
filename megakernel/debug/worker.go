package debug

import (
	"fmt"

	"vyretop/megakernel"
	"vyretop/megakernel/health"
)

// verdict says what a worker does, and why that is said; earlier is nil where it is not known.
func (v *view) verdict(w, earlier *megakernel.Worker) (Verdict, string) {
	if earlier != nil {
		switch done, gave := w.Done-earlier.Done, w.Yields-earlier.Yields+w.Requeues-earlier.Requeues; {
		case w.Faulted != earlier.Faulted:
			return Faulted, fmt.Sprintf("%d tasks faulted on it", w.Faulted-earlier.Faulted)
		case done > 0:
			return Progressing, fmt.Sprintf("%d tasks ended on it", done)
		case w.Pauses != earlier.Pauses:
			return Progressing, fmt.Sprintf("%d tasks were parked on it", w.Pauses-earlier.Pauses)
		case gave > 0 && v.kind == health.Working:
			return Progressing, fmt.Sprintf("%d activations, and none ended its task", gave)
		case gave > 0 && v.kind == health.RingFull:
			return Waiting, fmt.Sprintf("%d activations, and no slot for what they spawn", gave)
		case gave > 0:
			return Spinning, fmt.Sprintf("%d activations, and none changed its task", gave)
		}
	}
	switch w.State {
	case megakernel.WorkerPaused:
		return Parked, "it is paused"
	case megakernel.WorkerAbsent:
		return Parked, "it is in no slice"
	case megakernel.WorkerRunning:
		return running(w, earlier)
	}
	switch {
	case v.runnable == 0:
		return Parked, "no task is ready"
	case earlier == nil:
		return Unsaid, "one snapshot only"
	case v.kind == health.Working: // of a target at work, the other workers may claim first
		return Waiting, fmt.Sprintf("it found nothing in %d passes, other workers made progress", w.IdlePasses-earlier.IdlePasses)
	case w.IdlePasses == earlier.IdlePasses && w.Heartbeat == earlier.Heartbeat:
		return Spinning, "its heartbeat stands"
	}
	return Spinning, fmt.Sprintf("it found nothing in %d passes, though %d tasks are ready", w.IdlePasses-earlier.IdlePasses, v.runnable)
}

// running is the verdict on a worker that has a task and ended none. Only one that was inside the same activation all
// the time is said to spin: its pass counter stands, while that of a worker that began another activation has moved.
func running(w, earlier *megakernel.Worker) (Verdict, string) {
	switch {
	case earlier == nil:
		return Unsaid, "one snapshot only"
	case w.Activations != earlier.Activations:
		return Progressing, fmt.Sprintf("%d activations", w.Activations-earlier.Activations)
	case w.Slot == earlier.Slot && w.Heartbeat == earlier.Heartbeat:
		return Spinning, "inside one activation all the time"
	}
	return Progressing, "it began an activation"
}
