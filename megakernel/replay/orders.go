package replay

import (
	"context"
	"errors"

	"vyretop/engine"
	"vyretop/fixtures"
)

// MaxOrders bounds the seeds that one search tries.
const MaxOrders = 1_000_000

// Orders is a search for an order of tasks in which a recorded run ends differently: the run is executed with one seed of the
// scheduler after the other. A backend without seeds has one order.
type Orders struct {
	Name         string // of the recording
	Recording    *fixtures.Recording
	First, Count uint64 // seeds: the first one, and how many
	Open         func(ctx context.Context, seed uint64) (engine.Backend, error)
	Close        func(engine.Backend) error
	// Tell is given each result, with the first word that differs located, or looked for until ctx ended; last is that of the last seed.
	Tell func(r *Result, seed uint64, last bool) error
}

// Search executes the run until it ends differently, and reports whether it did.
func (o *Orders) Search(ctx context.Context) (differs bool, err error) {
	for i := range o.Count {
		r, err := o.verify(ctx, o.First+i)
		if r != nil {
			err = errors.Join(o.Tell(r, o.First+i, i == o.Count-1), err)
		}
		if err != nil || !r.Equal() {
			return err == nil, err
		}
	}
	return false, nil
}

func (o *Orders) verify(ctx context.Context, seed uint64) (r *Result, err error) {
	backend, err := o.Open(ctx, seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, o.Close(backend)) }()
	if r, err = Verify(ctx, o.Name, o.Recording, backend); err != nil {
		return nil, err
	}
	if err = Locate(ctx, o.Name, o.Recording, r, seed); err != nil && r.Divergence == nil {
		return nil, err
	}
	return r, err
}
