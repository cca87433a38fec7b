package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"vyretop/engine/check"
	"vyretop/engine/dispatch"
	"vyretop/fixtures"
	"vyretop/megakernel/capture"
)

// interpretedFor is for how long check --run and profile run at most, unless --for says otherwise: a kernel without end would keep a
// build waiting.
const interpretedFor = 10 * time.Minute

// beyond says that a run did not end within a limit; "" for no limit.
func beyond(limit time.Duration) string {
	if limit == 0 {
		return ""
	}
	return fmt.Sprintf(" (it ran for %v; --for sets another limit)", limit)
}

// limit ends a context after a time; 0 is none.
func limit(ctx context.Context, atMost time.Duration) (context.Context, context.CancelFunc) {
	if atMost > 0 {
		return context.WithTimeout(ctx, atMost)
	}
	return context.WithCancel(ctx)
}

// checkFlags are the flags of check.
type checkFlags struct {
	dispatchFlags
	run   bool
	sarif bool
	loops uint64

	undefined []uint

	atMost time.Duration
	seed   uint64
}

func (f *checkFlags) register(s *pflag.FlagSet) {
	f.shapeOnly()
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	s.BoolVar(&f.run, "run", false, "run it on the reference interpreter under the checkers")
	s.BoolVar(&f.sarif, "sarif", false, "with --run: print SARIF 2.1.0, for editors and code hosts")
	s.Uint64Var(&f.loops, "loops", check.DefaultBudget, "with --run FILE.comp: maximum loop iterations of an invocation")
	s.UintSliceVar(&f.undefined, "undefined", nil, "with --run FILE.comp: bindings of buffers that start without values (default: buffers start as zeros)")
	s.DurationVar(&f.atMost, "for", interpretedFor, "with --run: stop after this time and print the findings so far, with exit status 1 (0: no limit)")
	s.Uint64Var(&f.seed, "seed", 0, "with --run WORKLOAD: order in which the workers run")
	f.registerShape(s)
}

// The flags that say nothing without --run, without a kernel's file, and without a workload.
var (
	onlyForRun      = []string{"sarif", "for", "loops", "undefined", "grid", "workgroup", "in", "size", "uniform", "image", "sampler", "seed"}
	onlyForKernel   = []string{"loops", "undefined", "grid", "workgroup", "in", "size", "uniform", "image", "sampler", "spec", "subgroup", "define", "include"}
	onlyForWorkload = []string{"seed"}
)

func (f *checkFlags) check(s *pflag.FlagSet, name string) error {
	for _, flag := range onlyForRun {
		if !f.run && s.Changed(flag) {
			return usage("--"+flag+" needs --run", "add --run to run the kernel under the checkers")
		}
	}
	wrong, fix := onlyForKernel, "leave it out, or give a FILE.comp"
	switch {
	case capture.IsCapture(name):
		wrong, fix = slices.Concat(onlyForKernel, onlyForWorkload), "leave it out"
	case isKernelFile(name) && !fixtures.IsRecording(name):
		wrong, fix = onlyForWorkload, "leave it out, or give a workload"
	}
	for _, flag := range wrong {
		if s.Changed(flag) {
			return usage("--"+flag+" does not apply to "+name, fix)
		}
	}
	if f.atMost < 0 {
		return usage(fmt.Sprintf("invalid --for %v: must not be negative", f.atMost), "use a duration such as 10s")
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
	if err := checkKernelName(file); err != nil {
		return err
	}
	r, err := f.request(s)
	if err != nil {
		return err
	}
	p, err := interpreted(a, "check", file, r)
	if err != nil {
		return err
	}
	buffers, launch, err := r.Memory(ctx, p)
	if err != nil {
		return err
	}
	undefined, err := f.withoutValues(r, buffers)
	if err != nil {
		return err
	}
	limited, cancel := limit(ctx, f.atMost)
	defer cancel()
	done := a.note("checking " + file + " (Ctrl-C ends with what was found)")
	found, err := check.Run(limited, check.Target{Program: p, Buffers: buffers, Grid: launch.Grid, Workgroup: launch.Workgroup, Budget: f.loops, Undefined: undefined})
	done()
	if err != nil && limited.Err() == nil {
		return err
	}
	return f.conclude(ctx, limited, a, check.NewDocument(file, found), "the dispatch", err)
}

// withoutValues are the bindings of --undefined, which must be those of buffers that no file fills.
func (f *checkFlags) withoutValues(r *dispatch.Request, buffers map[uint32][]uint32) (bindings []uint32, err error) {
	for _, b := range f.undefined {
		binding := uint32(b)
		if _, bound := buffers[binding]; !bound || uint(binding) != b {
			return nil, usage(fmt.Sprintf("invalid --undefined %d: the kernel has no buffer with that binding", b), "name one of its bindings")
		}
		if _, filled := r.Inputs[binding]; filled {
			return nil, usage(fmt.Sprintf("--undefined %d: --in fills this buffer", b), "leave one of the two out")
		}
		bindings = append(bindings, binding)
	}
	return bindings, nil
}

func printFindings(a *app, f *checkFlags, d check.Document) error {
	switch {
	case f.sarif:
		if d.Incomplete != "" { // SARIF has no place for it that readers show
			fmt.Fprintf(a.stderr, "vyretop: %s: %s\n", d.Kernel, d.Incomplete)
		}
		return check.WriteSARIF(a.stdout, d, version)
	case f.json:
		return writeJSON(a.stdout, d)
	}
	return check.WriteText(a.stdout, d)
}
