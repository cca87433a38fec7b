package megakernel

import (
	"context"
	"sync"
	"sync/atomic"
)

// commandsInFlight is how many commands DoAll gives before it waits for an answer: a target takes them all in one service
// pass, and the rest of CommandRing stays free for other clients.
const commandsInFlight = CommandRing / 8

// DoAll gives commands by do, in order but several at a time, and waits for their answers. It returns how many were
// applied, and the first error of do, after which it gives no further ones.
func DoAll(ctx context.Context, do func(context.Context, Command) (Ack, error), list []Command) (applied int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, answered, done atomic.Int64
	var once sync.Once
	var group sync.WaitGroup
	for range min(commandsInFlight, len(list)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(list)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				ack, failed := do(ctx, list[i])
				if failed != nil {
					once.Do(func() { err = failed; cancel(failed) })
					return
				}
				answered.Add(1)
				if ack.Result == AckApplied {
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	if err == nil && int(answered.Load()) < len(list) { // the context ended between two commands
		err = context.Cause(ctx)
	}
	return int(done.Load()), err
}
