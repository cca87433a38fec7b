package run

import (
	"context"
	"errors"

	"vyretop/engine/fault"
)

// ErrAbandoned marks the end of a run whose kernel is still being compiled. Its backend can only be closed after that.
const ErrAbandoned fault.Kind = "the kernel is still being compiled"

// orAbandon calls f, or ends with ErrAbandoned when ctx ends: a driver that compiles cannot be interrupted. What f returns
// after that is left to late.
func orAbandon[T any](ctx context.Context, f func() (T, error), late func(T)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome)
	go func() {
		value, err := f()
		select {
		case done <- outcome{value, err}:
		case <-ctx.Done():
			late(value)
		}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, errors.Join(ErrAbandoned, ctx.Err())
	}
}

// Launch is Start for a caller that does not wait for the driver's compiler: when ctx ends, so does Launch, with
// ErrAbandoned.
func Launch(ctx context.Context, c Config) (*Run, error) {
	return orAbandon(ctx, func() (*Run, error) { return Start(ctx, c) }, func(r *Run) {
		if r != nil {
			_ = r.Close() // the run has failed already
		}
	})
}
