package conformance

import (
	"context"
	"errors"
	"strings"

	"vyretop/engine"
	"vyretop/engine/reference"
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

// Result is what came of a case.
type Result struct {
	Program    *engine.Program
	Difference *Difference // nil when both backends agree
}

// Run runs a case on both backends. The error matches ErrCase when the case cannot be run anywhere,
// or executes what GLSL leaves undefined, so that backends may differ; any other error means that a
// backend could not be used.
func (r *Runner) Run(ctx context.Context, c *Case) (Result, error) {
	p, err := c.Compile()
	if err != nil {
		return Result{}, err
	}
	return r.compare(ctx, c, p)
}

// compare runs a compiled case.
func (r *Runner) compare(ctx context.Context, c *Case, p *engine.Program) (Result, error) {
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
		return Result{}, err
	}
	if d, ok := pending.(*reference.Dispatch); ok {
		if list, _ := d.Reports(); len(list) > 0 {
			return Result{}, &caseError{c.Name, undefined(list)}
		}
	}
	return Result{Program: p, Difference: compare(c, p.Tree, got.outcome, want)}, nil
}

// Check runs cases in their order and counts them in a certificate. A case with an unsettled
// operation is left out. It stops at the first error, which is never a difference.
func (r *Runner) Check(ctx context.Context, list []Case, cert *Certificate) error {
	for i := range list {
		c := &list[i]
		p, err := c.Compile()
		if err != nil {
			return err
		}
		if feature, reason := unsettledIn(Features(p.Tree)); feature != "" {
			cert.omit(c.Name, feature, reason)
			continue
		}
		res, err := r.compare(ctx, c, p)
		if err != nil {
			return err
		}
		cert.add(c.Name, res.Difference)
	}
	return nil
}

// NewCertificate begins the certificate of what the runner's backend is compared in.
func (r *Runner) NewCertificate(version string, seed uint64) *Certificate {
	return &Certificate{Schema: Schema, Version: version, Seed: seed,
		Backend: r.subject.backend.Identity(), Reference: r.own.Identity(),
		Operations: []Tally{}, Differences: []Finding{}, Omitted: []Omission{}}
}

// undefined is the error of a case that executed undefined operations.
type undefined []reference.Report

// Error renders the operations, one a line.
func (u undefined) Error() string {
	lines := make([]string, len(u))
	for i, r := range u {
		lines[i] = r.String()
	}
	return strings.Join(lines, "\n")
}
