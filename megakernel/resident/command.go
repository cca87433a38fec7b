package resident

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// AnySlot as Command.Slot makes Do look for the task.
const AnySlot = megakernel.NoSlot

// commander writes commands to the running kernel and reads their answers. Commands do not go to the slicer, which waits for
// the end of the slice: workers obey them while it runs. Those who command share a lock.
type commander struct {
	*life

	commandMu lock[commandRank]
	commands  uint32                              // published
	awaited   [megakernel.CommandRing]atomic.Bool // by entry: somebody waits for the answer
	paused    pauseState
}

// Do carries out a command on the running kernel and returns its answer. A command that the kernel
// refused is not an error: Ack.Result says so. A task is found by its id: if it is not in the slot
// where the command says it was last seen, Do looks for it once more.
func (s *Session) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	switch c.Op {
	case megakernel.OpRefreshTenants:
		return s.refreshTenants(ctx, c)
	case megakernel.OpAdvanceEpoch:
		return s.advanceEpoch(ctx, c)
	case megakernel.OpEditControl:
		return s.editControl(ctx, c)
	case megakernel.OpResumeAll:
		return s.resumeAll(ctx, c)
	case megakernel.OpEditBuffer:
		return s.editBuffer(ctx, c)
	}
	if !onTask(c.Op) {
		return s.send(ctx, c)
	}
	if c.Slot == AnySlot {
		var err error
		if c.Slot, err = s.locate(ctx, c); err != nil {
			return megakernel.Ack{Command: c}, err
		}
	}
	ack, err := s.send(ctx, c)
	if err != nil || ack.Result != megakernel.AckNotFound {
		return ack, err
	}
	s.refreshSlots()
	slot := s.findTask(c.Task)
	if slot == c.Slot {
		return ack, nil
	}
	c.Slot = slot
	return s.send(ctx, c)
}

// locate finds the slot of a command's task. One that is not in any slot may still be in the inbox;
// so locate waits until what is there now has been taken out, unless there is no slot for it.
func (v *slotView) locate(ctx context.Context, c megakernel.Command) (uint32, error) {
	published := v.inbox.Load(megakernel.InboxTasks)
	for w := (waiter{}); ; w.pause() {
		taken := int32(v.outbox.Load(megakernel.OutTasksTaken)-published) >= 0 // before the look
		v.refreshSlots()
		if slot := v.findTask(c.Task); slot != AnySlot || taken || !v.importable() || v.Err() != nil {
			return slot, nil
		}
		if err := ctx.Err(); err != nil {
			return AnySlot, unanswered(c, 0, err)
		}
	}
}

func (t *tuning) mostWorkers() uint32 {
	return uint32(t.most.Load())
}

func onTask(op megakernel.CommandOp) bool {
	switch op {
	case megakernel.OpPauseTask, megakernel.OpResumeTask, megakernel.OpRequeueTask, megakernel.OpReprioritize, megakernel.OpReap, megakernel.OpEditTask:
		return true
	}
	return false
}

// findTask returns the slot whose task id is id and whose task has not ended, or failing that any
// slot with that id.
func (v *slotView) findTask(id uint32) uint32 {
	found := AnySlot
	for i := range v.kernel.Config.Slots {
		slot := v.slotWords(i)
		if slot.Load(tasks.WordTaskID) != id {
			continue
		}
		state := tasks.State(slot.Load(tasks.WordState))
		if state != tasks.Empty && !state.Terminal() {
			return uint32(i)
		}
		found = uint32(i)
	}
	return found
}

