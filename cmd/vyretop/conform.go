package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine"
	"vyretop/engine/conformance"
	"vyretop/engine/device"
)

// conformFlags are the flags of conform.
type conformFlags struct {
	deviceFlags
	filter   string
	programs uint64
	keep     string
	seed     uint64
	json     bool
	worker   bool
}

func newConform(a *app, _ []string) *cobra.Command {
	f := &conformFlags{}
	c := &cobra.Command{
		Use:   "conform",
		Short: "Compare a backend with the reference backend, word for word",
		Long:  "Compare a backend with the reference backend: one kernel for each operation of the language, and random kernels. Every word that a kernel writes must be equal. The certificate lists what was compared on which device.",
		Args:  arguments(0, 0, ""),
		RunE:  func(c *cobra.Command, _ []string) error { return f.run(c.Context(), a) },
	}
	s := c.Flags()
	f.deviceFlags.register(s, "to compare with the reference")
	s.StringVar(&f.filter, "filter", "", "run only cases whose name matches this regular expression")
	s.Uint64Var(&f.programs, "fuzz", 0, "also compare this many random kernels")
	s.StringVar(&f.keep, "keep", ".", "folder for kernels that --fuzz finds to differ")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the operands and of the random kernels")
	s.BoolVar(&f.json, "json", false, "print the certificate as one JSON document")
	s.BoolVar(&f.worker, "worker", false, "serve cases from standard input")
	_ = s.MarkHidden("worker") // fails for unknown flags only
	return c
}

// check finds values that make no sense and returns the filter.
func (f *conformFlags) check() (*regexp.Regexp, error) {
	if err := f.deviceFlags.check(); err != nil {
		return nil, err
	}
	filter, err := regexp.Compile(f.filter)
	if err != nil {
		return nil, usage(fmt.Sprintf("--filter %s: %v", f.filter, err), `write a Go regular expression such as '^builtin\.min'`)
	}
	return filter, nil
}

// run runs the cases and prints the certificate; a difference makes the exit status 1.
func (f *conformFlags) run(ctx context.Context, a *app) (err error) {
	filter, err := f.check()
	if err != nil {
		return err
	}
	var list []conformance.Case
	if !f.worker { // which is told its cases
		if list, err = f.cases(filter); err != nil {
			return err
		}
	}
	backend, err := f.open(ctx, a, device.Choice{Seed: f.seed, Fresh: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	if f.worker {
		return a.serveWorker(ctx, backend)
	}
	cert, err := f.compare(ctx, a, backend, list)
	if err != nil && (cert == nil || ctx.Err() == nil) {
		return err
	}
	return errors.Join(a.printFinding(cert, cert.Passed(), f.json), err)
}

// cases are those whose names match.
func (f *conformFlags) cases(filter *regexp.Regexp) ([]conformance.Case, error) {
	list, err := conformance.Cases(f.seed)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c conformance.Case) bool { return !filter.MatchString(c.Name) })
	if len(list) == 0 {
		return nil, usage(fmt.Sprintf("--filter %s matches no case", f.filter), "leave it out: the certificate lists the operations")
	}
	return list, nil
}

// compare runs the cases, then the random kernels. Where it is interrupted, the certificate has what was compared.
func (f *conformFlags) compare(ctx context.Context, a *app, backend engine.Backend, list []conformance.Case) (cert *conformance.Certificate, err error) {
	runner, err := conformance.NewRunner(backend)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(runner.Close(), err) }()
	cert = runner.NewCertificate(version, f.seed)
	begin := time.Now()
	err = runner.Check(ctx, list, cert)
	if err == nil && f.programs > 0 {
		err = f.fuzz(ctx, a, cert)
	}
	cert.ElapsedMs = float64(time.Since(begin).Microseconds()) / 1000
	cert.Unfinished = err != nil
	return cert, err
}
