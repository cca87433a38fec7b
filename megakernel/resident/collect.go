package resident

import (
	"context"
	"sync/atomic"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// collector reads the completions back. It has the number of the next one, which also says how many there have been.
type collector struct {
	*life

	collectMu lock[leafRank]
	collected atomic.Uint64 // completions, ever
	first     atomic.Int64  // when the first one was read, in nanoseconds of Unix time; 0 before
}

// Poll appends the completions that are there, in order of their numbers, and returns at once.
// Every completion is returned once, to one caller.
func (c *collector) Poll(dst []megakernel.Completion) []megakernel.Completion {
	c.collectMu.Lock()
	defer c.collectMu.Unlock()
	first, outbox, mask := c.kernel.CompletionsAt(), c.outbox, c.kernel.Config.Completions-1 // here, not read again for each
	number := c.collected.Load()
	for {
		at := first + int(number)&mask*megakernel.CompletionWords
		if outbox.Load(at+megakernel.CompletionSeq) != uint32(number)+1 {
			return dst
		}
		dst = append(dst, megakernel.Completion{
			Task:   outbox.Load(at + megakernel.CompletionTask),
			State:  tasks.State(outbox.Load(at + megakernel.CompletionState)),
			Code:   outbox.Load(at + megakernel.CompletionCode),
			Output: outbox.Load(at + megakernel.CompletionOutput),
			Param:  outbox.Load(at + megakernel.CompletionParam),
			Worker: outbox.Load(at + megakernel.CompletionWorker),
		})
		if number++; number == 1 {
			c.first.Store(time.Now().UnixNano())
		}
		c.collected.Store(number)
	}
}

// Collect appends at least one completion, waiting for it if there is none. It fails when the
// session ends first or ctx is done.
func (c *collector) Collect(ctx context.Context, dst []megakernel.Completion) ([]megakernel.Completion, error) {
	before := len(dst)
	for w := (waiter{}); ; w.pause() {
		if dst = c.Poll(dst); len(dst) > before {
			return dst, nil
		}
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		select {
		case <-c.ended:
			if dst = c.Poll(dst); len(dst) > before {
				return dst, nil
			}
			return dst, gone("collect completions", c.Phase(), ErrStopped, c.failure)
		default:
		}
	}
}

// firstDone is when the first completion was read; the zero time before.
func (c *collector) firstDone() time.Time {
	if at := c.first.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// InFlight is how many published tasks have not been collected yet.
func (p *publisher) InFlight() int {
	return int(p.queue.count() - p.collector.collected.Load())
}
