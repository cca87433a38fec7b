package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/device"
	"vyretop/megakernel/bench"
	"vyretop/tui/progress"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	deviceFlags
	length time.Duration
	only   []string
	json   bool
}

func newBench(a *app, _ []string) *cobra.Command {
	f := &benchFlags{}
	c := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the resident kernel and its alternatives on a device",
		Long:    "Measure the resident kernel on a device and, in the same run, the alternatives to it: a dispatch and fence per task or batch, a persistent kernel that scans all slots, a Go worker pool.\n\nMetrics:\n" + bench.Describe(),
		Example: "vyretop bench\nvyretop bench --for 10s --only submit_to_done,dispatch_fence\nvyretop bench --json >figures.json",
		Args:    arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(c.Context(), a)
		},
	}
	s := c.Flags()
	f.deviceFlags.register(s, "that runs the kernel")
	s.DurationVar(&f.length, "for", bench.DefaultFor, "time to measure, excluding compilation")
	s.StringSliceVar(&f.only, "only", nil, "measure only these metrics")
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (f *benchFlags) check() error {
	if err := f.deviceFlags.check(); err != nil {
		return err
	}
	if f.length <= 0 {
		return usage(fmt.Sprintf("invalid --for %v: must be above 0", f.length), "use a duration such as 60s")
	}
	return bench.Check(f.only)
}

// run measures and prints. A metric that could not be measured makes the status a failure; what
// was measured is printed all the same, also when the run is interrupted.
func (f *benchFlags) run(ctx context.Context, a *app) (err error) {
	backend, err := f.open(ctx, a, device.Choice{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	found, err := a.measure(ctx, bench.Config{Backend: backend, Version: version, For: f.length, Only: f.only, Program: f.program(a)})
	if found == nil || len(found.Metrics) == 0 {
		return err
	}
	if failed := found.Failed(); len(failed) > 0 {
		a.status = exitFailed
		fmt.Fprintln(a.stderr, "vyretop: not measured: "+strings.Join(failed, ", "))
	}
	if f.json {
		return errors.Join(err, writeJSON(a.stdout, found))
	}
	return errors.Join(err, found.Write(a.stdout))
}

// program is how this program is run again on the same device.
func (f *benchFlags) program(a *app) *bench.Program {
	file, err := os.Executable()
	if err != nil {
		return nil
	}
	return &bench.Program{File: file, Args: []string{"--backend", f.backend, "--device", strconv.Itoa(f.device)}, Env: a.env}
}

// measure runs the benchmark, and says on a terminal what it is at.
func (a *app) measure(ctx context.Context, c bench.Config) (*bench.Report, error) {
	if w, width, ok := notices(a.stderr); ok {
		c.Progress = func(done, total int, next string) {
			progress.Draw(w, width(), fmt.Sprintf("%3d %% measuring %s", 100*done/total, next))
		}
		defer progress.Erase(w)
	}
	return bench.Run(ctx, c)
}
