package dispatch

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
	"vyretop/engine/reference"
)

// findTime is how long the loop that a device has ended is looked for.
const findTime = 5 * time.Second

// findLoop completes the error of a dispatch whose loops the device has ended with the place of the loop, where the
// backend cannot tell: the reference backend runs the dispatch until an invocation has as many rounds.
func (r *Request) findLoop(ctx context.Context, p *engine.Program, err error) error {
	limit, ok := errors.AsType[*engine.LoopLimitError](err)
	if !ok || limit.Pos.IsValid() || p.Tree == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, findTime)
	defer cancel()
	if found, ok := errors.AsType[*reference.KernelError](r.runOnReference(ctx, p, limit.Limit)); ok && errors.Is(found, reference.ErrIterationBudget) {
		limit.Pos = found.Pos
	}
	return err
}

// runOnReference runs the dispatch with a bound for the loop rounds of an invocation.
func (r *Request) runOnReference(ctx context.Context, p *engine.Program, rounds uint64) (err error) {
	b, err := reference.Open(reference.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	blocks, err := r.plan(p, b.Profile().MaxStorageBufferBytes)
	if err != nil {
		return err
	}
	buffers, err := load(ctx, b, blocks)
	if err != nil {
		return err
	}
	pl, err := b.Compile(ctx, p)
	if err != nil {
		return err
	}
	cfg := r.Config
	cfg.IterationBudget, cfg.Timeout, cfg.Profile = rounds, findTime, engine.ProfileDefault
	pending, err := pl.Start(ctx, buffers, cfg)
	if err != nil {
		return err
	}
	_, err = pending.Wait(ctx)
	return err
}
