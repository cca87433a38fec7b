package infer

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// look is how often Run looks whether all sequences have ended.
const look = time.Millisecond

// Words of the head of the buffer "text", as infer.glsl declares them.
const (
	textEnded = iota
	textProgress
)

// Why a sequence stopped, as infer.glsl numbers it.
const (
	stopLimit = 1 + iota
	stopEnd
	stopContext
	stopInfinite
)

var stops = map[uint32]string{
	stopLimit: "tokens", stopEnd: "end of text", stopContext: "context full", stopInfinite: "logits are not finite",
}

// Run implements workload.Workload.
func (r *Infer) Run(ctx context.Context, h workload.Host) error {
	text, err := r.textOf(h)
	if err != nil {
		return err
	}
	r.text.Store(&text)
	list := make([]tasks.Task, r.plan.batches())
	for i := range list {
		list[i] = r.task(i)
	}
	if err := h.Publish(ctx, list); err != nil {
		return err
	}
	return r.await(ctx, h, len(list))
}

// textOf is the buffer of a host that its texts go to.
func (r *Infer) textOf(h workload.Host) (engine.Words, error) {
	text := h.Buffer("text")
	if len(text) < r.plan.textWords() {
		return nil, protocolError("the host did not map the buffer that infer asked for")
	}
	return text, nil
}

// task begins a batch; its ID is the batch's number plus one.
func (r *Infer) task(batch int) tasks.Task {
	return tasks.Task{State: tasks.Ready, Opcode: r.manifest.Opcodes[0].Number, Priority: tasks.Normal, InputHandle: uint32(batch), TaskID: uint32(batch + 1)}
}

// await returns when the published tasks have ended and all sequences are complete, whichever is later.
func (r *Infer) await(ctx context.Context, h workload.Host, published int) (err error) {
	text := *r.text.Load()
	r.rate, err = follow(ctx, h, text, func(ended int) bool { return ended >= published && text.Load(textEnded) != 0 })
	return err
}

// follow waits until texts are complete, which is asked with the number of published tasks that have ended. It counts the positions
// a second, from the first one on.
func follow(ctx context.Context, h workload.Host, text engine.Words, complete func(ended int) bool) (rate float64, err error) {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	began, first := time.Now(), text.Load(textProgress)
	before := first
	defer func() {
		if s := time.Since(began).Seconds(); s > 0 {
			rate = float64(text.Load(textProgress)-before) / s
		}
	}()
	for ended := 0; !complete(ended); {
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return 0, protocolError("the kernel stopped before all texts were complete")
			}
			if err := check(cs); err != nil {
				return 0, err
			}
			ended += len(cs)
		case <-ticker.C:
			if n := text.Load(textProgress); before == first && n > first {
				began, before = time.Now(), n // the kernel is compiled by now
			}
			if n := h.Ended().Faulted; n > 0 {
				return 0, faulted(fmt.Sprintf("%d faulted, so their batches cannot continue", n))
			}
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
	return 0, nil
}

// check looks for faults of published tasks.
func check(cs []workload.Completion) error {
	for _, c := range cs {
		if c.State != tasks.Done {
			return faulted(fmt.Sprintf("the first task of batch %d: %s", c.TaskID-1, megakernel.FaultCode(c.Code)))
		}
	}
	return nil
}

func faulted(detail string) error {
	return workload.Failure(workload.ErrTaskFaulted, "infer", detail, nil, "look at the debug log of the run")
}

func protocolError(detail string) error {
	return workload.Failure(workload.ErrProtocol, "infer", detail, nil, "run it again with --record and look at the last snapshot")
}

// Progress implements workload.Workload. It counts the tokens that have been read, of prompts and written ones; a sequence
// that stops early is taken for complete at the end.
func (r *Infer) Progress() (done, total int64, unit string) {
	if r.plan == nil {
		return 0, 0, "tokens"
	}
	for _, p := range r.plan.prompts {
		total += int64(min(len(p)-1+r.opt.tokens, r.model.context))
	}
	text := r.text.Load()
	switch {
	case text == nil:
		return 0, total, "tokens"
	case text.Load(textEnded) != 0:
		return total, total, "tokens"
	}
	read := int64(text.Load(textProgress))
	if r.shared != nil {
		read = r.shared.read()
	}
	return min(read, total), total, "tokens"
}
