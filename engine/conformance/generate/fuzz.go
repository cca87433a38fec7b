package generate

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

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

// shrinkTime is how long one kernel is made smaller, at most: what differs may take the device long each time.
const shrinkTime = time.Minute

// Name is that of a random kernel, from which it can be made again.
func Name(seed, number uint64) string { return fmt.Sprintf("fuzz.%d/%d", seed, number) }

// Fuzzer runs the kernels 0 to Count-1 of a seed, Parallel of them at once.
type Fuzzer struct {
	Seed, Count uint64
	Parallel    int
	Run         Run

	Found  func(Outcome)       // gets each difference before its kernel is made smaller; may be nil
	Report func(Outcome) error // gets each outcome, one at a time and in no order
}

// Fuzz runs until all kernels are reported, ctx ends, or something fails, which is never a difference.
func (f *Fuzzer) Fuzz(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Uint64
	var reporting sync.Mutex
	var all sync.WaitGroup
	for range f.Parallel {
		all.Go(func() {
			for n := next.Add(1) - 1; n < f.Count && ctx.Err() == nil; n = next.Add(1) - 1 {
				o, err := f.one(ctx, n)
				if err == nil {
					reporting.Lock()
					err = f.Report(o)
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
func (f *Fuzzer) one(ctx context.Context, number uint64) (Outcome, error) {
	tape := Random(f.Seed, number)
	o := Outcome{Number: number, Case: Kernel(tape)}
	o.Case.Name = Name(f.Seed, number)
	var err error
	if o.Difference, err = f.Run(ctx, &o.Case); err != nil || o.Difference == nil {
		return o, err
	}
	if o.Difference.Lacks != "" {
		o.Difference = nil
		return o, nil
	}
	if f.Found != nil {
		f.Found(o)
	}
	f.shrink(ctx, tape.Data(), &o)
	return o, context.Cause(ctx)
}

// shrink replaces an outcome by that of the smallest kernel it finds in its time.
func (f *Fuzzer) shrink(ctx context.Context, tape []byte, o *Outcome) {
	ctx, cancel := context.WithTimeout(ctx, shrinkTime)
	defer cancel()
	name := o.Case.Name
	Shrink(tape, func(c conformance.Case) bool {
		if ctx.Err() != nil {
			return false
		}
		c.Name = name
		d, err := f.Run(ctx, &c)
		if err != nil || d == nil || d.Lacks != "" || (d.Field == "") != (o.Difference.Field == "") {
			return false
		}
		o.Case, o.Difference = c, d
		return true
	}, shrinkTries)
}
