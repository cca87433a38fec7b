package conformance

import (
	"context"
	"errors"
	"fmt"

	"vyretop/engine"
	"vyretop/engine/reference"
	"vyretop/engine/reference/vm"
)

// Runner compares one backend with a reference backend of its own. It runs one case at a time; use
// several for more.
type Runner struct {
	subject, reference *side
	own                *reference.Backend
}

// NewRunner makes a runner for a backend, which stays the caller's.
func NewRunner(subject engine.Backend) (*Runner, error) {
	own, err := reference.Open(reference.Options{})
	if err != nil {
		return nil, err
	}
	return &Runner{subject: newSide(subject), reference: newSide(own), own: own}, nil
}

// Close frees what the runner allocated.
func (r *Runner) Close() error {
	return errors.Join(r.subject.free(), r.reference.free(), r.own.Close())
}

// Run runs a case on both backends and returns the first difference, or nil when they agree; one with Lacks says that nothing was compared. The error matches ErrCase when the case cannot be run anywhere,
// or executes what the language leaves open, so that backends may differ; any other error means that a
// backend could not be used.
func (r *Runner) Run(ctx context.Context, c *Case) (*Difference, error) {
	p, err := c.Compile()
	if err == nil {
		p, err = suited(p, r.subject.backend)
	}
	if err != nil {
		return nil, err
	}
	type answer struct {
		outcome outcome
		err     error
	}
	subject := make(chan answer, 1)
	go func() {
		o, _, err := r.subject.run(ctx, c, p)
		subject <- answer{o, err}
	}()
	want, pending, err := r.reference.run(ctx, c, p)
	got := <-subject
	if err := errors.Join(err, got.err); err != nil {
		return nil, err
	}
	if d, ok := pending.(*reference.Dispatch); ok {
		if err := undefinedIn(d); err != nil {
			return nil, c.failed(err)
		}
	}
	if want.err != nil && !c.MayFail {
		return nil, c.failed(want.err)
	}
	if d := lacking(p.Tree, got.outcome.err); d != nil && want.err == nil {
		return d, nil
	}
	if limit, ok := errors.AsType[*engine.LoopLimitError](got.outcome.err); ok && want.err == nil {
		return r.tooLong(ctx, c, p, limit)
	}
	return compare(c, p.Tree, got.outcome, want), nil
}

// suited gives a program subgroups as large as those of a backend, or, where that has none, of one invocation.
func suited(p *engine.Program, b engine.Backend) (*engine.Program, error) {
	profile := b.Profile()
	switch width := profile.SubgroupWidth(); {
	case width > 0:
		return p.WithSubgroup(int(width))
	case profile.SubgroupOperations.Or(false):
		return p, nil // it takes any
	}
	return p.WithSubgroup(1)
}

// plausibleShare is the part of a device's loop iterations that an invocation must have used by itself when the device
// runs out of them: it counts those of its neighbors, and loops that are not entered, too.
const plausibleShare = 64

// tooLong judges the claim of a device that a kernel's loops are too long for it, which is a difference when they are not.
func (r *Runner) tooLong(ctx context.Context, c *Case, p *engine.Program, limit *engine.LoopLimitError) (*Difference, error) {
	bounded := *c
	bounded.Config.IterationBudget = limit.Limit / plausibleShare
	o, _, err := r.reference.run(ctx, &bounded, p)
	if err != nil || errors.Is(o.err, reference.ErrIterationBudget) {
		return nil, err
	}
	return &Difference{What: fmt.Sprintf("%v; no invocation has run %d loop rounds", limit, bounded.Config.IterationBudget)}, nil
}

// Check runs cases in their order and counts them in a certificate. It stops at the first error, which
// is never a difference.
func (r *Runner) Check(ctx context.Context, list []Case, cert *Certificate) error {
	for i := range list {
		c := &list[i]
		d, err := r.Run(ctx, c)
		if err != nil {
			return err
		}
		cert.add(c.Name, d)
	}
	return nil
}

// NewCertificate begins the certificate of what the runner's backend is compared in.
func (r *Runner) NewCertificate(version string, seed uint64) *Certificate {
	return &Certificate{Schema: Schema, Version: version, Seed: seed,
		Backend: r.subject.backend.Identity(), Reference: r.own.Identity(),
		Operations: []Tally{}, Differences: []Finding{}}
}

// undefinedIn lists what a dispatch executed that backends may do differently, one a line; nil for nothing. A division by zero is
// reported too, but its result is defined.
func undefinedIn(d *reference.Dispatch) error {
	list, _ := d.Reports()
	var found []error
	for _, r := range list {
		if r.Kind != vm.DivisionByZero {
			found = append(found, errors.New(r.String()))
		}
	}
	return errors.Join(found...)
}
