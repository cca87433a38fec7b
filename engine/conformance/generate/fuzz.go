package generate

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"vyretop/engine/conformance"
)

// Run compares the backends in one case. It may be called by several goroutines at once.
type Run func(ctx context.Context, c *conformance.Case) (*conformance.Difference, error)

// Outcome is what came of one random kernel: no Difference, or one and the smallest kernel found that
// shows it.
type Outcome struct {
	Number     uint64
	Case       conformance.Case
	Difference *conformance.Difference
}

// shrinkTries bounds the kernels that are run to make one smaller.
const shrinkTries = 1500

// Name is that of a random kernel, from which it can be made again.
func Name(seed, number uint64) string { return fmt.Sprintf("fuzz.%d/%d", seed, number) }

// Fuzz runs the kernels 0 to count-1 of a seed, parallel of them at once, and hands each outcome to
// report, one at a time and in no order. It stops at the first error, which is never a difference.
func Fuzz(ctx context.Context, seed, count uint64, parallel int, run Run, report func(Outcome) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Uint64
	var reporting sync.Mutex
	var all sync.WaitGroup
	for range parallel {
		all.Go(func() {
			for n := next.Add(1) - 1; n < count && ctx.Err() == nil; n = next.Add(1) - 1 {
				o, err := one(ctx, seed, n, run)
				if err == nil {
					reporting.Lock()
					err = report(o)
					reporting.Unlock()
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// one runs one kernel and makes it small when it shows a difference.
func one(ctx context.Context, seed, number uint64, run Run) (Outcome, error) {
	tape := Random(seed, number)
	o := Outcome{Number: number, Case: Kernel(tape)}
	o.Case.Name = Name(seed, number)
	var err error
	if o.Difference, err = run(ctx, &o.Case); err != nil || o.Difference == nil {
		return o, err
	}
	Shrink(tape.Data(), func(c conformance.Case) bool {
		c.Name = o.Case.Name
		d, err := run(ctx, &c)
		if err != nil || d == nil || (d.Field == "") != (o.Difference.Field == "") {
			return false
		}
		o.Case, o.Difference = c, d
		return true
	}, shrinkTries)
	return o, context.Cause(ctx)
}
