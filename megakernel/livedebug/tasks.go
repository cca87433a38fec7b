package livedebug

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/tasks"
)

// Standing implements attach.Run.
func (r *Run) Standing(ctx context.Context, task string) (*attach.Stop, error) {
	now, err := r.target.Now(ctx)
	if err != nil {
		return nil, err
	}
	if task != "" {
		id, err := megakernel.ParseTaskName(task)
		if err != nil {
			return nil, err
		}
		return r.openTask(ctx, id, attach.Found, nil)
	}
	if stop, err := r.next(ctx, now); stop != nil || err != nil {
		return stop, err // a breakpoint of this debugger that was set in the meantime holds it
	}
	for _, slot := range now.Stopped() {
		w := now.Slot(slot)
		if id := holder(w); id != 0 {
			if _, own, sure := r.ownBreak(id); own || !sure {
				continue // a wait opens it
			}
		}
		return r.openTask(ctx, w[tasks.WordTaskID], attach.Found, nil)
	}
	return nil, nil
}

// openTask captures a task and opens it.
func (r *Run) openTask(ctx context.Context, id uint32, why attach.Why, workers []int) (*attach.Stop, error) {
	c, err := capture.Take(ctx, r.target, r.options(id))
	if err != nil {
		return nil, err
	}
	a, err := r.open(ctx, c)
	if err != nil {
		return nil, err
	}
	r.opened.Store(&opened{task: c.Task, slot: c.Slot, workers: workers})
	a.Why = why
	return &a.Stop, nil
}

// Hold implements attach.Run.
func (r *Run) Hold(ctx context.Context) (_ *attach.Stop, err error) {
	now, err := r.target.Now(ctx)
	if err != nil {
		return nil, err
	}
	var workers []int
	defer func() {
		if err != nil {
			err = errors.Join(err, resumeWorkers(context.WithoutCancel(ctx), r.target, workers))
		}
	}()
	for w, record := range now.WorkerRecords() {
		if w >= now.Workers || record.State == megakernel.WorkerPaused {
			continue
		}
		ack, err := r.target.Do(ctx, megakernel.Command{Op: megakernel.OpPauseWorker, Worker: uint32(w), Slot: megakernel.NoSlot})
		if err != nil {
			return nil, r.gone(ctx, err)
		}
		if ack.Result == megakernel.AckApplied {
			workers = append(workers, w)
		}
	}
	if now, err = r.after(ctx, now); err != nil {
		return nil, err
	}
	for slot := range now.NumSlots() {
		w := now.Slot(slot)
		state := tasks.State(w[tasks.WordState])
		if state == tasks.Empty || state.Terminal() || r.target.Target().Opcodes[w[tasks.WordOpcode]] == "" {
			continue
		}
		stop, err := r.openTask(ctx, w[tasks.WordTaskID], attach.Paused, workers)
		if err == nil || !errors.Is(err, capture.ErrTask) {
			return stop, err
		}
	}
	return nil, &fault.Error{Kind: capture.ErrTask, Subject: r.o.Name, Detail: "no task waits in it that could be opened", Fix: "set a breakpoint on a line of a handler"}
}

// after is a snapshot that is taken from now on.
func (r *Run) after(ctx context.Context, before *megakernel.Snapshot) (*megakernel.Snapshot, error) {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		if now := r.target.Snapshot(); now != nil && now.Taken > before.Taken {
			return now, nil
		}
		if err := changed(ctx, r, again.C); err != nil {
			return nil, err
		}
	}
}

// Release implements attach.Run.
func (r *Run) Release(ctx context.Context) error {
	o := r.opened.Swap(nil)
	if o == nil {
		return nil
	}
	switch {
	case o.result:
		return r.gone(ctx, r.ResumeAll(ctx))
	case len(o.workers) > 0:
		return resumeWorkers(ctx, r.target, o.workers)
	}
	return r.resume(ctx, o.slot, o.task)
}

// workers are those of a run, which may all be paused.
type workers struct{ of Target }

// AllPaused implements attach.Resumer.
func (r workers) AllPaused() bool {
	now := r.of.Snapshot()
	if now == nil || now.Workers == 0 {
		return false
	}
	for w, record := range now.WorkerRecords() {
		if w < now.Workers && record.State != megakernel.WorkerPaused {
			return false
		}
	}
	return true
}

// ResumeAll implements attach.Resumer.
func (r workers) ResumeAll(ctx context.Context) error {
	_, err := r.of.Do(ctx, megakernel.Command{Op: megakernel.OpResumeAll, Slot: megakernel.NoSlot})
	return err
}

func resumeWorkers(ctx context.Context, target Target, list []int) error {
	var failed []error
	for _, w := range list {
		_, err := target.Do(ctx, megakernel.Command{Op: megakernel.OpResumeWorker, Worker: uint32(w), Slot: megakernel.NoSlot})
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// resume resumes a held task. One that does not stand still any longer, because somebody else has resumed it, is not an error.
func (r *Run) resume(ctx context.Context, slot int, task uint32) error {
	var words [tasks.SlotWords]uint32
	if err := r.target.ReadBuffer(ctx, "ring", slot*tasks.SlotWords, words[:]); err != nil {
		return r.gone(ctx, err)
	}
	if words[tasks.WordTaskID] != task {
		return nil
	}
	if tasks.State(words[tasks.WordState]) == tasks.Faulted {
		r.passed[slot] = words // it stays, as a fault is to be looked at
		return nil
	}
	if !megakernel.Held(&words) {
		return nil
	}
	_, err := r.target.Do(ctx, megakernel.Command{Op: megakernel.OpResumeTask, Task: task, Slot: uint32(slot)})
	return r.gone(ctx, err)
}

// leave resumes the task that is open and those that breakpoints of this debugger hold, or leaves them; what was paused for the
// debugger is resumed.
func (r *Run) leave(ctx context.Context, e attach.End) error {
	o := r.opened.Swap(nil)
	var failed []error
	if o != nil {
		failed = append(failed, resumeWorkers(ctx, r.target, o.workers))
	}
	if e == attach.Leave {
		return errors.Join(failed...)
	}
	if o != nil && o.own {
		failed = append(failed, r.resume(ctx, o.slot, o.task))
	}
	failed = append(failed, r.resumeHeld(ctx, -1, func(id int) bool {
		_, own, _ := r.ownBreak(id)
		return own
	}))
	return errors.Join(failed...)
}

// resumeHeld resumes the tasks that breakpoints hold which of chooses, but for the one of a slot; -1 for none.
func (r *Run) resumeHeld(ctx context.Context, except int, of func(id int) bool) error {
	now, err := r.target.Now(ctx)
	if err == nil {
		now, err = r.after(ctx, now)
	}
	if err != nil {
		return r.gone(ctx, err)
	}
	var list []megakernel.Command
	for _, slot := range now.Stopped() {
		if w := now.Slot(slot); megakernel.Held(w) && of(holder(w)) && slot != except {
			list = append(list, megakernel.Command{Op: megakernel.OpResumeTask, Task: w[tasks.WordTaskID], Slot: uint32(slot)})
		}
	}
	if n, err := megakernel.DoAll(ctx, r.target.Do, list); errors.Is(err, context.DeadlineExceeded) {
		return &fault.Error{Kind: capture.ErrTask, Subject: r.o.Name, Detail: fmt.Sprintf("%d of %d tasks that breakpoints held were resumed in time", n, len(list)), Fix: "resume the others with: vyretop do resume all --target " + r.o.Name}
	} else if err != nil {
		return r.gone(ctx, err)
	}
	return nil
}
