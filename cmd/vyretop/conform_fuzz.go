package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"

	"vyretop/engine"
	"vyretop/engine/conformance"
	"vyretop/engine/conformance/generate"
	"vyretop/tui/progress"
)

// fuzz compares random kernels in worker processes and adds them to the certificate.
func (f *conformFlags) fuzz(ctx context.Context, a *app, cert *conformance.Certificate) (err error) {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w. Fix: start vyretop by its path", err)
	}
	pool := conformance.NewPool(runtime.NumCPU(), func(ctx context.Context) *exec.Cmd {
		return exec.CommandContext(ctx, program, "conform", "--worker", "--backend", cert.Backend.Name, "--device", strconv.Itoa(f.device))
	})
	defer func() { err = errors.Join(pool.Close(), err) }()
	var done atomic.Int64
	defer a.showCount(&done, int64(f.programs), "kernels")()
	fuzzer := generate.Fuzzer{Seed: f.seed, Count: f.programs, Parallel: runtime.NumCPU(), Run: pool.Run}
	fuzzer.Found = func(o generate.Outcome) {
		fmt.Fprintf(a.stderr, "\nvyretop: %s: %s; looking for a smaller kernel\n", o.Case.Name, o.Difference)
	}
	fuzzer.Report = func(o generate.Outcome) error {
		file := ""
		if o.Difference != nil {
			var err error
			if file, err = conformance.Keep(f.keep, &o.Case); err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "\nvyretop: %s: %s; kernel in %s\n", o.Case.Name, o.Difference, file)
		}
		cert.AddProgram(o.Case.Name, o.Difference, file)
		done.Add(1)
		return nil
	}
	return fuzzer.Fuzz(ctx)
}

// showCount shows progress where stderr is a terminal, until the function it returns is called.
func (a *app) showCount(done *atomic.Int64, total int64, unit string) (end func()) {
	w, width, ok := notices(a.stderr)
	if !ok {
		return func() {}
	}
	ended, erased := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(erased)
		progress.Show(ended, w, width, func() (int64, int64, string) { return done.Load(), total, unit })
	}()
	return func() {
		close(ended)
		<-erased
	}
}

// serveWorker answers the cases that a conform --fuzz sends. A signal is for that process, though all may get it: it ends its
// workers, where an error of one of them would hide the interruption.
func (a *app) serveWorker(ctx context.Context, backend engine.Backend) (err error) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	runner, err := conformance.NewRunner(backend)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(runner.Close(), err) }()
	return conformance.Serve(ctx, runner, a.stdin, drawing(a.stdout))
}