func (cs *commander) send(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	began := time.Now()
	number, err := cs.post(ctx, c)
	if err != nil {
		return megakernel.Ack{Command: c}, err
	}
	defer cs.awaited[number%megakernel.CommandRing].Store(false)
	at := megakernel.OutboxRing + int(number%megakernel.CommandRing)*megakernel.AckWords
	for w := (waiter{}); cs.outbox.Load(at+megakernel.AckSeq) != number+1; w.pause() {
		if err := ctx.Err(); err != nil {
			return megakernel.Ack{Command: c}, unanswered(c, time.Since(began), err)
		}
		if err := cs.Err(); err != nil {
			return megakernel.Ack{Command: c}, gone(c.Op.String(), cs.Phase(), ErrStopped, err)
		}
	}
	ack := megakernel.Ack{
		Command: c, Latency: time.Since(began),
		Result: megakernel.AckResultCode(cs.outbox.Load(at + megakernel.AckResult)),
		Slot:   cs.outbox.Load(at + megakernel.AckSlot),
		Detail: cs.outbox.Load(at + megakernel.AckDetail),
	}
	cs.paused.note(number, ack)
	cs.wakeUp() // the slicer may have parked because it took the workers for paused
	return ack, nil
}

// unanswered says that a command was not acknowledged before its context ended.
func unanswered(c megakernel.Command, after time.Duration, err error) error {
	return &fault.Error{Kind: ErrUnanswered, Op: c.Op.String(), Detail: fmt.Sprintf("not acknowledged after %v, no boundary was reached", after.Round(time.Microsecond)), Cause: err, Fix: "wait for the running activation to end, or stop the run"}
}

// entryFree reports whether the entry of a command may be written: the command that it had is answered,
// and the caller that gave that has seen the answer or no longer waits for it. The caller holds commandMu.
func (cs *commander) entryFree(number uint32) bool {
	index := number % megakernel.CommandRing
	answer := cs.outbox.Load(megakernel.OutboxRing + int(index)*megakernel.AckWords + megakernel.AckSeq)
	return number < megakernel.CommandRing || answer == number+1-megakernel.CommandRing && !cs.awaited[index].Load()
}

// post writes a command into its ring, waiting until its entry is free. It does not hold the lock while it waits: the slicer
// takes it before a slice, which may be what frees the entry.
func (cs *commander) post(ctx context.Context, c megakernel.Command) (uint32, error) {
	for w := (waiter{}); ; w.pause() {
		if err := cs.usable(c.Op.String()); err != nil {
			return 0, err
		}
		if number, ok := cs.tryPost(c, true); ok {
			cs.wakeIfParked()
			return number, nil
		}
		if err := ctx.Err(); err != nil {
			return 0, unanswered(c, 0, err)
		}
	}
}

// tryPost writes a command if the ring has room now, and says its number. Where a caller waits for the answer, the entry is
// kept until it has seen that.
func (cs *commander) tryPost(c megakernel.Command, awaited bool) (number uint32, ok bool) {
	cs.commandMu.Lock()
	defer cs.commandMu.Unlock()
	if number = cs.commands; !cs.entryFree(number) {
		return 0, false
	}
	index := number % megakernel.CommandRing
	cs.awaited[index].Store(awaited)
	at := megakernel.InboxRing + int(index)*megakernel.CommandWords
	words := [megakernel.CommandWords]uint32{
		megakernel.CmdOp: uint32(c.Op), megakernel.CmdTaskID: c.Task, megakernel.CmdSlot: c.Slot,
		megakernel.CmdArg0: c.Arg, megakernel.CmdWorker: c.Worker,
		megakernel.CmdExpected: c.Expected, megakernel.CmdDesired: c.Desired,
	}
	cs.inbox.CopyFrom(at, words[:])
	cs.commands = number + 1
	cs.inbox.Store(megakernel.InboxCommands, cs.commands)
	return number, true
}

// unanswered reports whether a step, or another command, waits for a worker that had left the slice before it saw the
// command, or did the step.
func (cs *commander) unanswered(step bool) bool {
	cs.commandMu.Lock()
	defer cs.commandMu.Unlock()
	for back := uint32(1); back <= min(cs.commands, megakernel.CommandRing); back++ {
		number := cs.commands - back
		index := int(number % megakernel.CommandRing)
		op := cs.inbox.Load(megakernel.InboxRing + index*megakernel.CommandWords + megakernel.CmdOp)
		answer := cs.outbox.Load(megakernel.OutboxRing + index*megakernel.AckWords + megakernel.AckSeq)
		if answer != number+1 && (megakernel.CommandOp(op) == megakernel.OpStepWorker) == step {
			return true
		}
	}
	return false
}
