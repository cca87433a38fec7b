package scan

import (
	"context"
	"sync"

	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// publisher publishes on a goroutine of its own. Publishing may block until tasks end, tasks may
// wait until matches are drained, and draining is the runner's business: so the runner must never
// block in Publish itself.
type publisher struct {
	batches chan []tasks.Task
	failed  chan error
	running sync.WaitGroup
}

func startPublisher(ctx context.Context, h workload.Host) *publisher {
	p := &publisher{batches: make(chan []tasks.Task), failed: make(chan error, 1)}
	p.running.Go(func() {
		for {
			select {
			case batch := <-p.batches:
				if err := h.Publish(ctx, batch); err != nil {
					p.failed <- err
					return
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return p
}

// offer hands a batch over if the publisher is free.
func (p *publisher) offer(batch []tasks.Task) bool {
	select {
	case p.batches <- batch:
		return true
	default:
		return false
	}
}

// wait returns when the goroutine has ended; its context must be cancelled first.
func (p *publisher) wait() { p.running.Wait() }
