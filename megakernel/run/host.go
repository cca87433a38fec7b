package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// host is the running megakernel as a workload sees it.
type host struct {
	session     *resident.Session
	hub         *live.Hub
	completions chan []workload.Completion
	completed   func([]megakernel.Completion) // told of each batch; it does not keep it
	injected    *injected
	inputs      *hostInputs
	writes      bool // the workload tells what it writes
	cancel      context.CancelCauseFunc
	group       sync.WaitGroup
	ctx         context.Context // of the work; its cause tells why it ended early
}

// newHost starts the collection of completions. The returned context ends when ctx does, when stop
// is called, or when the target fails.
func newHost(ctx context.Context, s *resident.Session, r *Run) (*host, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	h := &host{session: s, hub: r.hub, completions: make(chan []workload.Completion), completed: r.recordResults, injected: &r.injected, inputs: &r.inputs, writes: r.inputs.writes, cancel: cancel, ctx: ctx}
	collected := make(chan []workload.Completion)
	h.group.Add(2)
	go h.collect(collected)
	go h.deliver(collected)
	return h, ctx
}

// errWorkEnded is the cause of the work's context after stop.
const errWorkEnded fault.Kind = "the work has ended"

// stop ends the collection and waits for its goroutines.
func (h *host) stop() {
	h.cancel(errWorkEnded)
	h.group.Wait()
	h.completed(h.session.Poll(nil)) // what came after the workload had enough
}

// failure is why the target failed, or nil.
func (h *host) failure() error {
	if cause := context.Cause(h.ctx); errors.Is(cause, errTarget) {
		return errors.Unwrap(cause)
	}
	return nil
}

// errTarget marks the cause of a context that ended because the target did.
const errTarget fault.Kind = "the target ended"

// collect takes completions from the session as they come. A session that ends under the workload
// ends the work.
func (h *host) collect(out chan<- []workload.Completion) {
	defer h.group.Done()
	defer close(out)
	var batch []megakernel.Completion
	for {
		var err error
		batch, err = h.session.Collect(h.ctx, batch[:0])
		if err != nil {
			if h.ctx.Err() == nil {
				h.cancel(&fault.Error{Kind: errTarget, Cause: err})
			}
			return
		}
		h.completed(batch)
		if list := convert(batch); len(list) > 0 {
			out <- list
		}
	}
}

// convert leaves out the tasks that the workload does not know of.
func convert(batch []megakernel.Completion) []workload.Completion {
	out := make([]workload.Completion, 0, len(batch))
	for _, c := range batch {
		if !megakernel.IsInjected(c.Task) {
			out = append(out, workload.Completion{TaskID: c.Task, State: c.State, Code: c.Code, Output: c.Output, Param: c.Param})
		}
	}
	return out
}

// deliver hands completions to the workload without ever holding up the collection: a workload may
// publish, which waits for completions to be collected, before it looks at those that are there.
func (h *host) deliver(in <-chan []workload.Completion) {
	defer h.group.Done()
	var waiting []workload.Completion
	for {
		var out chan<- []workload.Completion
		if len(waiting) > 0 {
			out = h.completions
		}
		select {
		case more, ok := <-in:
			if !ok {
				return
			}
			waiting = append(waiting, more...)
		case out <- waiting:
			waiting = nil
		}
	}
}

// Publish implements workload.Host.
func (h *host) Publish(ctx context.Context, ts []tasks.Task) error {
	if err := withoutInjected(ts); err != nil {
		return err
	}
	if h.writes {
		h.hub.Submitted(ts) // before writes that follow once a task has begun
		return h.session.Publish(ctx, ts)
	}
	err := h.session.Publish(ctx, ts)
	var partial *resident.PublishError
	switch {
	case err == nil:
		h.hub.Submitted(ts)
	case errors.As(err, &partial):
		h.hub.Submitted(ts[:partial.Published])
	}
	return err
}

// Buffer implements workload.Host.
func (h *host) Buffer(name string) engine.Words { return h.session.Buffer(name) }

// Workgroup implements workload.Grouped.
func (h *host) Workgroup() int { return h.session.Workgroup() }

// Wrote implements workload.Host.
func (h *host) Wrote(name string, first, words int) {
	if !h.inputs.recording() || words == 0 {
		return
	}
	copied := make([]uint32, words)
	h.session.Buffer(name).CopyTo(copied, first)
	h.inputs.wrote(name, first, copied)
}

// Epoch implements workload.Host.
func (h *host) Epoch() uint32 { return h.session.Epoch() }

// AdvanceEpoch implements workload.Host.
func (h *host) AdvanceEpoch(ctx context.Context) error {
	h.inputs.states.take(ctx, h.session, waitWorking)
	err := h.session.AdvanceEpoch(ctx)
	if err == nil {
		h.hub.EpochAdvanced()
	}
	return err
}

// Completions implements workload.Host.
func (h *host) Completions() <-chan []workload.Completion { return h.completions }

// Ended implements workload.Host.
func (h *host) Ended() workload.Tally { return h.injected.without(ended(h.session)) }

// ended counts the tasks that a session has ended.
func ended(s *resident.Session) workload.Tally {
	now := s.Summary()
	return workload.NewTally(now.Submitted+now.Counters[megakernel.CountSpawned], now.Counters[megakernel.CountDone], now.Counters[megakernel.CountFaulted])
}

// withoutInjected refuses tasks with ids of those that users add: what they do would not count.
func withoutInjected(ts []tasks.Task) error {
	for i := range ts {
		if id := ts[i].TaskID; megakernel.IsInjected(id) {
			return &fault.Error{
				Kind: resident.ErrTask, Subject: fmt.Sprintf("task %d of the batch (id %d)", i, id),
				Detail: fmt.Sprintf("ids from %d on are for tasks that users add", megakernel.InjectedIDBase), Fix: "use a smaller id, or 0 for the next free one",
			}
		}
	}
	return nil
}
