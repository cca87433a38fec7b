package command

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Refusal is the error of an answer that is not "applied", nil for one that is. The newest snapshot of the target, which may
// be nil, says in which state the worker or task is.
func Refusal(order string, a *megakernel.Ack, s *megakernel.Snapshot) error {
	if a.Result == megakernel.AckApplied {
		return nil
	}
	e := &fault.Error{Kind: ErrRefused, Subject: order, Detail: a.Result.String(), Fix: "see what there is with vyretop tasks, and vyretop workers"}
	switch a.Result {
	case megakernel.AckBusy:
		e.Fix = "try again when the command before is answered"
		if a.Command.Op == megakernel.OpPauseAll {
			e.Fix = "resume all first: the workers are paused, or about to be"
		}
	case megakernel.AckIllegal, megakernel.AckFinished:
		unfit(e, a, s)
	case megakernel.AckOverwritten:
		e.Detail = fmt.Sprintf("it was written, and holds %d again: something else writes it", a.Detail)
		e.Fix = "pause what writes it"
	case megakernel.AckKept:
		e.Fix = "see vyretop help do for the command that changes it"
	case megakernel.AckBadArgument:
		if a.Command.Op == megakernel.OpAdvanceEpoch {
			e.Detail = fmt.Sprintf("the epoch is %d and cannot go back", a.Detail)
			e.Fix = "use +1, or an epoch above that"
		} else if onWorker(a.Command.Op) && s != nil && int64(a.Command.Worker) >= int64(s.Workers) {
			e.Detail = fmt.Sprintf("there is no worker %d", a.Command.Worker)
			e.Fix = fmt.Sprintf("name one of the workers 0 to %d; vyretop workers lists them", s.Workers-1)
		}
	case megakernel.AckChanged:
		e.Detail = fmt.Sprintf("the value is now %d; not written", a.Detail)
		e.Fix = "try again, or pause what writes it"
	}
	return e
}

func onWorker(op megakernel.CommandOp) bool {
	return op == megakernel.OpPauseWorker || op == megakernel.OpResumeWorker || op == megakernel.OpStepWorker
}

// unfit says in which state a worker or task is that a command does not fit. A snapshot from before a change of state, which
// would contradict the answer, says nothing.
func unfit(e *fault.Error, a *megakernel.Ack, s *megakernel.Snapshot) {
	if a.Command.Op == megakernel.OpStepWorker {
		e.Fix = fmt.Sprintf("pause worker %d first", a.Command.Worker)
		if state, ok := workerState(s, a.Command.Worker); ok && state != megakernel.WorkerPaused {
			e.Detail = fmt.Sprintf("it is %v, and only a paused worker can be stepped", state)
		}
		return
	}
	task := megakernel.TaskName(a.Command.Task)
	state := taskState(s, &a.Command)
	switch op := a.Command.Op; {
	case a.Result == megakernel.AckFinished && state == tasks.Faulted:
		e.Detail, e.Fix = "it has faulted", "see its fault in its details; reap task "+task+" frees its slot"
	case a.Result == megakernel.AckFinished:
	case op == megakernel.OpResumeTask:
		e.Fix = "leave it, it runs in its turn; pause task " + task + " holds it"
		if state != tasks.Empty && state != tasks.Paused {
			e.Detail = fmt.Sprintf("it is %v, and only a paused task can be resumed", state)
		}
	case op == megakernel.OpReap:
		e.Fix = "wait until it ends"
		if state != tasks.Empty && state != tasks.Faulted {
			e.Detail = fmt.Sprintf("it is %v, and only a faulted task can be reaped", state)
		}
	case op == megakernel.OpRequeueTask:
		e.Detail, e.Fix = "it was requeued as often as can be counted", "resume it instead"
	}
}

func workerState(s *megakernel.Snapshot, worker uint32) (state megakernel.WorkerState, ok bool) {
	if s == nil || int64(worker) >= int64(s.Workers) {
		return 0, false
	}
	return s.AppendWorkers(nil)[worker].State, true
}

// taskState is the state of the task of a command, Empty where it is unknown.
func taskState(s *megakernel.Snapshot, c *megakernel.Command) tasks.State {
	if s == nil {
		return tasks.Empty
	}
	slot, ok := s.FindTask(c.Task, int(int32(c.Slot)))
	if !ok {
		return tasks.Empty
	}
	return tasks.State(s.Slot(slot)[tasks.WordState])
}
