package replay

import (
	"context"
	"errors"

	"vyretop/engine/reference"
	"vyretop/fixtures"
)

// Executable is the run of a recording, ready to be executed again.
type Executable struct{ plan *plan }

// NewExecutable reads what executing the run of a recording again needs. Errors are ErrNotExecutable, and those of reading.
func NewExecutable(name string, rec *fixtures.Recording) (*Executable, error) {
	p, err := newPlan(name, rec)
	if err != nil {
		return nil, err
	}
	return &Executable{p}, nil
}

// Handler is the name of an opcode's handler.
func (x *Executable) Handler(opcode uint32) string { return x.plan.handler(opcode) }

// Execution says how a run is executed.
type Execution struct {
	Seed           uint64 // of the reference's scheduler
	Workers, Lanes int
	Watcher        reference.Watcher
	Advances       func() // called before the epoch is advanced; nil for nothing
}

// Execute executes the run on the reference interpreter, until none of its tasks can continue.
func (x *Executable) Execute(ctx context.Context, as Execution) (err error) {
	p := *x.plan
	p.advances = as.Advances
	b, err := reference.Open(reference.Options{Seed: as.Seed, Resident: as.Workers, Watcher: as.Watcher})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := p.start(ctx, b, shape{workers: as.Workers, lanes: as.Lanes})
	if err != nil {
		return err
	}
	_, err = p.execute(ctx, s)
	return errors.Join(err, s.Close())
}
