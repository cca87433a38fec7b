package main

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"vyretop/cmd/vyretop/internal/report"
	"vyretop/engine/check"
)

// checkFlags are the flags of check.
type checkFlags struct {
	dispatchFlags
	run   bool
	sarif bool
	loops uint64
}

func (f *checkFlags) register(s *pflag.FlagSet) {
	f.shapeOnly()
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	s.BoolVar(&f.run, "run", false, "run FILE.comp under the checkers")
	s.BoolVar(&f.sarif, "sarif", false, "with --run: print SARIF 2.1.0, for editors and code hosts")
	s.Uint64Var(&f.loops, "loops", check.DefaultBudget, "with --run: loop rounds that an invocation may run")
	f.registerShape(s)
}

// onlyForRun are the flags that say nothing without --run.
var onlyForRun = []string{"sarif", "loops", "grid", "workgroup", "in", "size"}

func (f *checkFlags) check(s *pflag.FlagSet, name string) error {
	if f.run && !isKernelFile(name) {
		return usage("--run takes a FILE.comp, and "+name+" is a workload", "run a workload on the reference backend instead: vyretop run "+name+" --backend reference reports undefined accesses")
	}
	for _, flag := range onlyForRun {
		if !f.run && s.Changed(flag) {
			return usage("--"+flag+" needs --run", "add --run to run the kernel under the checkers")
		}
	}
	if f.sarif && f.json {
		return usage("--sarif and --json exclude each other", "give one of them")
	}
	if f.loops == 0 {
		return usage("invalid --loops 0: must be above 0", "use the largest number of rounds that an invocation needs")
	}
	return nil
}

// checkRun runs a kernel under the checkers, prints what they found and keeps the exit status.
func checkRun(ctx context.Context, a *app, f *checkFlags, s *pflag.FlagSet, file string) error {
	r, err := f.request(s)
	if err != nil {
		return err
	}
	p, err := a.dispatched(file, r)
	if err != nil {
		return err
	}
	if p.Tree == nil {
		return &fileError{"check", file, errors.New("the kernel is outside the kernel language"), "run vyretop check on it without --run, and keep to docs/kernel-language.md"}
	}
	buffers, launch, err := r.Memory(ctx, p)
	if err != nil {
		return err
	}
	done := a.note("checking " + file)
	found, err := check.Run(ctx, check.Target{Program: p, Buffers: buffers, Grid: launch.Grid, Workgroup: launch.Workgroup, Budget: f.loops})
	done()
	if err != nil && len(found.Findings) == 0 {
		return err
	}
	d := report.NewFindings(file, found)
	if !d.OK {
		a.status = exitFailed
	}
	return errors.Join(err, printFindings(a, f, d))
}

func printFindings(a *app, f *checkFlags, d report.Findings) error {
	switch {
	case f.sarif:
		return report.WriteSARIF(a.stdout, d, version)
	case f.json:
		return report.WriteJSON(a.stdout, d)
	}
	return report.WriteFindings(a.stdout, d)
}
