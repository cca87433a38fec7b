package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"

	"vyretop/cmd/vyretop/internal/progress"
	"vyretop/engine"
	"vyretop/engine/conformance"
	"vyretop/engine/conformance/generate"
)

// fuzz compares random kernels in worker processes and adds them to the certificate.
func (a *app) fuzz(ctx context.Context, f *conformFlags, cert *conformance.Certificate) (err error) {
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
			if file, err = keepKernel(f.keep, &o.Case); err != nil {
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
	file, ok := terminal(a.stderr)
	if !ok {
		return func() {}
	}
	ended, erased := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(erased)
		progress.Show(ended, file, func() int { return columns(file) }, func() (int64, int64, string) { return done.Load(), total, unit })
	}()
	return func() {
		close(ended)
		<-erased
	}
}

// keepKernel writes a kernel to the first number in a folder that is free, and makes the folder.
func keepKernel(dir string, c *conformance.Case) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("keep the kernel of a difference: %w. Fix: give a folder that can be written with --keep", err)
	}
	for n := 1; ; n++ {
		name := filepath.Join(dir, fmt.Sprintf("%04d.comp", n))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep the kernel of a difference: %w. Fix: give a folder that can be written with --keep", err)
		}
		_, err = file.WriteString(conformance.Format(c))
		return name, errors.Join(err, file.Close())
	}
}

// serveWorker answers the cases that a conform --fuzz sends.
func (a *app) serveWorker(ctx context.Context, backend engine.Backend) (err error) {
	runner, err := conformance.NewRunner(backend)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(runner.Close(), err) }()
	return conformance.Serve(ctx, runner, a.stdin, drawing(a.stdout))
}
