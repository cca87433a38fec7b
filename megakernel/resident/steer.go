package resident

import (
	"context"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// advanceEpoch advances the epoch and waits until the target has it. An epoch that lies behind is an illegal one.
func (cs *commander) advanceEpoch(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	began, ack := time.Now(), megakernel.Ack{Command: c, Result: megakernel.AckApplied}
	if err := cs.usable(c.Op.String()); err != nil {
		return ack, err
	}
	by := c.Arg
	if by == 0 {
		by = c.Desired - cs.Epoch()
	}
	if int32(by) < 0 {
		ack.Result, ack.Detail = megakernel.AckBadArgument, cs.Epoch()
		return ack, nil
	}
	wanted := cs.inbox.Add(megakernel.InboxEpochs, by)
	cs.wakeUp()
	for w := (waiter{}); int32(cs.epochsSeen()-wanted) < 0; w.pause() {
		if err := ctx.Err(); err != nil {
			return ack, unanswered(c, time.Since(began), err)
		}
		if err := cs.Err(); err != nil {
			return ack, gone(c.Op.String(), cs.Phase(), ErrStopped, err)
		}
	}
	ack.Detail, ack.Latency = cs.Epoch(), time.Since(began)
	return ack, nil
}

// editControl writes a word of the control buffer that is not the kernel's own, and reads it back.
func (cs *commander) editControl(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	switch {
	case int(c.Arg) >= len(cs.control):
		return megakernel.Ack{Command: c, Result: megakernel.AckBadArgument}, nil
	case megakernel.CtrlOwner(c.Arg) != "":
		return megakernel.Ack{Command: c, Result: megakernel.AckKept, Detail: cs.control.Load(int(c.Arg))}, nil
	}
	ack, err := cs.send(ctx, c)
	if err != nil || ack.Result != megakernel.AckApplied {
		return ack, err
	}
	if now := cs.control.Load(int(c.Arg)); now != c.Desired {
		ack.Result, ack.Detail = megakernel.AckOverwritten, now
	}
	return ack, nil
}

// resumeAll resumes all workers, then the tasks that breakpoints held before: what one holds after the command stays held.
// Detail says how many tasks those were.
func (v *slotView) resumeAll(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	v.refreshSlots()
	held := heldByBreakpoints(v)
	ack, err := v.commander.send(ctx, c)
	if err != nil || ack.Result != megakernel.AckApplied {
		return ack, err
	}
	resumed, err := megakernel.DoAll(ctx, v.commander.send, held)
	ack.Detail = uint32(resumed)
	return ack, err
}

// heldByBreakpoints are the commands that resume what breakpoints hold, by the slots as they were read last.
func heldByBreakpoints(v *slotView) (list []megakernel.Command) {
	for i := range v.kernel.Config.Slots {
		slot := v.slotWords(i)
		if tasks.State(slot.Load(tasks.WordState)) == tasks.Paused && slot.Load(tasks.WordFlags)&tasks.FlagHalted != 0 {
			list = append(list, megakernel.Command{Op: megakernel.OpResumeTask, Task: slot.Load(tasks.WordTaskID), Slot: uint32(i)})
		}
	}
	return list
}
